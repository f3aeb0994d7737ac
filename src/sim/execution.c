#include "sim/execution.h"

#include "base/json.h"
#include "base/memory.h"
#include "exec/exec_config.h"
#include "exec/exec_stats.h"
#include "host/functional_device.h"
#include "host/launch_file.h"
#include "host/placement.h"
#include "sim/timed_device.h"
#include "workload/catalogue.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* One run: what the callbacks need. */
typedef struct run {
    const ww_execution *what;
    ww_device *device;
    ww_watch *watch;
    json_t *kernels;
    size_t launches;
    uint64_t warp_instructions; /* before the launch that runs */
    uint64_t thread_instructions;
    uint64_t cycles;
    bool stopped;
} run;

static ww_exec_counters counters_of(const run *r)
{
    return r->what->timed ? ww_timed_device_counters(r->device)
                          : ww_functional_device_counters(r->device);
}

static uint64_t cycles_of(const run *r)
{
    return r->what->timed ? ww_timed_device_cycles(r->device) : 0;
}

static int progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all)
{
    run *r = context;
    if (r->what->progress)
        r->stopped = r->what->progress(r->what->context, counters, groups_done, groups_all) != 0;
    return r->stopped;
}

static void announce(const run *r, size_t number)
{
    if (r->what->launch && (number <= r->launches || !r->launches))
        r->what->launch(r->what->context, number, r->launches);
}

static int launched(void *context, size_t index, const char *entry, ww_errors *errors)
{
    run *r = context;
    ww_exec_counters now = counters_of(r);
    uint64_t warp = now.warp_instructions - r->warp_instructions;
    uint64_t thread = now.thread_instructions - r->thread_instructions;
    json_t *kernel = json_object();
    (void)errors;
    json_object_set_new(kernel, "entry", ww_json_text(entry));
    if (r->what->timed)
        json_object_set_new(kernel, "cycles", json_integer((json_int_t)(cycles_of(r) - r->cycles)));
    json_object_set_new(kernel, "warp_instructions", json_integer((json_int_t)warp));
    json_object_set_new(kernel, "thread_instructions", json_integer((json_int_t)thread));
    json_array_append_new(r->kernels, kernel);
    r->warp_instructions = now.warp_instructions;
    r->thread_instructions = now.thread_instructions;
    r->cycles = cycles_of(r);
    announce(r, index + 2);
    return WW_OK;
}

/* NULL with errors when this processor cannot do what the configuration asks for. */
static ww_device *make_device(const ww_execution *what, run *r, ww_errors *errors)
{
    ww_exec_options options = {
        .max_instructions = what->max_instructions, .progress = progress, .progress_context = r};
    const ww_placement *placement =
        (const ww_placement *)(const void *)ww_config_policy(what->config, "memory.placement");
    if (ww_exec_configure(what->config, what->seed, &options, errors) != WW_OK)
        return NULL;
    if (what->timed)
        return ww_timed_device_create(what->config, &options, &what->region, placement->place,
                                      ww_watch_of_gpu(r->watch), errors);
    return ww_functional_device_create(&options, placement->place);
}

/* Of this process so far. Linux counts in KiB. */
static uint64_t host_peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static int fill_result(const run *r, ww_verdict verdict, bool complete, ww_result *result,
                       ww_errors *errors)
{
    ww_exec_counters counters = counters_of(r);
    *result = (ww_result){.machine = r->what->machine,
                          .workload = r->what->workload,
                          .seed = r->what->seed,
                          .config = r->what->config,
                          .verdict = verdict,
                          .unverified = !r->what->verify,
                          .complete = complete,
                          .timed = r->what->timed,
                          .cycles = cycles_of(r),
                          .host_seconds = r->what->timed ? ww_timed_device_seconds(r->device)
                                                         : ww_functional_device_seconds(r->device),
                          .host_peak_bytes = host_peak_bytes(),
                          .warp_instructions = counters.warp_instructions,
                          .thread_instructions = counters.thread_instructions,
                          .footprint = ww_memory_footprint(r->device->memory),
                          .kernels = json_incref(r->kernels)};
    result->stats =
        r->what->timed ? ww_timed_device_take_stats(r->device) : ww_stats_create(r->what->config);
    ww_stats_add(result->stats, &ww_exec_stats, &counters);
    ww_stats_read(result->stats);
    if (r->what->region.measure) {
        result->region = r->what->region;
        result->cycles = cycles_of(r);
        result->warp_instructions = ww_timed_device_instructions(r->device);
    }
    /* A region cuts through requests that are on their way: laws hold for whole runs. */
    bool whole = complete && !r->what->region.measure;
    return whole ? ww_stats_check(result->stats, errors) : WW_OK;
}

/* What the host program makes of the device. */
typedef int run_program(run *r, const void *program, ww_verdict *verdict, ww_errors *errors);

static int run_file(run *r, const void *program, ww_verdict *verdict, ww_errors *errors)
{
    ww_launch_file_options how = {
        .seed = r->what->seed, .verify = r->what->verify, .launched = launched, .context = r};
    return ww_launch_file_run(program, r->device, &how, verdict, errors);
}

typedef struct workload_program {
    const ww_choice *choice;
    const ww_module *module;
} workload_program;

static int run_workload(run *r, const void *program, ww_verdict *verdict, ww_errors *errors)
{
    ww_workload_options how = {
        .seed = r->what->seed, .verify = r->what->verify, .launched = launched, .context = r};
    const workload_program *p = program;
    return ww_workload_run(p->choice, p->module, r->device, &how, verdict, errors);
}

/* Asks once more: a verification cannot be stopped, but a user who tried gets no verdict. */
static int look_again(run *r, ww_verdict *verdict, ww_errors *errors)
{
    ww_exec_counters counters = counters_of(r);
    if (!progress(r, &counters, 0, 0))
        return WW_OK;
    *verdict = WW_NOT_VERIFIED;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted");
}

/* Makes the device, lets the host program drive it, and takes the result. */
static int run_on_device(run *r, run_program *drive, const void *program, ww_result *result,
                         ww_errors *errors)
{
    ww_verdict verdict = WW_NOT_VERIFIED;
    r->kernels = json_array();
    announce(r, 1);
    r->watch = ww_watch_create(&r->what->watch, r->what->config, errors);
    r->device = r->watch ? make_device(r->what, r, errors) : NULL;
    if (!r->device) {
        ww_watch_destroy(r->watch);
        json_decref(r->kernels);
        return WW_BAD_INPUT;
    }
    int status = drive(r, program, &verdict, errors);
    if (r->what->timed && ww_timed_device_is_over(r->device))
        status = WW_OK;
    if (status == WW_OK)
        status = look_again(r, &verdict, errors);
    bool complete = status == WW_OK || verdict == WW_WRONG;
    int law = status == WW_BAD_INPUT ? WW_OK : fill_result(r, verdict, complete, result, errors);
    status = status ? status : law;
    int watched = ww_watch_finish(r->watch, complete, errors);
    status = status ? status : watched;
    result->interrupted = r->stopped;
    ww_device_destroy(r->device);
    ww_watch_destroy(r->watch);
    json_decref(r->kernels);
    return status;
}

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

ww_compiler *ww_compiler_configured(const ww_config *config)
{
    const char *cache = ww_config_text(config, "host.kernel_cache");
    ww_compiler_options how = {
        .clang = unless_empty(ww_config_text(config, "host.clang")),
        .cache = strcmp(cache, "none") == 0 ? "" : unless_empty(cache),
        .log = stderr,
    };
    return ww_compiler_create(&how);
}

static int execute_file(const ww_execution *what, ww_result *result, ww_errors *errors)
{
    ww_compiler *compiler = ww_compiler_configured(what->config);
    ww_launch_file *file = ww_launch_file_load(what->workload, compiler, errors);
    int status = file ? WW_OK : ww_errors_status(errors);
    if (file && what->size)
        status = ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                         "--size is for workloads of the catalogue: a launch file has its own");
    if (status == WW_OK) {
        run r = {.what = what, .launches = ww_launch_file_launches(file)};
        status = run_on_device(&r, run_file, file, result, errors);
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
        run r = {.what = what, .launches = choice.named ? choice.named->launches : 0};
        workload_program program = {&choice, module};
        status = run_on_device(&r, run_workload, &program, result, errors);
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
