/* A GPU: every part of the timing model, built from a configuration and wired together.
 *
 *     compute units ─ L1 data ───────┐
 *         │  └─ L1 scalar (shared) ──┼─ crossbar ─ L2 slice ─ DRAM channel, one for each
 *         └──── L1 instruction (sh.) ┘
 *
 * This is the only place that knows all parts. Physical addresses are virtual ones (`translation: ideal`). */
#ifndef WW_SIM_GPU_H
#define WW_SIM_GPU_H

#include "core/core.h"
#include "stats/stats.h"

typedef struct ww_gpu ww_gpu;

typedef struct ww_gpu_launch {
    ww_executor *executor;
    const ww_timed_code *code;
    const ww_launch *launch;
    uint64_t max_instructions; /* of the whole program; 0: no limit */
    /* Called now and then; a nonzero result stops the run. May be NULL. */
    int (*progress)(void *context, uint64_t groups_done, uint64_t groups_all);
    void *context;
} ww_gpu_launch;

/* NULL with errors when the configuration makes no machine. It outlives the GPU. */
ww_gpu *ww_gpu_create(const ww_config *config, uint64_t seed, ww_errors *errors);
void ww_gpu_destroy(ww_gpu *gpu);

bool ww_gpu_has_scalar_unit(const ww_gpu *gpu);

/* Runs a launch to its end. After a failure the GPU can only be destroyed. */
int ww_gpu_run(ww_gpu *gpu, const ww_gpu_launch *launch, ww_errors *errors);

uint64_t ww_gpu_cycles(const ww_gpu *gpu); /* of the core clock, in launches so far */
uint64_t ww_gpu_instructions(const ww_gpu *gpu);
/* Adds every component's counters, as they are now. */
void ww_gpu_add_stats(ww_gpu *gpu, ww_stats *stats);

#endif
