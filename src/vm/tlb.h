/* A TLB: recent translations, and outstanding misses.
 *
 * lookups    in a cycle, in order of arrival or the oldest instruction's first. A request that
 *            finds neither its page nor a free miss register blocks those behind it.
 * latency    of a lookup: the sender lets a request arrive that many cycles later; the lookup
 *            itself takes none
 * page       of an address space (ww_page_key)
 * entry      of a page: its frame, and whether it may be written. A write that finds a page that
 *            must not be written is a miss: the page table decides. Faults are answers, not
 *            entries.
 * merging    (tlb.merge) one entry is for several pages (tlbmerge.h); misses are of pages. An
 *            answer on its way during an invalidation of its space brings its own page alone.
 * register   (MSHR) a page whose miss is outstanding, or waits for the port below. Further requests
 *            for the page merge into it. Hits continue under misses.
 * lent       (lends) an entry that serves as a register while all registers are in use: the least
 *            recently used of the page's set. It holds no translation until the miss is answered,
 *            and then that of its page. A set whose entries are all lent has no register left.
 *            SoftWalker (MICRO 2025), section 4.5.
 * held       (holds_faults) a register whose answer was a far-fault stays in use, without a
 *            request, until it is freed: lookups of its page are answered with a far-fault at once.
 *            HPCA 2016 (Zheng et al.), section 3: it is kept until the notice of the page. One
 *            register is never held: else faults could block the pages that would end them.
 * forwarded  (forwards) a miss that finds that many registers in use is answered with WW_FORWARDED.
 *            In the L1 TLB its page then leaves the register file, and requests for it still merge,
 *            until the compute unit's walker sends the answer (cuptw/cu_walker.h).
 * epoch      that many lookups in a row; its different warps are counted (ISCA 2018, figure 12)
 *
 * Used for the L1 TLBs, the L2 TLB and those of an IOMMU. With 0 entries it only merges requests
 * for the same page. */
#ifndef WW_VM_TLB_H
#define WW_VM_TLB_H

#include "engine/clock.h"
#include "vm/lru.h"
#include "vm/tlbmerge.h"
#include "vm/vm.h"

/* X(field, statistic, unit, doc) */
#define WW_TLB_COUNTERS(X)                                                                   \
    X(accesses, "accesses", "requests", "lookups")                                           \
    X(hits, "hits", "requests", "lookups that found their page")                             \
    X(misses, "misses", "requests", "lookups that sent a miss down")                         \
    X(merged, "merged", "requests", "lookups that joined an outstanding miss")               \
    X(forwarded, "forwarded", "requests",                                                    \
      "lookups that found no free miss register, and went to a compute unit's walker")       \
    X(lent, "lent", "requests", "misses whose register is an entry of the TLB")              \
    X(fills, "fills", "requests", "answers from below")                                      \
    X(evictions, "evictions", "entries", "entries replaced by another page's")               \
    X(stall_mshr, "stall_mshr", "ticks", "first in the queue, and no miss register is free") \
    X(epochs, "epochs", "epochs", "runs of lookups over which warps are counted")            \
    X(epoch_warps, "epoch_waves", "warps", "different warps, summed over them")

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
    uint32_t lends;     /* entries that may be lent at the same time */
    uint32_t queue;     /* requests that wait for their lookup */
    uint32_t producers; /* components that send requests */
    uint32_t seats;     /* in which they wait for room; 0: in the order of their arrival */
    bool oldest_first;  /* of lookups, and of misses that wait for the port below */
    bool holds_faults;  /* registers of far-faults are held */
    uint32_t forwards;  /* forwards a miss when so many registers are in use; 0: never */
    uint32_t forwarded; /* misses that may be at walkers of compute units, besides the registers */
    uint32_t epoch;     /* lookups; 0: warps are not counted */
    uint32_t warps;     /* slots of the whole GPU */
    const ww_tlbmerge *merge; /* NULL: none */
    ww_policy_start start;    /* for it */
} ww_tlb_config;

/* Which of `outs` an answer goes to. */
typedef enum ww_tlb_route { WW_TO_ONE, WW_TO_SOURCE, WW_TO_UNIT } ww_tlb_route;

typedef struct ww_tlb_wiring {
    ww_port *down;
    uint32_t down_seat;    /* in which it waits for room, if the port has seats */
    uint32_t down_latency; /* cycles */
    ww_port **outs;        /* each with the capacity of all requests that it can have in flight */
    ww_tlb_route route;
    uint32_t answer_ticks; /* 1 to a TLB, which runs in the same phase; 0 to a later phase */
    ww_port **walkers;     /* of compute units, by the index of `outs`; NULL: there are none */
    /* Whether the translation's compute unit can make its walk. NULL: none can. */
    bool (*can_forward)(void *context, const ww_translation *t);
    /* A walk for the page is about to begin: the page gets its frame, if it has none. NULL: it has
     * one already. */
    void (*allocate)(void *context, const ww_translation *t);
    void *context;
} ww_tlb_wiring;

typedef struct ww_tlb ww_tlb;

ww_tlb *ww_tlb_create(const ww_tlb_config *config, ww_engine *engine);
void ww_tlb_destroy(ww_tlb *tlb);
/* Once, before the first request; `outs` outlive it. */
void ww_tlb_connect(ww_tlb *tlb, const ww_tlb_wiring *wiring);

ww_port *ww_tlb_in(ww_tlb *tlb);   /* requests from above */
ww_port *ww_tlb_fill(ww_tlb *tlb); /* answers from below */
/* Removes entries. The answers of outstanding misses are dropped when they come, and asked for
 * again. Held registers stay. Acknowledged when it returns: what was sent up before, the level
 * above has to drop. */
void ww_tlb_invalidate(ww_tlb *tlb, const ww_invalidation *what);
/* A lookup in no time, which is a use of the entry. True: it has the page. */
bool ww_tlb_find(ww_tlb *tlb, uint64_t key, uint64_t *entry, ww_page_run *run);
/* Keeps an entry that was found without a miss of this TLB. */
void ww_tlb_keep(ww_tlb *tlb, uint64_t key, uint64_t entry, ww_page_run run);
/* Frees the register that a far-fault of the page holds, if there is one; to be called before each
 * replay of the page. */
void ww_tlb_free_held(ww_tlb *tlb, uint16_t asid, uint64_t page);
ww_tlb_counters *ww_tlb_count(ww_tlb *tlb);

#endif
