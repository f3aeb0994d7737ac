#include "sim/passes.h"

#include "base/json.h"
#include "base/memory.h"
#include "exec/exec_config.h"
#include "exec/exec_stats.h"
#include "host/functional_device.h"
#include "host/placement.h"
#include "sim/timed_device.h"

#include <inttypes.h>
#include <sys/resource.h>

/* One pass: the context of its callbacks. */
typedef struct pass {
    const ww_execution *what;
    const ww_host_program *program;
    const ww_gpu_observer *observer; /* or NULL */
    const ww_first_pass *first_pass; /* made before; NULL: there was none */
    bool recording;                  /* it is a first pass */
    ww_policies *policies;
    ww_policy_start placement; /* of its placement policy */
    ww_placer placer;
    ww_device *device;
    json_t *kernels;
    json_t *hints;              /* about buffers, by name */
    uint64_t warp_instructions; /* before the launch that runs */
    uint64_t thread_instructions;
    uint64_t cycles;
    bool stopped;
} pass;

static ww_exec_counters counters_of(const pass *p)
{
    return p->what->timed ? ww_timed_device_counters(p->device)
                          : ww_functional_device_counters(p->device);
}

static uint64_t cycles_of(const pass *p)
{
    return p->what->timed ? ww_timed_device_cycles(p->device) : 0;
}

static int progress(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all)
{
    pass *p = context;
    if (p->what->progress)
        p->stopped = p->what->progress(p->what->context, counters, groups_done, groups_all) != 0;
    return p->stopped;
}

static void announce(const pass *p, size_t number)
{
    size_t all = p->program->launches;
    if (p->what->launch && (number <= all || !all))
        p->what->launch(p->what->context, number, all);
}

static int launched(void *context, size_t index, const char *entry, ww_errors *errors)
{
    pass *p = context;
    ww_exec_counters now = counters_of(p);
    uint64_t warp = now.warp_instructions - p->warp_instructions;
    uint64_t thread = now.thread_instructions - p->thread_instructions;
    json_t *kernel = json_object();
    (void)errors;
    json_object_set_new(kernel, "entry", ww_json_text(entry));
    if (p->what->timed)
        json_object_set_new(kernel, "cycles", json_integer((json_int_t)(cycles_of(p) - p->cycles)));
    json_object_set_new(kernel, "warp_instructions", json_integer((json_int_t)warp));
    json_object_set_new(kernel, "thread_instructions", json_integer((json_int_t)thread));
    json_array_append_new(p->kernels, kernel);
    p->warp_instructions = now.warp_instructions;
    p->thread_instructions = now.thread_instructions;
    p->cycles = cycles_of(p);
    announce(p, index + 2);
    return WW_OK;
}

/* NULL with errors: the host processor does not support the configuration. */
static ww_device *make_device(pass *p, ww_errors *errors)
{
    const ww_execution *what = p->what;
    ww_exec_options options = {.max_instructions = what->max_instructions,
                               .silent = p->recording,
                               .policies = p->policies,
                               .progress = progress,
                               .progress_context = p};
    if (ww_exec_configure(what->config, what->seed, &options, errors) != WW_OK)
        return NULL;
    if (what->timed)
        return ww_timed_device_create(what->config, &options, &what->region, &p->placer,
                                      p->observer, p->first_pass);
    return ww_functional_device_create(&options, &p->placer);
}

static const ww_placement *placement_of(const pass *p)
{
    return (const ww_placement *)(const void *)ww_config_policy(p->what->config,
                                                                "memory.placement");
}

static void create_policies(pass *p)
{
    p->policies = ww_policies_create();
    p->placement = (ww_policy_start){.config = p->what->config,
                                     .prefix = "memory",
                                     .seed = p->what->seed,
                                     .instances = p->policies};
    p->placer.place = placement_of(p)->place;
    p->placer.state = ww_policy_create(&placement_of(p)->policy, &p->placement);
}

/* Makes the device; WW_BAD_INPUT with errors. */
static int begin(pass *p, ww_errors *errors)
{
    if (p->what->pass)
        p->what->pass(p->what->context, p->recording);
    announce(p, 1);
    create_policies(p);
    p->device = make_device(p, errors);
    p->kernels = json_array();
    p->hints = json_object();
    return p->device ? WW_OK : WW_BAD_INPUT;
}

static void end(pass *p)
{
    if (p->device)
        ww_device_destroy(p->device);
    ww_policy_destroy(&placement_of(p)->policy, &p->placement, p->placer.state);
    ww_policies_destroy(p->policies);
    json_decref(p->kernels);
    json_decref(p->hints);
}

/* Lets the host program drive the device. */
static int drive(pass *p, ww_verdict *verdict, ww_errors *errors)
{
    ww_host_program_options how = {.seed = p->what->seed,
                                   .verify = p->what->verify,
                                   .leave_no_files = p->recording,
                                   .hints = p->what->hints,
                                   .hints_given = p->hints,
                                   .launched = launched,
                                   .context = p};
    int status = ww_host_program_run(p->program, p->device, &how, verdict, errors);
    return p->what->timed && ww_timed_device_is_over(p->device) ? WW_OK : status;
}

/* ---- the first pass ---- */

/* The limit ends the first pass without an error; the second pass reports it. */
static ww_execution recording_execution(const ww_execution *what, const ww_config *config)
{
    ww_execution first = *what;
    first.config = config;
    first.verify = false;
    first.watch = (ww_run_observer_options){0};
    if (what->max_instructions && !what->region.measure) {
        first.region.measure = what->max_instructions;
        first.max_instructions = 0;
    }
    return first;
}

/* `records`: what the policies of the pass that counts need; those of this pass need nothing. */
static int record(const ww_execution *what, unsigned records, const ww_host_program *program,
                  ww_first_pass **made, bool *stopped, ww_errors *errors)
{
    ww_verdict none = WW_NOT_VERIFIED;
    ww_recorder *recorder = ww_recorder_create(records);
    pass p = {.what = what,
              .program = program,
              .observer = ww_recorder_observer(recorder),
              .recording = true};
    int status = begin(&p, errors);
    if (status == WW_OK)
        status = drive(&p, &none, errors);
    if (status == WW_OK)
        *made = ww_recorder_take(recorder, cycles_of(&p));
    else if (status == WW_FAILED && !p.stopped)
        ww_fail(errors, WW_FAILED, WW_NOWHERE,
                "that was in the first pass, which a policy of this configuration needs");
    *stopped = p.stopped;
    end(&p);
    ww_recorder_destroy(recorder);
    return status;
}

#define FORMAT 1 /* of what is recorded: older passes in the cache are not found */

/* From the cache, or by a run; *made stays NULL when no policy needs one. */
static int make_first_pass(const ww_execution *what, const ww_host_program *program,
                           ww_first_pass **made, bool *stopped, ww_errors *errors)
{
    unsigned records = what->timed ? ww_first_pass_records(what->config) : 0;
    if (!records)
        return WW_OK;
    ww_config *config = ww_first_pass_config(what->config);
    ww_execution first = recording_execution(what, config);
    ww_hash128 identity = {{records, FORMAT}};
    int status = WW_OK;
    ww_execution_identify(&first, &identity);
    ww_host_program_identify(program, &identity);
    *made = ww_first_pass_load(config, identity);
    if (!*made) {
        status = record(&first, records, program, made, stopped, errors);
        if (status == WW_OK)
            ww_first_pass_save(config, identity, *made);
    }
    ww_config_destroy(config);
    return status;
}

/* ---- the pass that counts ---- */

/* Of this process so far. Linux reports KiB. */
static uint64_t host_peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static int fill_result(const pass *p, ww_verdict verdict, bool complete, ww_result *result,
                       ww_errors *errors)
{
    const ww_execution *what = p->what;
    ww_exec_counters counters = counters_of(p);
    *result = (ww_result){.machine = what->machine,
                          .workload = what->workload,
                          .seed = what->seed,
                          .config = what->config,
                          .verdict = verdict,
                          .unverified = !what->verify,
                          .complete = complete,
                          .timed = what->timed,
                          .had_first_pass = p->first_pass != NULL,
                          .first_pass_cycles = p->first_pass ? p->first_pass->cycles : 0,
                          .host_seconds = what->timed ? ww_timed_device_seconds(p->device)
                                                      : ww_functional_device_seconds(p->device),
                          .host_peak_bytes = host_peak_bytes(),
                          .warp_instructions = counters.warp_instructions,
                          .thread_instructions = counters.thread_instructions,
                          .footprint = ww_memory_footprint(p->device->memory),
                          .kernels = json_incref(p->kernels),
                          .hints = json_object_size(p->hints) ? json_incref(p->hints) : NULL};
    result->stats =
        what->timed ? ww_timed_device_take_stats(p->device) : ww_stats_create(what->config);
    ww_stats_add(result->stats, &ww_exec_stats, &counters);
    if (!what->timed)
        ww_stats_add_policies(result->stats, p->policies);
    ww_stats_read(result->stats);
    result->reuse = what->timed ? ww_timed_device_reuse(p->device) : NULL;
    result->cycles = cycles_of(p); /* with what was copied back at the end */
    if (what->region.measure) {
        result->region = what->region;
        result->warp_instructions = ww_timed_device_instructions(p->device);
    }
    if (complete && what->region.measure && !result->warp_instructions)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                       "--region: the program ended after %" PRIu64
                       " warp instructions, before there was anything to measure",
                       counters.warp_instructions);
    /* Requests are in flight at the ends of a region: laws hold for whole runs only. */
    bool whole = complete && !what->region.measure;
    return whole ? ww_stats_check(result->stats, errors) : WW_OK;
}

/* A verification cannot be stopped: after an interrupt during it there is no verdict. */
static int check_interrupt(pass *p, ww_verdict *verdict, ww_errors *errors)
{
    ww_exec_counters counters = counters_of(p);
    if (!progress(p, &counters, 0, 0))
        return WW_OK;
    *verdict = WW_NOT_VERIFIED;
    return ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted");
}

/* `status`: of the first pass. After a failure nothing runs, and the result's counters are 0. */
static int run_and_take_result(pass *p, int status, ww_run_observer *observer, ww_result *result,
                               ww_errors *errors)
{
    ww_verdict verdict = WW_NOT_VERIFIED;
    if (status == WW_OK)
        status = drive(p, &verdict, errors);
    if (status == WW_OK)
        status = check_interrupt(p, &verdict, errors);
    bool complete = status == WW_OK || verdict == WW_WRONG;
    int law = status == WW_BAD_INPUT ? WW_OK : fill_result(p, verdict, complete, result, errors);
    status = status ? status : law;
    result->series = result->kernels ? ww_run_observer_series(observer) : NULL;
    int finished = ww_run_observer_finish(observer, complete, errors);
    result->interrupted = p->stopped;
    return status ? status : finished;
}

int ww_run_passes(const ww_execution *what, const ww_host_program *program, ww_result *result,
                  ww_errors *errors)
{
    ww_first_pass *first = NULL;
    pass p = {.what = what, .program = program};
    ww_run_observer *observer = ww_run_observer_create(&what->watch, what->config, errors);
    if (!observer)
        return WW_BAD_INPUT;
    int status = make_first_pass(what, program, &first, &p.stopped, errors);
    if (status != WW_BAD_INPUT) {
        p.observer = ww_run_observer_of_gpu(observer);
        p.first_pass = first;
        int made = begin(&p, errors);
        status = made ? made : run_and_take_result(&p, status, observer, result, errors);
        end(&p);
    }
    ww_run_observer_destroy(observer);
    ww_first_pass_destroy(first);
    return status;
}
