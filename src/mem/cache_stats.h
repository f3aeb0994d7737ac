/* What caches count, and the statistics that read it: one table for each kind of cache.
 *
 * hit      a read, or an atomic performed here, with all sectors here; a write whose line is here
 * merged   a read or atomic that fetched nothing, because all the sectors it lacked were pending
 * miss     everything else */
#ifndef WW_MEM_CACHE_STATS_H
#define WW_MEM_CACHE_STATS_H

#include "mem/request.h"
#include "stats/stats.h"

/* X(context, name, statistic, doc): why the head of a cache's queue waits. */
#define WW_CACHE_STALLS(X, context)                                                 \
    X(context, MSHR, "mshr", "all miss registers are in use")                       \
    X(context, MERGE, "merge", "the line's miss register holds no further request") \
    X(context, WAYS, "ways", "all ways of the set are held by misses")              \
    X(context, DOWN, "down", "the queue below is full")                             \
    X(context, OUT, "out", "the queue above is full")                               \
    X(context, BANK, "bank", "the bank is busy with a lookup or an atomic")

typedef enum ww_cache_stall {
    WW_CACHE_FLOWS,
#define WW_CACHE_STALL_NAME(context, name, statistic, doc) WW_CACHE_STALL_##name,
    WW_CACHE_STALLS(WW_CACHE_STALL_NAME, )
#undef WW_CACHE_STALL_NAME
        WW_CACHE_STALL_COUNT
} ww_cache_stall;

typedef struct ww_cache_counters {
    uint64_t accesses;
    uint64_t hits;
    uint64_t misses;
    uint64_t read_misses; /* of these, of loads */
    uint64_t merged;
    uint64_t kinds[WW_REQUEST_ATOMIC + 1]; /* accesses */
    uint64_t class_accesses[WW_CLASS_COUNT];
    uint64_t class_hits[WW_CLASS_COUNT];
    uint64_t bytes; /* of lookups, in whole sectors */
    uint64_t pte_bytes;
    uint64_t critical_accesses; /* loads of critical warps, as the next */
    uint64_t critical_hits;
    uint64_t bypasses;
    uint64_t fills;
    uint64_t evictions;
    uint64_t zero_reuse;
    uint64_t write_backs;
    uint64_t stalls[WW_CACHE_STALL_COUNT]; /* ticks */
    uint64_t instructions;                 /* of the compute units served; sim/ adds them */
} ww_cache_counters;

extern const ww_stat_table ww_l1d_stats;
extern const ww_stat_table ww_l1i_stats;
extern const ww_stat_table ww_l1s_stats;
extern const ww_stat_table ww_l2_stats;

#endif
