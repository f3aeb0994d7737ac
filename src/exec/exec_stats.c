#include "exec/exec_stats.h"

#include "exec/exec.h"

static double lane_utilisation(const void *counters, const ww_config *config)
{
    const ww_exec_counters *c = counters;
    double slots = (double)c->warp_instructions * (double)ww_config_u64(config, "core.warp_width");
    return ww_ratio((double)c->thread_instructions, slots);
}

static double divergence(const void *counters, const ww_config *config)
{
    const ww_exec_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->divergent_branches, (double)c->branches);
}

#define COUNTER(field, stat_name, stat_unit, stat_doc) \
    {.name = stat_name,                                \
     .unit = stat_unit,                                \
     .doc = stat_doc,                                  \
     .kind = WW_STAT_COUNTER,                          \
     .offset = offsetof(ww_exec_counters, field)},

static const ww_stat stats[] = {
    /* clang-format off */
    WW_EXEC_COUNTERS(COUNTER)
    /* clang-format on */
    {.name = "exec.lane_utilisation",
     .unit = "",
     .doc = "share of lanes that were active, over all warp instructions",
     .kind = WW_STAT_DERIVED,
     .derive = lane_utilisation},
    {.name = "exec.divergence",
     .unit = "",
     .doc = "share of conditional branches that split their warp",
     .kind = WW_STAT_DERIVED,
     .derive = divergence},
};

static const char *const kinds[] = {"exec.arithmetic", "exec.memory", "exec.control",
                                    "exec.synchronisation", NULL};
static const char *const instructions[] = {"exec.warp_instructions", NULL};
static const ww_law laws[] = {{kinds, instructions}};

const ww_stat_table ww_exec_stats = {
    .name = "exec",
    .doc = "functional execution",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_exec_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};
