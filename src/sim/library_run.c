/* The library's interface (include/warpwalk.h): runs, what is called during one, its result. */
#include "base/memory.h"
#include "base/text.h"
#include "sim/components.h"
#include "sim/library_internal.h"

void ww_simulation_on_progress(ww_simulation *s, ww_run_progress_fn *function, void *context)
{
    if (!s)
        return;
    s->on_progress = function;
    s->progress_context = context;
}

void ww_simulation_on_launch(ww_simulation *s, ww_run_launch_fn *function, void *context)
{
    if (!s)
        return;
    s->on_launch = function;
    s->launch_context = context;
}

void ww_simulation_on_output(ww_simulation *s, ww_run_output_fn *function, void *context)
{
    if (!s)
        return;
    s->on_output = function;
    s->output_context = context;
}

/* ---- while it runs ---- */

static int report_progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                           uint64_t groups)
{
    ww_simulation *s = context;
    s->progress.warp_instructions = counters->warp_instructions;
    s->progress.groups_done = groups_done;
    s->progress.groups = groups;
    return s->on_progress ? s->on_progress(s->progress_context, &s->progress) : 0;
}

static void report_next_launch(void *context, size_t number, size_t count)
{
    ww_simulation *s = context;
    s->progress.launch = number;
    s->progress.launches = count;
}

static void report_pass(void *context, bool first)
{
    ww_simulation *s = context;
    s->progress = (ww_run_progress){.first_pass = first};
}

static uint64_t number_of(const json_t *kernel, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(kernel, name));
}

static int report_launched(void *context, const json_t *kernel)
{
    ww_simulation *s = context;
    ww_run_launch launch = {.kernel = json_string_value(json_object_get(kernel, "entry")),
                            .launch = s->progress.launch,
                            .launches = s->progress.launches,
                            .cycles = number_of(kernel, "cycles"),
                            .warp_instructions = number_of(kernel, "warp_instructions"),
                            .thread_instructions = number_of(kernel, "thread_instructions")};
    return s->on_launch ? s->on_launch(s->launch_context, &launch) : 0;
}

static ssize_t report_output(void *context, const char *text, size_t bytes)
{
    ww_simulation *s = context;
    s->on_output(s->output_context, text, bytes);
    return (ssize_t)bytes;
}

/* A stream to the caller's function, line by line; NULL: there is no function. */
static FILE *open_output(ww_simulation *s)
{
    if (!s->on_output)
        return NULL;
    FILE *output = fopencookie(s, "w", (cookie_io_functions_t){.write = report_output});
    if (!output)
        ww_out_of_memory(sizeof(FILE));
    setvbuf(output, NULL, _IOLBF, 0);
    return output;
}

/* ---- runs ---- */

static int check_inputs(const ww_simulation *s, bool timed, ww_errors *errors)
{
    if (s->seed > INT64_MAX)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "the seed is above 9223372036854775807, which a result cannot show");
    if (timed && !s->machine_chosen)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "a timed run needs a machine (ww_simulation_machine, for instance with "
                       "\"" WW_DEFAULT_TIMED_MACHINE "\")");
    int status = ww_config_check(s->config, errors);
    if (status == WW_OK && timed && s->traced)
        status = ww_trace_selector_check(&s->trace, s->config, errors);
    return status;
}

static ww_execution execution_of(ww_simulation *s, bool timed)
{
    ww_execution what = {.config = s->config,
                         .machine = s->machine.name,
                         .seed = s->seed,
                         .max_instructions = s->limit,
                         .verify = !s->no_verify,
                         .dump_folder = s->dump_folder,
                         .no_dump = s->no_dump,
                         .timed = timed,
                         .progress = report_progress,
                         .launch = report_next_launch,
                         .launched = report_launched,
                         .pass = report_pass,
                         .context = s};
    if (timed) {
        what.watch = (ww_run_observer_options){.trace = s->traced ? &s->trace : NULL,
                                               .trace_file = s->trace_file,
                                               .timeline = s->timeline};
        what.region = s->region;
        what.hints = s->hints;
    }
    return what;
}

static void forget_result(ww_simulation *s)
{
    free(s->result);
    s->result = NULL;
    json_decref(s->values);
    s->values = NULL;
}

static int execute(ww_simulation *s, const char *workload, const char *size, bool timed)
{
    ww_errors *errors = ww_errors_create();
    ww_result result = {0};
    ww_execution what = execution_of(s, timed);
    what.workload = workload;
    what.size = size;
    s->progress = (ww_run_progress){0};
    forget_result(s);
    int status = check_inputs(s, timed, errors);
    if (status == WW_OK) {
        what.output = open_output(s);
        status = ww_execute(&what, &result, errors);
        if (what.output)
            fclose(what.output);
    }
    if (result.kernels) {
        s->result = ww_result_json(&result);
        s->values = ww_result_object(&result);
        status = result.interrupted ? WW_FAILED : status;
        ww_result_clear(&result);
    }
    return ww_library_end_call(s, status, errors);
}

static int run_workload(ww_simulation *s, const char *workload, const char *size, bool timed)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!workload)
        return ww_library_refuse(s, "the workload is NULL (a name or a launch file is needed)");
    return execute(s, workload, size, timed);
}

int ww_simulation_exec(ww_simulation *s, const char *workload, const char *size)
{
    return run_workload(s, workload, size, false);
}

int ww_simulation_run(ww_simulation *s, const char *workload, const char *size)
{
    return run_workload(s, workload, size, true);
}

/* ---- its result ---- */

const char *ww_simulation_result(const ww_simulation *s)
{
    return s ? s->result : NULL;
}

/* The name is of no number of the last run. */
static int refuse_name(ww_simulation *s, const char *name)
{
    ww_errors *errors = ww_errors_create();
    json_t *stats = json_object_get(s->values, "stats");
    size_t count = 0;
    const char *known;
    json_t *value;
    const char **names = ww_calloc(json_object_size(stats) + 1, sizeof(*names));
    json_object_foreach(stats, known, value) names[count++] = known;
    const char *near = ww_nearest(name, names, count);
    ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "the last run has no statistic '%.60s' (%s%s%s)",
            name, near ? "did you mean '" : "warpwalk list stats", near ? near : "",
            near ? "'?" : "");
    free(names);
    return ww_library_end_call(s, WW_BAD_INPUT, errors);
}

int ww_simulation_statistic(ww_simulation *s, const char *name, double *value)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!name || !value)
        return ww_library_refuse(s, "a name and where its value goes are needed, not NULL");
    if (!s->values)
        return ww_library_refuse(s, "there is no statistic yet (nothing ran)");
    const json_t *found = json_object_get(s->values, name);
    if (!json_is_number(found))
        found = json_object_get(json_object_get(s->values, "stats"), name);
    if (!json_is_number(found))
        return refuse_name(s, name);
    *value = json_number_value(found);
    return ww_library_end_call(s, WW_OK, ww_errors_create());
}
