/* The inside of a ww_gpu: gpu_build.c makes it, gpu.c runs it. */
#ifndef WW_SIM_GPU_PARTS_H
#define WW_SIM_GPU_PARTS_H

#include "core/check.h"
#include "core/dispatch.h"
#include "mem/cache.h"
#include "mem/crossbar.h"
#include "mem/dram.h"
#include "sim/gpu.h"

struct ww_gpu {
    const ww_config *config;
    uint64_t base_hertz;
    ww_clock clock; /* of the cores */
    ww_engine *engine;
    ww_request_pool *pool;
    ww_core_config core_config;
    /* On their way to one port, through the network and from the DRAM: queues have room for them, too. */
    uint32_t flight, dram_flight;
    unsigned core_count, slice_count, l1i_count, l1s_count;
    unsigned slice_ports; /* of each slice, into the network */
    ww_core **cores;
    unsigned *begun; /* compute units that the launch has come to */
    unsigned begun_count;
    uint64_t *l1s_launch; /* by scalar cache: the launch that it was last used in */
    ww_cache **l1d, **l1i, **l1s, **l2;
    ww_dram **dram;
    ww_port *channels;    /* into the DRAM */
    ww_port **replies[4]; /* lists that caches keep: data, instruction, scalar, L2 */
    ww_dram_map map;      /* from addresses to slices */
    ww_crossbar *down, *up;
    ww_dispatcher *dispatcher;
    ww_check *check; /* NULL: not checked */
    ww_core_counters counters;
    ww_core_launch launch;
    ww_gpu_watch watch;
    const ww_first_pass *first_pass; /* NULL: there was none */
    uint64_t launches;
    ww_tick sample_at; /* WW_NEVER: nobody wants one */
    ww_tick start;     /* of the launch that runs, or when it was settled last */
    bool running;
    int status;
};

#endif
