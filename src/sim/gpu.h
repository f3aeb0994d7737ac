/* A GPU: every part of the timing model, built from a configuration and wired together.
 *
 *     compute units ─ L1 data ───────┐
 *         │  └─ L1 scalar (shared) ──┼─ crossbar ─ L2 slice ─ DRAM channel, one for each
 *         └──── L1 instruction (sh.) ┘
 *
 * This is the only place that knows all parts. Translation, from the load/store units to the walkers, is beside it
 * (vm/vm.h). */
#ifndef WW_SIM_GPU_H
#define WW_SIM_GPU_H

#include "core/core.h"
#include "sim/first_pass.h"
#include "stats/stats.h"

typedef struct ww_gpu ww_gpu;

/* A look at the whole: counts are since the GPU was made. */
typedef struct ww_gpu_sample {
    uint64_t cycle;
    uint64_t unit_issues[WW_UNIT_COUNT];
    uint64_t requests; /* in flight */
    uint64_t warps;    /* in slots */
    uint64_t walks_waiting, walkers_busy;
    uint64_t dram_bytes;
} ww_gpu_sample;

/* Who looks on. What it is told changes nothing. */
typedef struct ww_gpu_watch {
    const struct ww_core_observer *observers; /* core/observer.h; NULL: none */
    /* Before launch `number`, from 1, starts. May be NULL. */
    void (*launched)(void *context, uint64_t number, uint64_t cycle, const ww_core_launch *launch);
    /* During launches; returns how many cycles later it is to be called again, at least 1. May be NULL. */
    uint64_t (*sample)(void *context, const ww_gpu_sample *sample);
    /* After it has ended or was stopped, at the first cycle after it. May be NULL. */
    void (*stopped)(void *context, uint64_t cycle);
    void *context;
} ww_gpu_watch;

/* Whether a run goes on. After WW_GPU_STOP it ends with WW_FAILED and no line of its own. */
typedef enum ww_gpu_wish { WW_GPU_GO_ON, WW_GPU_INTERRUPT, WW_GPU_STOP } ww_gpu_wish;

#define WW_LOOK_TICKS 4

typedef struct ww_gpu_launch {
    ww_executor *executor;
    const ww_timed_code *code;
    const ww_launch *launch;
    uint64_t first_group;      /* those before it have run already */
    uint64_t max_instructions; /* of the whole program; 0: no limit */
    /* The instructions of the whole GPU so far at which `progress` is to be called, within WW_LOOK_TICKS ticks. NULL: it is
     * called as seldom as is useful. */
    uint64_t (*look_at)(void *context);
    /* Called now and then. May be NULL. */
    ww_gpu_wish (*progress)(void *context, uint64_t groups_done, uint64_t groups_all);
    void *context;
} ww_gpu_launch;

/* The configuration was checked (ww_config_check). It outlives the GPU, as do the watch and what a first pass
 * recorded, which may be NULL. */
ww_gpu *ww_gpu_create(const ww_config *config, uint64_t seed, const ww_gpu_watch *watch,
                      const ww_first_pass *first_pass);
void ww_gpu_destroy(ww_gpu *gpu);

bool ww_gpu_has_scalar_unit(const ww_gpu *gpu);

/* Runs a launch to its end. After a failure the GPU can only be destroyed. */
int ww_gpu_run(ww_gpu *gpu, const ww_gpu_launch *launch, ww_errors *errors);

/* Brings all counters up to now, in the middle of a launch. */
void ww_gpu_settle(ww_gpu *gpu);
uint64_t ww_gpu_cycles(const ww_gpu *gpu); /* of the core clock, in launches so far, when settled */
uint64_t ww_gpu_instructions(const ww_gpu *gpu);
/* Adds every component's counters. Before they are read they have to be refreshed. */
void ww_gpu_add_stats(ww_gpu *gpu, ww_stats *stats);
void ww_gpu_refresh_stats(ww_gpu *gpu);

#endif
