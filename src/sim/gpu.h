/* A GPU: runs launches on a machine (machine.h). */
#ifndef WW_SIM_GPU_H
#define WW_SIM_GPU_H

#include "core/core.h"
#include "energy/energy.h"
#include "paging/paging.h"
#include "sim/first_pass.h"
#include "stats/stats.h"

typedef struct ww_gpu ww_gpu;

/* The state of the GPU at one cycle; counts are since it was created. */
typedef struct ww_gpu_sample {
    uint64_t cycle;
    unsigned compute_units; /* of the machine */
    bool last;              /* of a launch, or of copies after the last one */
    uint64_t unit_issues[WW_UNIT_COUNT];
    uint64_t requests; /* in flight */
    uint64_t warps;    /* in slots */
    uint64_t walks_waiting, walkers_busy;
    uint64_t cu_walks_waiting, cu_walks; /* on compute units */
    uint64_t dram_bytes;
    ww_energy energy; /* since it was created, as all counts */
    bool paged;       /* `paging` is kept */
    ww_paging_sample paging;
} ww_gpu_sample;

/* Callbacks of an observer. An observer does not change the simulation. */
typedef struct ww_gpu_observer {
    const struct ww_cu_observer *observers; /* core/observer.h; NULL: none */
    /* Before launch `number`, from 1, starts. May be NULL. */
    void (*launched)(void *context, uint64_t number, uint64_t cycle, const ww_cu_launch *launch);
    /* During launches; returns the cycles until the next call, at least 1. May be NULL. */
    uint64_t (*sample)(void *context, const ww_gpu_sample *sample);
    const ww_paging_observer *pages; /* where translation takes time; NULL: none */
    /* A launch has ended or was stopped; `cycle` is the first one after it. May be NULL. */
    void (*stopped)(void *context, uint64_t cycle);
    void *context;
} ww_gpu_observer;

/* Whether a run continues. After WW_GPU_STOP it ends with WW_FAILED and reports no error. */
typedef enum ww_gpu_action { WW_GPU_CONTINUE, WW_GPU_INTERRUPT, WW_GPU_STOP } ww_gpu_action;

#define WW_PROGRESS_TICKS 4

typedef struct ww_gpu_launch {
    ww_executor *executor;
    const ww_timed_code *code;
    const ww_launch *launch;
    uint64_t first_group;      /* earlier ones have run already */
    uint64_t max_instructions; /* of the whole program; 0: no limit */
    /* The GPU's instruction count at which `progress` is to be called, within WW_PROGRESS_TICKS
     * ticks. NULL: at regular intervals only. */
    uint64_t (*progress_at)(void *context);
    /* Called at regular intervals. May be NULL. */
    ww_gpu_action (*progress)(void *context, uint64_t groups_done, uint64_t groups_all);
    void *context;
} ww_gpu_launch;

/* The configuration was checked (ww_config_check). It outlives the GPU, as do the policies, the
 * observer and the record of a first pass, which may be NULL. */
ww_gpu *ww_gpu_create(const ww_config *config, uint64_t seed, ww_policies *policies,
                      const ww_gpu_observer *observer, const ww_first_pass *first_pass);
void ww_gpu_destroy(ww_gpu *gpu);

bool ww_gpu_has_scalar_unit(const ww_gpu *gpu);
/* As of ww_timed_code_create. */
unsigned ww_gpu_argument_block(const ww_gpu *gpu);
bool ww_gpu_end_waits(const ww_gpu *gpu);

/* Runs a launch to its end. After a failure the GPU can only be destroyed. */
int ww_gpu_run(ww_gpu *gpu, const ww_gpu_launch *launch, ww_errors *errors);

/* Runs a launch functionally: caches, TLBs and walk caches are warmed in no time (gpu_warm.c). */
int ww_gpu_warm(ww_gpu *gpu, const ww_gpu_launch *launch, const ww_exec_options *options,
                ww_errors *errors);

/* Between launches: the buffer's frames return, and translations of its pages are invalidated. */
void ww_gpu_release(ww_gpu *gpu, const ww_buffer *buffer);

/* After the last launch: results are copied back to the host, where paging.copy says so. */
void ww_gpu_copy_back(ww_gpu *gpu);

/* Brings all counters up to the present cycle of a launch. */
void ww_gpu_update_stats(ww_gpu *gpu);
/* Likewise; what is not a sum counts from here. */
void ww_gpu_begin_measuring(ww_gpu *gpu);
uint64_t ww_gpu_cycles(const ww_gpu *gpu); /* in launches; up to date after ww_gpu_update_stats */
/* The same cycles in picoseconds, rounded down. */
uint64_t ww_gpu_picoseconds(const ww_gpu *gpu);
uint64_t ww_gpu_instructions(const ww_gpu *gpu);
/* Adds every component's counters. ww_gpu_collect_stats has to be called before they are read. */
void ww_gpu_add_stats(ww_gpu *gpu, ww_stats *stats);
void ww_gpu_collect_stats(ww_gpu *gpu);
/* Reuse distances by instruction (reuse_rows.h); NULL: they are not measured. */
json_t *ww_gpu_reuse_json(const ww_gpu *gpu);

#endif
