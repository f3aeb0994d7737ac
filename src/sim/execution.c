#include "sim/execution.h"

#include "base/json.h"
#include "exec/exec_config.h"
#include "exec/exec_stats.h"
#include "host/functional_device.h"
#include "host/placement.h"

#include <string.h>

/* One run: what the callbacks need. */
typedef struct run {
    const ww_execution *what;
    ww_device *device;
    json_t *kernels;
    size_t launches;
    uint64_t warp_instructions; /* before the launch that runs */
    uint64_t thread_instructions;
    bool stopped;
} run;

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
    if (r->what->launch && number <= r->launches)
        r->what->launch(r->what->context, number, r->launches);
}

static int launched(void *context, size_t index, const char *entry, ww_errors *errors)
{
    run *r = context;
    ww_exec_counters now = ww_functional_device_counters(r->device);
    uint64_t warp = now.warp_instructions - r->warp_instructions;
    uint64_t thread = now.thread_instructions - r->thread_instructions;
    json_t *kernel = json_object();
    (void)errors;
    json_object_set_new(kernel, "entry", ww_json_text(entry));
    json_object_set_new(kernel, "warp_instructions", json_integer((json_int_t)warp));
    json_object_set_new(kernel, "thread_instructions", json_integer((json_int_t)thread));
    json_array_append_new(r->kernels, kernel);
    r->warp_instructions = now.warp_instructions;
    r->thread_instructions = now.thread_instructions;
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
    return ww_functional_device_create(&options, placement->place);
}

static int fill_result(const run *r, ww_verdict verdict, bool complete, ww_result *result,
                       ww_errors *errors)
{
    ww_exec_counters counters = ww_functional_device_counters(r->device);
    *result = (ww_result){.machine = r->what->machine,
                          .workload = r->what->path,
                          .seed = r->what->seed,
                          .config = r->what->config,
                          .verdict = verdict,
                          .complete = complete,
                          .host_seconds = ww_functional_device_seconds(r->device),
                          .warp_instructions = counters.warp_instructions,
                          .thread_instructions = counters.thread_instructions,
                          .kernels = json_incref(r->kernels),
                          .stats = ww_stats_create(r->what->config)};
    ww_stats_add(result->stats, &ww_exec_stats, &counters);
    ww_stats_read(result->stats);
    return complete ? ww_stats_check(result->stats, errors) : WW_OK;
}

static int run_file(const ww_execution *what, const ww_launch_file *file, ww_result *result,
                    ww_errors *errors)
{
    run r = {.what = what, .kernels = json_array(), .launches = ww_launch_file_launches(file)};
    ww_verdict verdict = WW_NOT_VERIFIED;
    ww_launch_file_options how = {
        .seed = what->seed, .verify = what->verify, .launched = launched, .context = &r};
    announce(&r, 1);
    r.device = make_device(what, &r, errors);
    if (!r.device) {
        json_decref(r.kernels);
        return WW_BAD_INPUT;
    }
    int status = ww_launch_file_run(file, r.device, &how, &verdict, errors);
    bool complete = status == WW_OK || verdict == WW_WRONG;
    int law = status == WW_BAD_INPUT ? WW_OK : fill_result(&r, verdict, complete, result, errors);
    status = status ? status : law;
    result->interrupted = r.stopped;
    ww_device_destroy(r.device);
    json_decref(r.kernels);
    return status;
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

int ww_execute(const ww_execution *what, ww_result *result, ww_errors *errors)
{
    *result = (ww_result){0};
    ww_compiler *compiler = ww_compiler_configured(what->config);
    ww_launch_file *file = ww_launch_file_load(what->path, compiler, errors);
    int status = file ? run_file(what, file, result, errors) : ww_errors_status(errors);
    ww_launch_file_destroy(file);
    ww_compiler_destroy(compiler);
    return status;
}
