#include "mem/reuse.h"

static uint64_t sum(const uint64_t buckets[WW_REUSE_BUCKET_COUNT])
{
    uint64_t all = 0;
    for (unsigned i = 0; i < WW_REUSE_BUCKET_COUNT; i++)
        all += buckets[i];
    return all;
}

static double never(const void *counters, const ww_config *config)
{
    const ww_reuse_counters *c = counters;
    (void)config;
    return (double)c->all.uses - (double)sum(c->all.buckets);
}

/* Of sums over caches, which only have what is a statistic itself. */
static double lost_share(const void *counters, const ww_config *config)
{
    const ww_reuse_counters *c = counters;
    (void)config;
    return ww_ratio((double)c->all.critical_lost, (double)sum(c->critical));
}

/* Offsets of buckets, in their order. */
enum {
#define NUMBER(context, first, name, text) BUCKET_##first,
    WW_REUSE_BUCKETS(NUMBER, )
};

#define BUCKET(context, first, bucket, text)                                       \
    {.name = "l1d.reuse_" bucket,                                                  \
     .unit = "requests",                                                           \
     .doc = "uses that another use of the line follows after " text " of its set", \
     .kind = WW_STAT_COUNTER,                                                      \
     .offset = offsetof(ww_reuse_counters, all.buckets[BUCKET_##first])},

#define CRITICAL(context, first, bucket, text)                           \
    {.name = "l1d.reuse_critical_" bucket,                               \
     .unit = "requests",                                                 \
     .doc = "of them, the other use is of a critical warp: after " text, \
     .kind = WW_STAT_COUNTER,                                            \
     .offset = offsetof(ww_reuse_counters, critical[BUCKET_##first])},

static const ww_stat stats[] = {
    {.name = "l1d.reuse_uses",
     .unit = "requests",
     .doc = "lookups of loads (l1d.reuse_distance)",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(ww_reuse_counters, all.uses)},
    /* clang-format off */
    WW_REUSE_BUCKETS(BUCKET, )
    /* clang-format on */
    {.name = "l1d.reuse_never",
     .unit = "requests",
     .doc = "uses that no other use of their line follows",
     .kind = WW_STAT_DERIVED,
     .derive = never},
    {.name = "l1d.reuse_distance",
     .unit = "requests",
     .doc = "loads of a set between two of one line",
     .kind = WW_STAT_HISTOGRAM,
     .offset = offsetof(ww_reuse_counters, distances)},
    /* clang-format off */
    WW_REUSE_BUCKETS(CRITICAL, )
    /* clang-format on */
    {.name = "l1d.reuse_critical_lost",
     .unit = "requests",
     .doc = "uses of critical warps whose line was used before, and was not there any more",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(ww_reuse_counters, all.critical_lost)},
    {.name = "l1d.reuse_critical_lost_share",
     .unit = "",
     .doc = "those, of uses of critical warps whose line was used before",
     .kind = WW_STAT_DERIVED,
     .derive = lost_share},
};

const ww_stat_table ww_reuse_stats = {
    .name = "reuse",
    .doc = "distances between loads of a line in L1 data caches, with l1d.reuse_distance",
    .stats = stats,
    .count = sizeof(stats) / sizeof(stats[0]),
    .size = sizeof(ww_reuse_counters),
};
