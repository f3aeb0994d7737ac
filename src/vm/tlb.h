/* A TLB: recent translations, and the misses that are on their way.
 *
 * lookups    that it makes in a cycle, in the order in which requests come, or those of the oldest instruction first; a
 *            request that finds neither its page nor a miss register holds up those behind it
 * latency    of a lookup: who sends a request lets it arrive so many cycles later; its answer, or its way down, starts then
 * register   (MSHR) a page with a miss on its way, or that waits there for room below. Further requests for that page wait
 *            in it. Hits go on under misses.
 * epoch      a number of lookups in a row; how many different warps' they were is counted (ISCA 2018, figure 12)
 *
 * Used for the L1 TLBs, the L2 TLB and those of an IOMMU. With 0 entries it only brings equal requests together. */
#ifndef WW_VM_TLB_H
#define WW_VM_TLB_H

#include "engine/clock.h"
#include "vm/lru.h"
#include "vm/vm.h"

/* X(field, statistic, unit, doc) */
#define WW_TLB_COUNTERS(X)                                                                   \
    X(accesses, "accesses", "requests", "lookups")                                           \
    X(hits, "hits", "requests", "lookups that found their page")                             \
    X(misses, "misses", "requests", "lookups that asked below")                              \
    X(merged, "merged", "requests", "lookups that joined a miss under way")                  \
    X(fills, "fills", "requests", "answers from below")                                      \
    X(evictions, "evictions", "entries", "entries that gave up their place")                 \
    X(stall_mshr, "stall_mshr", "ticks", "first in the queue, and no miss register is free") \
    X(epochs, "epochs", "epochs", "runs of lookups over which warps are counted")            \
    X(epoch_waves, "epoch_waves", "warps", "different warps, summed over them")

typedef struct ww_tlb_counters {
#define WW_TLB_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_TLB_COUNTERS(WW_TLB_COUNTER_FIELD)
#undef WW_TLB_COUNTER_FIELD
    uint64_t instructions; /* of the compute units, for misses in a thousand */
} ww_tlb_counters;

typedef struct ww_tlb_config {
    const char *name;
    ww_clock clock;
    ww_lru_config entries;
    uint32_t latency;   /* cycles */
    uint32_t lookups;   /* in a cycle */
    uint32_t mshrs;     /* pages */
    uint32_t queue;     /* requests that wait for their lookup */
    uint32_t producers; /* who send requests */
    bool oldest_first;  /* lookups, and misses that wait for room below: not in order of arrival */
    uint32_t epoch;     /* lookups; 0: they are not counted */
    uint32_t waves;     /* places for warps of the whole GPU */
} ww_tlb_config;

/* Which of `outs` an answer goes to. */
typedef enum ww_tlb_route { WW_TO_ONE, WW_TO_SOURCE, WW_TO_UNIT } ww_tlb_route;

typedef struct ww_tlb_wiring {
    ww_port *down;
    uint32_t down_latency; /* cycles */
    ww_port **outs;        /* each has room for every request that can be on its way from it */
    ww_tlb_route route;
    uint32_t
        answer_ticks; /* 1 to a TLB, which runs in the same phase; 0 to a phase that comes later */
} ww_tlb_wiring;

typedef struct ww_tlb ww_tlb;

ww_tlb *ww_tlb_create(const ww_tlb_config *config, ww_engine *engine);
void ww_tlb_destroy(ww_tlb *tlb);
/* Once, before the first request; `outs` outlive it. */
void ww_tlb_connect(ww_tlb *tlb, const ww_tlb_wiring *wiring);

ww_port *ww_tlb_in(ww_tlb *tlb);   /* requests from above */
ww_port *ww_tlb_fill(ww_tlb *tlb); /* answers from below */
/* What is known of a page, or of all, is not used any more; misses on their way are not touched. */
void ww_tlb_invalidate(ww_tlb *tlb, uint64_t page);
void ww_tlb_invalidate_all(ww_tlb *tlb);
ww_tlb_counters *ww_tlb_count(ww_tlb *tlb);

#endif
