#include "paging/paging_stats.h"

#define COUNTER(field, stat, stat_unit, stat_doc) \
    {.name = "paging." stat,                      \
     .unit = stat_unit,                           \
     .doc = stat_doc,                             \
     .kind = WW_STAT_COUNTER,                     \
     .offset = offsetof(ww_paging_counters, field)},

#define DERIVED(stat, stat_unit, function, stat_doc) \
    {.name = "paging." stat,                         \
     .unit = stat_unit,                              \
     .doc = stat_doc,                                \
     .kind = WW_STAT_DERIVED,                        \
     .derive = function},

#define RATIO(name, over, under)                                      \
    static double name(const void *counters, const ww_config *config) \
    {                                                                 \
        const ww_paging_counters *c = counters;                       \
        (void)config;                                                 \
        return ww_ratio((double)(over), (double)(under));             \
    }

RATIO(link_use_in, c->link_busy_in, c->ticks)
RATIO(link_use_out, c->link_busy_out, c->ticks)
RATIO(wait_mean, c->waiting, c->nacks)
RATIO(useful, c->prefetched_used, c->prefetched)

/* clang-format off */
static const ww_stat stats[] = {
    WW_PAGING_COUNTERS(COUNTER)
    COUNTER(ticks, "ticks", "ticks", "of launches and copies")
    COUNTER(pages, "pages", "pages", "of all buffers")
    COUNTER(capacity, "capacity", "pages", "that can be resident")
    DERIVED("link_use_in", "", link_use_in, "part of the time in which the link is busy towards the GPU")
    DERIVED("link_use_out", "", link_use_out, "part of the time in which the link is busy towards the host")
    DERIVED("wait_mean", "ticks", wait_mean, "of a compute unit for a page that it was refused")
    DERIVED("useful", "", useful, "part of the prefetched pages that were accessed")
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
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_paging_counters),
    .laws = laws,
    .law_count = sizeof(laws) / sizeof(laws[0]),
};
