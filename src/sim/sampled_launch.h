/* Launches of a sampled run: recorded in the first pass, and timed or warmed in the later ones. */
#ifndef WW_SIM_SAMPLED_LAUNCH_H
#define WW_SIM_SAMPLED_LAUNCH_H

#include "base/number_map.h"
#include "sim/gpu.h"
#include "sim/sampler.h"

typedef struct ww_sampling {
    ww_sampler *sampler;
    ww_gpu *gpu;
    const ww_exec_options *options;
    ww_stats *stats;
    ww_number_map pages; /* by page: the last launch that accessed it */
    uint64_t launches;
    ww_executor *executor;                /* of the launch that is recorded */
    uint64_t recorded_pages, fresh_pages; /* of it */
} ww_sampling;

/* The launch is prepared (ww_program_begin), and no part of it has run. */
int ww_sampled_launch_run(ww_sampling *sampling, const ww_gpu_launch *launch, ww_errors *errors);

#endif
