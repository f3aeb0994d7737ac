#include "sim/host_program.h"

#include "base/memory.h"
#include "base/text.h"

#include <sys/stat.h>

int ww_host_program_run(const ww_host_program *program, ww_device *device,
                        const ww_host_program_options *o, ww_verdict *verdict, ww_errors *errors)
{
    if (program->file) {
        ww_launch_file_options how = {.seed = o->seed,
                                      .verify = o->verify,
                                      .no_dump = o->leave_no_files,
                                      .hints = o->hints,
                                      .hints_given = o->hints_given,
                                      .launched = o->launched,
                                      .context = o->context};
        return ww_launch_file_run(program->file, device, &how, verdict, errors);
    }
    ww_workload_options how = {.seed = o->seed,
                               .verify = o->verify,
                               .hints = o->hints,
                               .hints_given = o->hints_given,
                               .launched = o->launched,
                               .context = o->context};
    return ww_workload_run(program->choice, program->module, device, &how, verdict, errors);
}

/* A parameter may name a file, such as a graph. */
static void add_file(ww_hash128 *identity, const char *path)
{
    struct stat info;
    ww_errors *ignored = ww_errors_create(); /* the run reports them */
    char *bytes = NULL;
    size_t count = 0;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
        ww_read_file(path, WW_NOWHERE, &bytes, &count, ignored) == WW_OK)
        ww_hash128_add(identity, bytes, count);
    free(bytes);
    ww_errors_destroy(ignored);
}

void ww_host_program_identify(const ww_host_program *program, ww_hash128 *identity)
{
    if (program->file) {
        ww_launch_file_identify(program->file, identity);
        return;
    }
    const ww_workload *workload = program->choice->workload;
    char *values = ww_choice_values(program->choice);
    ww_hash128_add_text(identity, workload->name);
    ww_hash128_add_text(identity, values);
    free(values);
    for (size_t i = 0; i < workload->parameter_count; i++)
        if (workload->parameters[i].kind == WW_WORD)
            add_file(identity, program->choice->words[i]);
}
