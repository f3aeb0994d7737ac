#include "sim/session.h"

#include "base/json.h"
#include "exec/exec_config.h"
#include "exec/exec_stats.h"
#include "host/functional_device.h"
#include "host/placement.h"
#include "mem/bypass.h"
#include "sim/timed_device.h"

#include <inttypes.h>
#include <sys/resource.h>

ww_exec_counters ww_session_counters(const ww_session *s)
{
    return s->setting.timed ? ww_timed_device_counters(s->device)
                            : ww_functional_device_counters(s->device);
}

uint64_t ww_session_cycles(const ww_session *s)
{
    return s->setting.timed ? ww_timed_device_cycles(s->device) : 0;
}

const json_t *ww_session_launched(ww_session *s, const char *entry, bool timed)
{
    ww_exec_counters now = ww_session_counters(s);
    uint64_t warp = now.warp_instructions - s->warp_instructions;
    uint64_t thread = now.thread_instructions - s->thread_instructions;
    uint64_t cycles = ww_session_cycles(s), taken = cycles - s->cycles;
    if (s->setting.sampler)
        timed = ww_sampler_last(s->setting.sampler, &taken);
    json_t *kernel = json_object();
    json_object_set_new(kernel, "entry", ww_json_text(entry));
    json_object_set_new(kernel, "cycles",
                        s->setting.timed && timed ? json_integer((json_int_t)taken) : json_null());
    json_object_set_new(kernel, "warp_instructions", json_integer((json_int_t)warp));
    json_object_set_new(kernel, "thread_instructions", json_integer((json_int_t)thread));
    json_array_append_new(s->kernels, kernel);
    s->warp_instructions = now.warp_instructions;
    s->thread_instructions = now.thread_instructions;
    s->cycles = cycles;
    return kernel;
}

/* NULL with errors: the host processor does not support the configuration. */
static ww_device *make_device(ww_session *s, ww_errors *errors)
{
    const ww_session_setting *what = &s->setting;
    ww_exec_options options = {.max_instructions = what->max_instructions,
                               .output = what->output,
                               .silent = what->silent,
                               .policies = s->policies,
                               .progress = what->progress,
                               .progress_context = what->context};
    if (ww_exec_configure(what->config, what->seed, &options, errors) != WW_OK)
        return NULL;
    if (what->timed)
        return ww_timed_device_create(what->config, &options, &what->region, &s->placer,
                                      what->observer, what->first_pass);
    return ww_functional_device_create(&options, &s->placer);
}

static const ww_placement *placement_of(const ww_session *s)
{
    return (const ww_placement *)(const void *)ww_config_policy(s->setting.config,
                                                                "memory.placement");
}

static void create_policies(ww_session *s)
{
    s->policies = ww_policies_create();
    s->placement = (ww_policy_start){.config = s->setting.config,
                                     .prefix = "memory",
                                     .seed = s->setting.seed,
                                     .instances = s->policies};
    s->placer.place = placement_of(s)->place;
    s->placer.state = ww_policy_create(&placement_of(s)->policy, &s->placement);
}

int ww_session_begin(ww_session *s, const ww_session_setting *setting, ww_errors *errors)
{
    *s = (ww_session){.setting = *setting};
    create_policies(s);
    s->device = make_device(s, errors);
    if (s->device && setting->sampler)
        ww_timed_device_sample(s->device, setting->sampler);
    s->kernels = json_array();
    return s->device ? WW_OK : WW_BAD_INPUT;
}

void ww_session_end(ww_session *s)
{
    if (s->device)
        ww_device_destroy(s->device);
    ww_policy_destroy(&placement_of(s)->policy, &s->placement, s->placer.state);
    ww_policies_destroy(s->policies);
    json_decref(s->kernels);
}

/* Of this process so far. Linux reports KiB. */
static uint64_t host_peak_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

/* What bypasses the L1 must be a load of a kernel that ran. */
static int check_bypass(const ww_session *s, ww_errors *errors)
{
    const ww_config *config = s->setting.config;
    const ww_policy *policy = ww_config_policy(config, "l1d.bypass");
    const char *key = ((const ww_bypass *)(const void *)policy)->pc_key;
    if (!s->setting.timed || !key ||
        ww_timed_device_has_load(s->device, ww_config_u64(config, key)))
        return WW_OK;
    return ww_fail(errors, WW_BAD_INPUT, ww_config_location(config, key, "l1d.bypass", NULL),
                   "%s is %" PRIu64 ", but no kernel that ran has a load of this number (warpwalk "
                   "inspect shows numbers)",
                   key, ww_config_u64(config, key));
}

int ww_session_fill(const ww_session *s, bool complete, ww_result *result, ww_errors *errors)
{
    const ww_session_setting *what = &s->setting;
    ww_exec_counters counters = ww_session_counters(s);
    result->seed = what->seed;
    result->config = what->config;
    result->complete = complete;
    result->timed = what->timed;
    result->had_first_pass = what->first_pass != NULL;
    result->first_pass_cycles = what->first_pass ? what->first_pass->cycles : 0;
    result->host_seconds =
        what->timed ? ww_timed_device_seconds(s->device) : ww_functional_device_seconds(s->device);
    result->host_peak_bytes = host_peak_bytes();
    result->warp_instructions = counters.warp_instructions;
    result->thread_instructions = counters.thread_instructions;
    result->footprint = ww_memory_footprint(s->device->memory);
    result->kernels = json_incref(s->kernels);
    result->stats =
        what->timed ? ww_timed_device_take_stats(s->device) : ww_stats_create(what->config);
    ww_stats_add(result->stats, &ww_exec_stats, &counters);
    if (!what->timed)
        ww_stats_add_policies(result->stats, s->policies);
    ww_stats_read(result->stats);
    result->reuse = what->timed ? ww_timed_device_reuse(s->device) : NULL;
    result->cycles = ww_session_cycles(s); /* with what was copied back at the end */
    if (what->sampler)
        result->sample = ww_sampler_read(what->sampler);
    if (what->sampler)
        result->cycles = (uint64_t)(result->sample.cycles + 0.5);
    if (what->region.measure) {
        result->region = what->region;
        result->warp_instructions = ww_timed_device_instructions(s->device);
    }
    if (complete && what->region.measure && !result->warp_instructions)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE,
                       "--region: the program ended after %" PRIu64
                       " warp instructions, before there was anything to measure",
                       counters.warp_instructions);
    if (complete && check_bypass(s, errors) != WW_OK)
        return WW_BAD_INPUT;
    /* Requests are in flight at the ends of a region, and weights are rounded: laws hold for whole
     * runs only. */
    bool whole = complete && !what->region.measure && !what->sampler;
    return whole ? ww_stats_check(result->stats, errors) : WW_OK;
}
