/* A GPU's internals: gpu.c runs launches, gpu_vm.c maps what they use, gpu_progress.c detects loops
 * without progress. */
#ifndef WW_SIM_GPU_INTERNAL_H
#define WW_SIM_GPU_INTERNAL_H

#include "sim/gpu.h"
#include "sim/machine.h"
#include "sim/reuse_rows.h"

/* Addresses of code, arguments and private memory: above all buffers. */
#define WW_CODE_ADDRESS WW_MEMORY_END
#define WW_CODE_STRIDE 0x1000000ull /* from one kernel to the next */
#define WW_ARGUMENT_ADDRESS 0x630000000000ull
#define WW_PRIVATE_ADDRESS 0x640000000000ull

/* What is mapped so far. */
typedef struct ww_gpu_vm {
    uint64_t buffers_added; /* to the address space: those up to this number */
    uint64_t private_end;   /* likewise private memory */
    uint64_t argument_end;  /* of the arguments of launches so far, where they are in memory */
    ww_errors *errors;      /* of the launch that runs */
} ww_gpu_vm;

/* Detects loops without progress (exec/warp.h). */
typedef struct ww_gpu_progress {
    uint64_t done; /* groups, at the last check */
    ww_tick until; /* the end of the watch, or of the pause before it */
    ww_tick pause;
    uint64_t issued, pages_in; /* warp instructions and pages, when the last instruction was seen */
} ww_gpu_progress;

struct ww_gpu {
    ww_machine *machine;
    unsigned *begun; /* compute units that the launch uses so far */
    unsigned begun_count;
    ww_gpu_vm vm;
    ww_cu_launch launch;
    ww_gpu_observer observer;
    const ww_first_pass *first_pass; /* NULL: there was none */
    uint64_t launches;
    ww_reuse_kernels kernels; /* whose reuse distances are measured */
    ww_gpu_progress progress;
    ww_tick sample_at; /* WW_NEVER: no observer samples */
    bool samples_last; /* the end of the last launch is not sampled yet */
    ww_tick start;     /* of the launch, or of its cycles that are not counted yet */
    bool running;
    struct ww_warmer *warmer; /* made at its first use */
    bool paging_runs;         /* the driver's time passes */
    int status;
};

/* gpu.c: runs up to tick `end`, and takes the samples on the way. False: no event is left. */
bool ww_gpu_run_until(ww_gpu *gpu, ww_tick end);
/* At the end of a launch, or of copies after the last one. */
void ww_gpu_sample_last(ww_gpu *gpu);

/* gpu.c: a launch is about to run: prepares `launch` and what it uses. */
int ww_gpu_begin(ww_gpu *gpu, const ww_gpu_launch *what, ww_errors *errors);
/* gpu_warm.c */
void ww_warmer_destroy(struct ww_warmer *warmer);

/* gpu_vm.c: maps buffers, code, arguments and private memory of the launch. */
int ww_gpu_vm_begin(ww_gpu *gpu, ww_errors *errors);
uint64_t ww_gpu_code_bytes(const ww_gpu *gpu); /* of the launch that runs */
uint64_t ww_gpu_private_bytes(const ww_gpu *gpu);

/* gpu_paging.c: a launch begins, after buffers are copied if they are; returns when its groups can
 * start. */
ww_tick ww_gpu_paging_begin(ww_gpu *gpu);
/* Ticks to run before ww_gpu_paging_end, `most` at most: few, when the launch is about to end. */
uint64_t ww_gpu_paging_slice(const ww_gpu *gpu, uint64_t groups, uint64_t most);
/* If all groups have ended, with all that they had in flight, the driver's time stands still. */
void ww_gpu_paging_end(ww_gpu *gpu, uint64_t groups);
bool ww_gpu_paging_is_stuck(const ww_gpu *gpu);
/* Between time slices: fails when pages come and leave, and no instruction issues. */
int ww_gpu_paging_check(ww_gpu *gpu);

/* gpu_progress.c: a launch starts; between time slices, fails when warps only loop. */
void ww_gpu_progress_start(ww_gpu *gpu);
int ww_gpu_progress_check(ww_gpu *gpu);

/* gpu_out_of_memory.c: reports that the program does not fit into vm.memory, and stops it. */
int ww_gpu_out_of_memory(ww_gpu *gpu);
/* Reports that an instruction needs more pages at a time than paging.resident_fraction leaves. */
int ww_gpu_too_few_pages(ww_gpu *gpu);
/* Reports that so many pages came without an instruction. */
int ww_gpu_no_page_stays(ww_gpu *gpu, uint64_t came);
/* Reports that its private memory alone does not. */
int ww_gpu_too_much_private(ww_gpu *gpu);

#endif
