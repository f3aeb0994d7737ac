/* Blame: what a request finally waits for, beside where it waits (request.h: stages).
 *
 * cause     a resource, or plain latency; a bandwidth (ports, width, bus, walkers) is a cause of
 *           its own beside the latency behind it
 * blame     ticks by cause
 * clock     of a queue: the ticks that passed so far, by what the head of the queue waited for. It
 *           changes only when the head's cause does. A head that waits for a full queue follows
 *           that queue's clock, so the blame reaches the component that does not drain the queue.
 * idle      the queue is empty: a request on its way to it waits for the latency of that way
 * resolve   ww_blame_resolve charges WW_CAUSE_L1_MISS and WW_CAUSE_TRANSLATION (waits for
 *           outstanding misses and translations) to what those waited for themselves
 *
 * The ticks of a clock add up to the present. A request that joins a queue subtracts the queue's
 * clock and adds it when it leaves: the difference is its wait by cause, exact to the tick.
 *
 * Ticks are kept modulo 2^32, as are stages: a request waits less than that. */
#ifndef WW_MEM_BLAME_H
#define WW_MEM_BLAME_H

#include "engine/engine.h"

/* X(name, statistic, doc) */
#define WW_CAUSES(X)                                                                       \
    X(COALESCER, "coalescer", "the load/store unit sends a number of requests a cycle")    \
    X(TLB, "tlb", "lookups in TLBs")                                                       \
    X(WALKERS, "walkers", "all page-table walkers, or threads that walk, are busy")        \
    X(WALK, "walk", "a page walk reads page-table entries")                                \
    X(L1_PORTS, "l1_ports", "the L1's ports or banks are busy")                            \
    X(L1_LATENCY, "l1_latency", "the latency of the L1's lookup")                          \
    X(NETWORK, "network", "the network's width: other packets pass")                       \
    X(NETWORK_LATENCY, "network_latency", "the network's latency")                         \
    X(L2_PORTS, "l2_ports", "the L2's ports or banks are busy, or an atomic is performed") \
    X(L2_LATENCY, "l2_latency", "the latency of the L2's lookup")                          \
    X(DRAM_BUS, "dram_bus", "the DRAM's data bus moves other data")                        \
    X(DRAM_BANK, "dram_bank", "the DRAM's banks: rows are opened, closed and refreshed")   \
    X(DRAM_LATENCY, "dram_latency", "the DRAM's data is on its way, or in the controller") \
    X(PAGING, "paging", "a page is on the host: it is brought, or accessed over the link")

typedef enum ww_cause {
#define WW_CAUSE_NAME(name, statistic, doc) WW_CAUSE_##name,
    WW_CAUSES(WW_CAUSE_NAME)
#undef WW_CAUSE_NAME
        WW_CAUSE_COUNT,
    WW_CAUSE_L1_MISS = WW_CAUSE_COUNT,
    WW_CAUSE_TRANSLATION,
    WW_CAUSE_ALL,
    /* Of a clock: nothing waits. No queue waits for paging, and no request for nothing: they have
     * the same ticks. */
    WW_CAUSE_NONE = WW_CAUSE_PAGING
} ww_cause;

typedef uint32_t ww_blame_row __attribute__((vector_size(64), aligned(16)));
_Static_assert(WW_CAUSE_ALL * sizeof(uint32_t) == sizeof(ww_blame_row), "a cause for each");

typedef union ww_blame {
    ww_blame_row row;
    uint32_t ticks[WW_CAUSE_ALL];
} ww_blame;

typedef struct ww_blame_clock {
    ww_blame base;
    const struct ww_blame_clock *follows; /* NULL: it waits for `cause` */
    ww_cause cause;
    /* Of a DRAM channel: busy ticks of the data bus, charged to WW_CAUSE_DRAM_BUS. */
    uint32_t busy;
    ww_tick busy_until; /* `busy` includes the ticks up to here */
} ww_blame_clock;

/* Of many requests. */
typedef struct ww_blame_sum {
    int64_t ticks[WW_CAUSE_ALL];
} ww_blame_sum;

static inline uint32_t ww_blame_busy(const ww_blame_clock *clock, ww_tick now)
{
    return clock->busy - (clock->busy_until > now ? (uint32_t)(clock->busy_until - now) : 0);
}

/* A request leaves a queue. */
static inline void ww_blame_add(ww_blame *blame, const ww_blame_clock *clock, ww_tick now)
{
    ww_blame_row row = blame->row + clock->base.row;
    while (clock->follows) {
        clock = clock->follows;
        row += clock->base.row;
    }
    uint32_t busy = ww_blame_busy(clock, now);
    blame->row = row;
    blame->ticks[clock->cause] += (uint32_t)now - busy;
    blame->ticks[WW_CAUSE_DRAM_BUS] += busy;
}

/* A request joins a queue. */
static inline void ww_blame_subtract(ww_blame *blame, const ww_blame_clock *clock, ww_tick now)
{
    ww_blame_row row = blame->row - clock->base.row;
    while (clock->follows) {
        clock = clock->follows;
        row -= clock->base.row;
    }
    uint32_t busy = ww_blame_busy(clock, now);
    blame->row = row;
    blame->ticks[clock->cause] -= (uint32_t)now - busy;
    blame->ticks[WW_CAUSE_DRAM_BUS] -= busy;
}

/* For ww_blame_wait. */
void ww_blame_change(ww_blame_clock *clock, const ww_blame_clock *follows, ww_cause cause,
                     ww_tick now);

/* From now on the head of the queue waits for what the head of `follows` waits for, or, when that
 * is NULL, for the cause. */
static inline void ww_blame_wait(ww_blame_clock *clock, const ww_blame_clock *follows,
                                 ww_cause cause, ww_tick now)
{
    if (clock->follows != follows || (!follows && clock->cause != cause))
        ww_blame_change(clock, follows, cause, now);
}

/* The data bus is busy for some ticks, from now on or from when it is free. */
static inline void ww_blame_use_bus(ww_blame_clock *clock, uint32_t ticks, ww_tick now)
{
    clock->busy += ticks;
    clock->busy_until = (clock->busy_until > now ? clock->busy_until : now) + ticks;
}

/* Adds the final blame of a request. */
void ww_blame_sum_add(ww_blame_sum *sum, const ww_blame *blame);

/* Splits an amount in proportion to the ticks of the causes below WW_CAUSE_COUNT and adds it to
 * `shares`; the sum is exact. When `parts` is empty, all of it goes to `otherwise`. */
void ww_blame_split(uint64_t amount, const ww_blame_sum *parts, ww_cause otherwise,
                    uint64_t shares[WW_CAUSE_COUNT]);

/* The same ticks by causes below WW_CAUSE_COUNT. `misses`: what misses of the L1 waited for. */
ww_blame_sum ww_blame_resolve(const ww_blame_sum *sum, const ww_blame_sum *misses);

#endif
