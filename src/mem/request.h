/* A request to memory: from the component that made it down to the one that serves it, and back up
 * as its reply.
 *
 * line       the unit of a cache; an address here is that of a line, physical
 * sector     a part of a line (all of it where a cache has no sectors); `sectors` has a bit for
 *            each that is wanted or written, from the start of the line
 * full       of a write: every byte of its sectors is written, so their old bytes are not needed
 * owner      what the maker of the request needs at the reply; no other component reads it
 * link       for the component that has the request at present: a list of waiting requests
 * stage      where a request spends its time. Each component ends a stage with ww_request_stage;
 *            the stages add up to the whole latency exactly.
 * blame      what it finally waits for (blame.h), which adds up to the same: before and after its
 *            lookup in the L1
 *
 * One object is the request and its reply. Requests come from a pool and cost no allocation. */
#ifndef WW_MEM_REQUEST_H
#define WW_MEM_REQUEST_H

#include "mem/blame.h"

#define WW_NO_LINE \
    UINT64_MAX /* the number of none: a line's number is its address over its size \
                */

typedef enum ww_request_kind {
    WW_REQUEST_READ,
    WW_REQUEST_WRITE,  /* its reply says that it has taken effect */
    WW_REQUEST_ATOMIC, /* read and written where the machine performs atomics; the reply has data */
} ww_request_kind;

/* What is asked for, for statistics and for policies. */
typedef enum ww_request_class {
    WW_CLASS_DATA,
    WW_CLASS_INSTRUCTION,
    WW_CLASS_SCALAR,
    WW_CLASS_PTE,
    WW_CLASS_DMA,        /* pages that move between the host and memory */
    WW_CLASS_WRITE_BACK, /* an evicted line: no reply; the component that accepts it frees it */
    WW_CLASS_COUNT
} ww_request_class;

/* X(name, statistic, doc) */
#define WW_STAGES(X)                                                                             \
    X(COALESCE, "coalesce", "waiting for the coalescer and for the L1's port")                   \
    X(TRANSLATE, "translate", "waiting for the translation")                                     \
    X(L1_STALL, "l1_stall", "first in the L1's queue, held back by misses or queues below")      \
    X(L1, "l1", "looked up in the L1")                                                           \
    X(L1_MERGED, "l1_merged", "waiting for a miss of another request")                           \
    X(NETWORK_DOWN, "network_down", "in crossbars, links or their queues, on the way to the L2") \
    X(L2_STALL, "l2_stall", "in the L2's queue")                                                 \
    X(L2, "l2", "looked up in the L2")                                                           \
    X(L2_MERGED, "l2_merged", "waiting for an L2 miss of another request")                       \
    X(DRAM_QUEUE, "dram_queue", "waiting in the memory controller")                              \
    X(DRAM, "dram", "from its first DRAM command to the end of its data")                        \
    X(HOST, "host", "on the link to the host, and in its memory")                                \
    X(NETWORK_UP, "network_up", "in crossbars, links or their queues, on the way back")          \
    X(REPLY, "reply", "waiting until its maker accepts it")

typedef enum ww_stage {
#define WW_STAGE_NAME(name, statistic, doc) WW_STAGE_##name,
    WW_STAGES(WW_STAGE_NAME)
#undef WW_STAGE_NAME
        WW_STAGE_COUNT
} ww_stage;

/* What every component reads is in the first line of the host's cache, what some read in the second
 * and what its maker alone reads behind them. */
typedef struct ww_request {
    _Alignas(128) uint64_t address;
    uint32_t sectors;
    uint8_t kind;
    uint8_t class;
    bool full;
    bool missed;           /* in the L1: for policies and attribution */
    uint16_t source;       /* the port of all networks that its reply goes to */
    uint8_t bypassed;      /* a bit for each level of cache that it bypasses */
    bool blamed;           /* `before_l1` and `after_l1` are kept */
    bool critical;         /* its warp is a critical one of its group, for policies */
    bool merged;           /* with a miss, and that is a use of its line */
    uint16_t lanes;        /* of an atomic: how many operations */
    uint32_t sets[2];      /* by level of cache: the set of its line, since it was sent there */
    uint32_t registers[2]; /* likewise: the miss register that it fetches for (mshr.h) */
    void *owner;
    struct ww_request *link;
    ww_tick since; /* the end of the last stage */
    uint32_t stages[WW_STAGE_COUNT];
    uint16_t pc_tag; /* low bits of its instruction's number in the program */
    uint16_t pc;     /* low bits of its instruction's number in the kernel */
    uint32_t warp;   /* its maker, for policies and traces */
    ww_tick made;
    uint32_t ticket;              /* its record in checked mode; 0: it has none */
    uint32_t criticality;         /* of its warp (core.criticality), for policies; 0: not known */
    uint16_t rob_entry;           /* in its compute unit's reorder buffer */
    ww_blame before_l1, after_l1; /* not zeroed at allocation */
} ww_request;

static inline void ww_request_stage(ww_request *request, ww_stage stage, ww_tick now)
{
    request->stages[stage] += (uint32_t)(now - request->since);
    request->since = now;
}

/* It begins to wait in a queue, or on the way there; NULL: it waits for a cause. */
static inline void ww_request_join(ww_request *request, const ww_blame_clock *clock, ww_cause cause,
                                   ww_tick now)
{
    if (!request->blamed)
        return;
    if (clock)
        ww_blame_subtract(&request->after_l1, clock, now);
    else
        request->after_l1.ticks[cause] -= (uint32_t)now;
}

/* The end of that wait. */
static inline void ww_request_leave(ww_request *request, const ww_blame_clock *clock,
                                    ww_cause cause, ww_tick now)
{
    if (!request->blamed)
        return;
    if (clock)
        ww_blame_add(&request->after_l1, clock, now);
    else
        request->after_l1.ticks[cause] += (uint32_t)now;
}

/* What every component needs of it. */
static inline void ww_request_prefetch(const ww_request *request)
{
    __builtin_prefetch(request);
    __builtin_prefetch(request->stages);
}

/* Allocates requests in blocks; a freed request is used again. */
typedef struct ww_request_pool ww_request_pool;

ww_request_pool *ww_request_pool_create(void);
void ww_request_pool_destroy(ww_request_pool *pool);
ww_request *ww_request_allocate(ww_request_pool *pool, ww_tick now); /* zeroed; not blamed */
void ww_request_free(ww_request_pool *pool, ww_request *request);
uint64_t ww_request_pool_in_use(const ww_request_pool *pool); /* that are not freed */

#endif
