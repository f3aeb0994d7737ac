#include "cli/run_workload.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/progress.h"
#include "sim/execution.h"

#include <string.h>

/* Writes the result as JSON to a file or standard output, and as a summary for people. */
static int write_result(const ww_result *result, const ww_run_options *options, ww_errors *errors)
{
    const char *json = options->json;
    int status = WW_OK;
    if (json) {
        char *text = ww_result_json(result);
        if (strcmp(json, "-") == 0)
            fputs(text, stdout);
        else
            status = ww_write_file(json, text, strlen(text), errors);
        free(text);
    }
    if (!options->stdout_taken && (result->complete || result->interrupted))
        ww_result_write_summary(result, options->width, stdout);
    return status;
}

static int execute(const ww_run_options *options, const char *workload, bool timed,
                   ww_errors *errors)
{
    ww_progress progress;
    ww_result result;
    char *name = ww_format("%s%s%s%s on %s", workload, options->size ? " (" : "",
                           options->size ? options->size : "", options->size ? ")" : "",
                           options->machine.name);
    ww_execution what = {.config = options->config,
                         .machine = options->machine.name,
                         .workload = workload,
                         .size = options->size,
                         .seed = options->seed,
                         .max_instructions = options->max_instructions,
                         .verify = options->verify,
                         .dump_folder = options->dump_folder,
                         .no_dump = options->no_dump,
                         .timed = timed,
                         .watch = {.trace = options->traced ? &options->trace : NULL,
                                   .trace_file = options->trace_file,
                                   .timeline = options->timeline,
                                   .warp_times = options->warp_times,
                                   .pages = options->pages,
                                   .name = name},
                         .region = options->region,
                         .sample = options->sample,
                         .hints = options->hints,
                         .progress = ww_progress_report,
                         .launch = ww_progress_launch,
                         .pass = ww_progress_pass,
                         .context = &progress};
    ww_progress_start(&progress);
    int status = ww_execute(&what, &result, errors);
    ww_progress_end(&progress);
    free(name);
    if (!result.kernels)
        return status;
    bool interrupted = result.interrupted;
    int written = write_result(&result, options, errors);
    ww_result_clear(&result);
    if (interrupted)
        return WW_STATUS_OF_SIGNAL(ww_progress_signal());
    return status ? status : written;
}

int ww_run_workload(const ww_arguments *arguments, bool timed, ww_errors *errors)
{
    ww_run_options options;
    const char *machine = timed ? WW_DEFAULT_TIMED_MACHINE : WW_DEFAULT_MACHINE;
    int status = ww_run_options_read(arguments, machine, &options, errors);
    if (!status)
        status = execute(&options, arguments->words[0], timed, errors);
    ww_run_options_clear(&options);
    return status;
}
