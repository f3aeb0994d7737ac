#include "paging/paging_stats.h"

#define RATIO(name, over, under)                                      \
    static double name(const void *counters, const ww_config *config) \
    {                                                                 \
        const ww_paging_counters *c = counters;                       \
        (void)config;                                                 \
        return ww_ratio((double)(over), (double)(under));             \
    }

RATIO(utilisation, c->link_busy_in, c->ticks)
RATIO(utilisation_out, c->link_busy_out, c->ticks)
RATIO(wait_mean, c->waiting, c->nacks)
RATIO(useful, c->prefetched_used, c->prefetched)

#define COUNTER(field, stat, stat_unit, stat_doc) \
    {.name = PREFIX stat,                         \
     .unit = stat_unit,                           \
     .doc = stat_doc,                             \
     .kind = WW_STAT_COUNTER,                     \
     .offset = offsetof(ww_paging_counters, field)},

#define DERIVED(stat, stat_unit, function, stat_doc) \
    {.name = PREFIX stat,                            \
     .unit = stat_unit,                              \
     .doc = stat_doc,                                \
     .kind = WW_STAT_DERIVED,                        \
     .derive = function},

/* clang-format off */
#define PREFIX "paging."
static const ww_stat paging_stats[] = {
    WW_PAGING_COUNTERS(COUNTER)
    COUNTER(ticks, "ticks", "ticks", "of launches and copies")
    COUNTER(pages, "pages", "pages", "of all buffers")
    COUNTER(capacity, "capacity", "pages", "that can be resident")
    DERIVED("wait_mean", "ticks", wait_mean, "of a compute unit for a page that it was refused")
    DERIVED("useful", "", useful, "part of the prefetched pages that were accessed")
};
#undef PREFIX
#define PREFIX "pcie."
static const ww_stat pcie_stats[] = {
    WW_PCIE_COUNTERS(COUNTER)
    COUNTER(ticks, "ticks", "ticks", "of launches and copies")
    DERIVED("utilisation", "", utilisation, "part of the time in which data passes to the GPU")
    DERIVED("utilisation_out", "", utilisation_out, "likewise to the host")
};
/* clang-format on */

#define NAMES(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

static const ww_law laws[] = {
    {NAMES("paging.pages_in"), NAMES("paging.demanded", "paging.prefetched")},
};

const ww_stat_table ww_paging_stats = {
    .name = "paging",
    .doc = "paged memory",
    .stats = paging_stats,
    .count = sizeof(paging_stats) / sizeof(paging_stats[0]),
    .size = sizeof(ww_paging_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};

const ww_stat_table ww_pcie_stats = {
    .name = "pcie",
    .doc = "the link between host and GPU",
    .stats = pcie_stats,
    .count = sizeof(pcie_stats) / sizeof(pcie_stats[0]),
    .size = sizeof(ww_paging_counters),
};
