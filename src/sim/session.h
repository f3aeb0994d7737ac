/* A session: a device made from a configuration, with what it needs, and a record of its launches.
 *
 * Whatever drives the device (passes.c: a launch file or a workload; the OpenCL driver: a native
 * program) calls ww_session_launched after each launch, and ww_session_fill at the end. */
#ifndef WW_SIM_SESSION_H
#define WW_SIM_SESSION_H

#include "config/policy.h"
#include "host/device.h"
#include "sim/first_pass.h"
#include "sim/gpu.h"
#include "sim/result.h"
#include "sim/sampler.h"

/* What the caller sets. */
typedef struct ww_session_setting {
    const ww_config *config; /* checked; outlives the session */
    uint64_t seed;
    uint64_t max_instructions; /* 0: no limit */
    bool timed;                /* on the timed device, else on the functional one */
    FILE *output;              /* of kernels; NULL: standard error */
    bool silent;               /* output of kernels is dropped */
    ww_region region;          /* of a timed run; all zero: the whole */
    const ww_gpu_observer *observer;
    const ww_first_pass *first_pass; /* made before; NULL: there was none */
    ww_sampler *sampler;             /* of a timed run without a region; NULL: all is timed */
    /* As in ww_exec_options; may be NULL. */
    int (*progress)(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all);
    void *context;
} ww_session_setting;

typedef struct ww_session {
    ww_session_setting setting;
    ww_device *device;
    json_t *kernels; /* an array, one object for each launch */
    ww_policies *policies;
    ww_policy_start placement; /* of its placement policy */
    ww_placer placer;
    uint64_t warp_instructions; /* before the launch that runs */
    uint64_t thread_instructions;
    uint64_t cycles;
} ww_session;

/* Makes the device. WW_BAD_INPUT with errors: the host processor does not support the
 * configuration. End it in both cases. */
int ww_session_begin(ww_session *session, const ww_session_setting *setting, ww_errors *errors);
void ww_session_end(ww_session *session);

/* A launch has ended: adds it to the kernels, and returns what was added. `timed`: it took time. */
const json_t *ww_session_launched(ww_session *session, const char *entry, bool timed);

ww_exec_counters ww_session_counters(const ww_session *session);
uint64_t ww_session_cycles(const ww_session *session); /* 0 on a functional device */

/* Fills what the device knows of a result: counters, statistics, kernels. The device can only be
 * destroyed afterwards. `complete`: the laws of statistics are checked. */
int ww_session_fill(const ww_session *session, bool complete, ww_result *result, ww_errors *errors);

#endif
