/* The library's public face. */
#include "warpwalk.h"

#include "base/memory.h"
#include "config/machine.h"
#include "sim/execution.h"
#include "sim/parts.h"

#define DEFAULT_SEED 1

struct ww_simulation {
    ww_config *config;
    ww_machine machine;
    uint64_t seed;
    uint64_t limit;
    char *result;
    char *errors;
};

ww_simulation *ww_simulation_create(void)
{
    ww_simulation *s = ww_calloc(1, sizeof(*s));
    s->config = ww_config_create(&ww_all_schemas);
    s->seed = DEFAULT_SEED;
    s->errors = ww_strdup("");
    ww_simulation_machine(s, WW_DEFAULT_MACHINE);
    return s;
}

void ww_simulation_destroy(ww_simulation *s)
{
    if (!s)
        return;
    ww_machine_clear(&s->machine);
    ww_config_destroy(s->config);
    free(s->result);
    free(s->errors);
    free(s);
}

/* Keeps the lines for ww_simulation_errors; takes the errors over. */
static int end_call(ww_simulation *s, int status, ww_errors *errors)
{
    size_t length = 0;
    free(s->errors);
    s->errors = NULL;
    FILE *out = open_memstream(&s->errors, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    ww_errors_print(errors, out);
    fclose(out);
    ww_errors_destroy(errors);
    return status;
}

static int refuse(ww_simulation *s, const char *what)
{
    ww_errors *errors = ww_errors_create();
    return end_call(s, ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s", what), errors);
}

int ww_simulation_machine(ww_simulation *s, const char *machine)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!machine)
        return refuse(s, "the machine is NULL (a preset's name or a file is needed)");
    ww_errors *errors = ww_errors_create();
    ww_machine_clear(&s->machine);
    return end_call(s, ww_machine_load(s->config, machine, WW_NOWHERE, &s->machine, errors),
                    errors);
}

int ww_simulation_set(ww_simulation *s, const char *assignment)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!assignment)
        return refuse(s, "the assignment is NULL (KEY=VALUE is needed)");
    ww_errors *errors = ww_errors_create();
    return end_call(s, ww_config_set(s->config, assignment, errors), errors);
}

void ww_simulation_seed(ww_simulation *s, uint64_t seed)
{
    if (s)
        s->seed = seed;
}

void ww_simulation_limit(ww_simulation *s, uint64_t max_warp_instructions)
{
    if (s)
        s->limit = max_warp_instructions;
}

int ww_simulation_exec(ww_simulation *s, const char *workload, const char *size)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!workload)
        return refuse(s, "the workload is NULL (a name or a launch file is needed)");
    if (s->seed > INT64_MAX)
        return refuse(s, "the seed is above 9223372036854775807, which a result cannot show");
    ww_errors *errors = ww_errors_create();
    ww_result result = {0};
    ww_execution what = {.config = s->config,
                         .machine = s->machine.name,
                         .workload = workload,
                         .size = size,
                         .seed = s->seed,
                         .max_instructions = s->limit,
                         .verify = true};
    int status = ww_config_check(s->config, errors);
    if (!status)
        status = ww_execute(&what, &result, errors);
    free(s->result);
    s->result = NULL;
    if (result.kernels) {
        s->result = ww_result_json(&result);
        ww_result_clear(&result);
    }
    return end_call(s, status, errors);
}

const char *ww_simulation_result(const ww_simulation *s)
{
    return s ? s->result : NULL;
}

const char *ww_simulation_errors(const ww_simulation *s)
{
    return s ? s->errors : "there is no simulation (NULL)\n";
}

const char *ww_version(void)
{
    return WW_VERSION;
}
