#include "sim/execution.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/passes.h"

#include <string.h>
#include <unistd.h>

/* {"n": 4096, "layout": "row"} */
static json_t *parameters_json(const ww_choice *choice)
{
    json_t *object = json_object();
    for (size_t i = 0; i < choice->workload->parameter_count; i++) {
        const ww_parameter *p = &choice->workload->parameters[i];
        json_object_set_new(object, p->name,
                            p->kind == WW_NUMBER ? json_integer((json_int_t)choice->numbers[i])
                                                 : ww_json_text(choice->words[i]));
    }
    return object;
}

static const char *unless_empty(const char *text)
{
    return text[0] ? text : NULL;
}

ww_compiler *ww_compiler_configured(const ww_config *config, FILE *log)
{
    const char *cache = ww_config_text(config, "host.kernel_cache");
    ww_compiler_options how = {
        .clang = unless_empty(ww_config_text(config, "host.clang")),
        .cache = strcmp(cache, "none") == 0 ? "" : unless_empty(cache),
        .log = log,
    };
    return ww_compiler_create(&how);
}

void ww_execution_identify(const ww_execution *what, ww_hash128 *identity)
{
    ww_hash128_add_number(identity, ww_config_hash(what->config));
    ww_hash128_add_number(identity, what->seed);
    ww_hash128_add_number(identity, what->max_instructions);
    ww_hash128_add_number(identity, what->timed);
    ww_hash128_add_number(identity, what->region.skip);
    ww_hash128_add_number(identity, what->region.warm);
    ww_hash128_add_number(identity, what->region.measure);
    char *hints = ww_hint_list_text(what->hints);
    ww_hash128_add_text(identity, hints);
    free(hints);
}

static int execute_file(const ww_execution *what, ww_result *result, ww_errors *errors)
{
    ww_compiler *compiler =
        ww_compiler_configured(what->config, what->output ? what->output : stderr);
    ww_launch_setting setting = {.size = what->size,
                                 .config = what->config,
                                 .dump_folder = what->dump_folder,
                                 .no_dump = what->no_dump};
    ww_launch_file *file = ww_launch_file_load(what->workload, &setting, compiler, errors);
    int status = file ? WW_OK : ww_errors_status(errors);
    if (status == WW_OK) {
        ww_host_program program = {.file = file, .launches = ww_launch_file_launches(file)};
        status = ww_run_passes(what, &program, result, errors);
    }
    if (result->kernels) {
        result->size = what->size ? ww_strdup(what->size) : NULL;
        result->parameters = ww_launch_file_parameters(file);
    }
    ww_launch_file_destroy(file);
    ww_compiler_destroy(compiler);
    return status;
}

static int execute_workload(const ww_execution *what, const ww_workload *workload,
                            ww_result *result, ww_errors *errors)
{
    ww_choice choice;
    int status = ww_choice_read(workload, what->size, &choice, errors);
    ww_module *module = status ? NULL : ww_workload_module(workload, errors);
    if (module) {
        ww_host_program program = {.choice = &choice,
                                   .module = module,
                                   .launches = choice.named ? choice.named->launches : 0};
        status = ww_run_passes(what, &program, result, errors);
    }
    if (result->kernels) {
        result->size = ww_strdup(choice.text);
        result->parameters = parameters_json(&choice);
    }
    ww_module_destroy(module);
    ww_choice_clear(&choice);
    return status ? status : ww_errors_status(errors);
}

/* A name that is in no catalogue and no file: the nearest workload, or what would be right. */
static int refuse_name(const char *name, ww_errors *errors)
{
    const char *near = ww_catalogue_nearest(name);
    if (near)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "no workload '%.60s' in the catalogue (did you mean '%s'?)", name, near);
    return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                   "no workload '%.60s' in the catalogue (warpwalk list workloads), and no such "
                   "launch file",
                   name);
}

int ww_execute(const ww_execution *what, ww_result *result, ww_errors *errors)
{
    const char *name = what->workload;
    const ww_workload *workload = ww_catalogue_find(name);
    *result = (ww_result){0};
    if (workload)
        return execute_workload(what, workload, result, errors);
    if (access(name, F_OK) != 0 && !strchr(name, '/') && !strchr(name, '.'))
        return refuse_name(name, errors);
    return execute_file(what, result, errors);
}
