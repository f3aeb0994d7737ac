/* The library's interface (include/warpwalk.h). */
#include "warpwalk.h"

#include "base/memory.h"
#include "config/machine.h"
#include "sim/components.h"
#include "sim/execution.h"

#define DEFAULT_SEED 1

struct ww_simulation {
    ww_config *config;
    ww_machine_file machine;
    bool machine_chosen;
    WW_VEC(char *) settings; /* KEY=VALUE, in order */
    uint64_t seed;
    uint64_t limit;
    bool no_verify;
    bool no_dump;
    char *dump_folder;
    ww_region region;
    ww_hint_list *hints;
    char *timeline;
    bool traced;
    ww_trace_selector trace;
    char *trace_file;
    ww_run_progress_fn *on_progress;
    void *progress_context;
    ww_run_progress progress;
    char *result;
    char *errors;
};

ww_simulation *ww_simulation_create(void)
{
    ww_simulation *s = ww_calloc(1, sizeof(*s));
    s->seed = DEFAULT_SEED;
    s->hints = ww_hint_list_create();
    s->errors = ww_strdup("");
    ww_simulation_machine(s, WW_DEFAULT_MACHINE);
    s->machine_chosen = false;
    return s;
}

void ww_simulation_destroy(ww_simulation *s)
{
    if (!s)
        return;
    ww_machine_clear(&s->machine);
    ww_config_destroy(s->config);
    for (size_t i = 0; i < s->settings.count; i++)
        free(s->settings.items[i]);
    ww_vec_free(&s->settings);
    ww_hint_list_destroy(s->hints);
    free(s->dump_folder);
    free(s->timeline);
    free(s->trace_file);
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

/* Nothing of the machine before remains, but the keys that were set do. One that cannot be loaded
 * changes nothing. */
static int load_machine(ww_simulation *s, const char *name, ww_errors *errors)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_machine_file machine;
    for (size_t i = 0; i < s->settings.count; i++)
        ww_config_set(config, s->settings.items[i], errors);
    int status = ww_machine_load(config, name, WW_NOWHERE, &machine, errors);
    if (status != WW_OK) {
        ww_machine_clear(&machine);
        ww_config_destroy(config);
        return status;
    }
    ww_machine_clear(&s->machine);
    ww_config_destroy(s->config);
    s->machine = machine;
    s->config = config;
    return WW_OK;
}

int ww_simulation_machine(ww_simulation *s, const char *machine)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!machine)
        return refuse(s, "the machine is NULL (a preset's name or a file is needed)");
    ww_errors *errors = ww_errors_create();
    int status = load_machine(s, machine, errors);
    s->machine_chosen |= status == WW_OK;
    return end_call(s, status, errors);
}

int ww_simulation_set(ww_simulation *s, const char *assignment)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!assignment)
        return refuse(s, "the assignment is NULL (KEY=VALUE is needed)");
    ww_errors *errors = ww_errors_create();
    int status = ww_config_set(s->config, assignment, errors);
    if (status == WW_OK)
        ww_vec_push(&s->settings, ww_strdup(assignment));
    return end_call(s, status, errors);
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

void ww_simulation_verify(ww_simulation *s, int verify)
{
    if (s)
        s->no_verify = !verify;
}

static void keep_text(char **kept, const char *text)
{
    free(*kept);
    *kept = text ? ww_strdup(text) : NULL;
}

int ww_simulation_dump_dir(ww_simulation *s, const char *folder)
{
    if (!s)
        return WW_BAD_INPUT;
    s->no_dump = folder && !folder[0];
    keep_text(&s->dump_folder, s->no_dump ? NULL : folder);
    return end_call(s, WW_OK, ww_errors_create());
}

int ww_simulation_region(ww_simulation *s, const char *region)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    ww_region read = {0};
    int status = region ? ww_region_read(region, &read, errors) : WW_OK;
    if (status == WW_OK)
        s->region = read;
    return end_call(s, status, errors);
}

int ww_simulation_hint(ww_simulation *s, const char *hints)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    int status = hints ? ww_hint_list_add(s->hints, hints, errors) : WW_OK;
    if (!hints) {
        ww_hint_list_destroy(s->hints);
        s->hints = ww_hint_list_create();
    }
    return end_call(s, status, errors);
}

int ww_simulation_timeline(ww_simulation *s, const char *file)
{
    if (!s)
        return WW_BAD_INPUT;
    keep_text(&s->timeline, file);
    return end_call(s, WW_OK, ww_errors_create());
}

int ww_simulation_trace(ww_simulation *s, const char *warp, const char *file)
{
    if (!s)
        return WW_BAD_INPUT;
    ww_errors *errors = ww_errors_create();
    int status = warp ? ww_trace_selector_read(warp, &s->trace, errors) : WW_OK;
    s->traced = warp && status == WW_OK;
    keep_text(&s->trace_file, s->traced ? file : NULL);
    return end_call(s, status, errors);
}

void ww_simulation_on_progress(ww_simulation *s, ww_run_progress_fn *function, void *context)
{
    if (!s)
        return;
    s->on_progress = function;
    s->progress_context = context;
}

/* ---- runs ---- */

static int report_progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                           uint64_t groups)
{
    ww_simulation *s = context;
    s->progress.warp_instructions = counters->warp_instructions;
    s->progress.groups_done = groups_done;
    s->progress.groups = groups;
    return s->on_progress ? s->on_progress(s->progress_context, &s->progress) : 0;
}

static void report_launch(void *context, size_t number, size_t count)
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

static int execute(ww_simulation *s, const char *workload, const char *size, bool timed)
{
    ww_errors *errors = ww_errors_create();
    ww_result result = {0};
    ww_execution what = {.config = s->config,
                         .machine = s->machine.name,
                         .workload = workload,
                         .size = size,
                         .seed = s->seed,
                         .max_instructions = s->limit,
                         .verify = !s->no_verify,
                         .dump_folder = s->dump_folder,
                         .no_dump = s->no_dump,
                         .timed = timed,
                         .watch = {.trace = s->traced ? &s->trace : NULL,
                                   .trace_file = s->trace_file,
                                   .timeline = s->timeline},
                         .region = s->region,
                         .hints = s->hints,
                         .progress = report_progress,
                         .launch = report_launch,
                         .pass = report_pass,
                         .context = s};
    if (!timed) {
        what.watch = (ww_run_observer_options){0};
        what.region = (ww_region){0};
        what.hints = NULL;
    }
    s->progress = (ww_run_progress){0};
    int status = check_inputs(s, timed, errors);
    if (status == WW_OK)
        status = ww_execute(&what, &result, errors);
    free(s->result);
    s->result = NULL;
    if (result.kernels) {
        s->result = ww_result_json(&result);
        status = result.interrupted ? WW_FAILED : status;
        ww_result_clear(&result);
    }
    return end_call(s, status, errors);
}

static int run_workload(ww_simulation *s, const char *workload, const char *size, bool timed)
{
    if (!s)
        return WW_BAD_INPUT;
    if (!workload)
        return refuse(s, "the workload is NULL (a name or a launch file is needed)");
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
