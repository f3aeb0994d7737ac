/* What a link counts, and its statistics. */
#ifndef WW_MEM_LINK_STATS_H
#define WW_MEM_LINK_STATS_H

#include "stats/stats.h"

/* X(field, unit, doc): the statistic is link.FIELD. */
#define WW_LINK_COUNTERS(X)                                                              \
    X(packets, "packets", "requests and replies that went to another cluster")           \
    X(bytes, "bytes", "of them, with headers")                                           \
    X(busy_cycles, "cycles", "in which a port passed a packet, over all ports of links") \
    X(full_cycles, "cycles", "in which a port waited for a full queue, likewise")

typedef struct ww_link_counters {
#define WW_LINK_FIELD(field, unit, doc) uint64_t field;
    WW_LINK_COUNTERS(WW_LINK_FIELD)
#undef WW_LINK_FIELD
} ww_link_counters;

extern const ww_stat_table ww_link_stats;

#endif
