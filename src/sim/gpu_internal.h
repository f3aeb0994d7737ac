/* A GPU's internals: gpu_build.c creates it, gpu.c runs it. */
#ifndef WW_SIM_GPU_INTERNAL_H
#define WW_SIM_GPU_INTERNAL_H

#include "core/checked_mode.h"
#include "core/dispatch.h"
#include "mem/cache.h"
#include "mem/crossbar.h"
#include "mem/dram.h"
#include "sim/gpu.h"
#include "vm/driver.h"
#include "vm/mmu.h"
#include "vm/tlb.h"

/* Addresses of code and private memory: above all buffers. */
#define WW_CODE_ADDRESS WW_MEMORY_END
#define WW_CODE_STRIDE 0x1000000ull /* from one kernel to the next */
#define WW_PRIVATE_ADDRESS 0x640000000000ull
#define WW_PROGRAM_ASID 0u /* of the one program that runs */

/* Virtual memory. Ideal translation has the driver alone. */
typedef struct ww_gpu_vm {
    ww_driver *driver;
    bool ideal;
    ww_tlb **l1, **l1s; /* one of each compute unit, and of each scalar cache */
    ww_tlb *l2;
    ww_tlb *iommu[2]; /* NULL: there is none */
    ww_mmu *mmu;
    ww_port **lists[4];           /* of ports, for the wiring of TLBs and walkers */
    uint64_t memory_instructions; /* so far */
    uint64_t buffers_added;       /* to the address space: those up to this number */
    uint64_t private_end;         /* likewise private memory */
    ww_errors *errors;            /* of the launch that runs */
} ww_gpu_vm;

/* Detects loops without progress (exec/warp.h). */
typedef struct ww_gpu_progress {
    uint64_t done; /* groups, at the last check */
    ww_tick until; /* the end of the watch, or of the pause before it */
    ww_tick pause;
} ww_gpu_progress;

struct ww_gpu {
    const ww_config *config;
    ww_policy_start policy_start; /* without prefix and geometry */
    uint64_t base_hertz;
    ww_clock clock; /* of the compute units */
    ww_engine *engine;
    ww_request_pool *pool;
    ww_cu_config core_config;
    /* Most requests in flight to one port, in the network and from the DRAM, for queue sizes. */
    uint32_t flight, dram_flight;
    unsigned cu_count, slice_count, l1i_count, l1s_count;
    unsigned slice_ports; /* of each slice, into the network */
    ww_cu **cus;
    unsigned *begun; /* compute units that the launch uses so far */
    unsigned begun_count;
    uint64_t *l1s_launch; /* by scalar cache: the launch that it was last used in */
    ww_cache **l1d, **l1i, **l1s, **l2;
    ww_dram **dram;
    ww_port *channels;    /* into the DRAM */
    ww_port **replies[4]; /* lists of ports, for caches: data, instruction, scalar, L2 */
    ww_dram_map map;      /* from addresses to slices */
    ww_crossbar *down, *up;
    ww_dispatcher *dispatcher;
    ww_checker *check; /* NULL: not checked */
    ww_gpu_vm vm;
    uint64_t instructions;    /* issued by all compute units */
    ww_cu_counters of_all;    /* of all compute units together: cycles and blame */
    ww_cu_counters blamed_to; /* what they had recorded when blame was last computed */
    ww_cu_launch launch;
    ww_gpu_observer observer;
    const ww_first_pass *first_pass; /* NULL: there was none */
    uint64_t launches;
    ww_gpu_progress progress;
    ww_tick sample_at; /* WW_NEVER: no observer samples */
    ww_tick start;     /* of the launch, or of its cycles that are not counted yet */
    bool running;
    int status;
};

/* For the policies of a component whose keys have this prefix. */
static inline ww_policy_start ww_gpu_policy_start(const ww_gpu *gpu, const char *prefix)
{
    ww_policy_start start = gpu->policy_start;
    start.prefix = prefix;
    return start;
}

/* gpu_vm.c */
unsigned ww_gpu_walk_ports(const ww_gpu *gpu);     /* of the network, for walkers */
void ww_gpu_vm_create(ww_gpu *gpu, uint64_t seed); /* before the network */
void ww_gpu_vm_connect(ww_gpu *gpu);               /* when all components exist */
void ww_gpu_vm_destroy(ww_gpu *gpu);
/* Sets the wiring of a compute unit to its TLBs. */
void ww_gpu_vm_link(ww_gpu *gpu, unsigned cu, ww_cu_wiring *wiring);
/* Maps buffers, code and private memory of the launch. */
int ww_gpu_vm_begin(ww_gpu *gpu, ww_errors *errors);
uint64_t ww_gpu_code_bytes(const ww_gpu *gpu); /* of the launch that runs */
uint64_t ww_gpu_private_bytes(const ww_gpu *gpu);
void ww_gpu_vm_add_stats(ww_gpu *gpu, ww_stats *stats);
void ww_gpu_vm_collect_stats(ww_gpu *gpu);

/* gpu_progress.c: a launch starts; between time slices, fails when warps only loop. */
void ww_gpu_progress_start(ww_gpu *gpu);
int ww_gpu_progress_check(ww_gpu *gpu);

/* gpu_out_of_memory.c: reports that the program does not fit into vm.memory, and stops it. */
int ww_gpu_out_of_memory(ww_gpu *gpu);
/* Reports that its private memory alone does not. */
int ww_gpu_too_much_private(ww_gpu *gpu);

#endif
