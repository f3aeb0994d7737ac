/* What a reorder buffer counts, and its statistics. */
#ifndef WW_MEM_REORDER_STATS_H
#define WW_MEM_REORDER_STATS_H

#include "stats/stats.h"

/* X(field, unit, doc): the statistic is l1s_reorder.FIELD. */
#define WW_REORDER_COUNTERS(X)                                                    \
    X(requests, "requests", "that passed the reorder buffers")                    \
    X(held, "requests", "of them, whose replies waited for that of an older one") \
    X(held_ticks, "ticks", "that they waited, in all")                            \
    X(full, "requests", "that found a reorder buffer without a free entry")

typedef struct ww_reorder_counters {
#define WW_REORDER_FIELD(field, unit, doc) uint64_t field;
    WW_REORDER_COUNTERS(WW_REORDER_FIELD)
#undef WW_REORDER_FIELD
} ww_reorder_counters;

extern const ww_stat_table ww_reorder_stats;

#endif
