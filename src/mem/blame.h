/* Blame: what a request finally waits for, beside where it waits (request.h: stages).
 *
 * cause     a resource, or plain latency; a bandwidth (ports, width, bus, walkers) is a cause of its own beside the latency
 *           behind it
 * blame     ticks by cause
 * clock     of a queue: the ticks that passed so far, by what the head of the queue was waiting for. It changes its state only
 *           when the head's reason changes. A head that waits for room in another queue follows that queue's clock, so that a
 *           full queue passes the blame on to who does not take from it.
 *
 * All ticks of a clock add up to the present. So a request that joins a queue subtracts the queue's clock, and adds it when it
 * leaves: the difference is its wait, to the tick, by cause, for the whole time in which it waited behind others.
 *
 * idle      nothing waits in the queue: who is on the way to it waits for the latency of that way
 * to resolve  WW_CAUSE_L1_MISS and WW_CAUSE_TRANSLATION are waits for misses and translations on their way, which
 *           ww_blame_resolve charges to what those waited for themselves
 *
 * Ticks are kept modulo 2^32, as are stages: a request waits less than that. */
#ifndef WW_MEM_BLAME_H
#define WW_MEM_BLAME_H

#include "engine/engine.h"

/* X(name, statistic, doc) */
#define WW_CAUSES(X)                                                                       \
    X(COALESCER, "coalescer", "the load/store unit sends a number of requests a cycle")    \
    X(TLB, "tlb", "lookups in TLBs")                                                       \
    X(WALKERS, "walkers", "all page-table walkers are busy")                               \
    X(WALK, "walk", "a page walk reads page-table entries")                                \
    X(L1_PORTS, "l1_ports", "the L1's ports or banks are busy")                            \
    X(L1_LATENCY, "l1_latency", "the L1's lookup takes its time")                          \
    X(NETWORK, "network", "the network's width: other packets pass")                       \
    X(NETWORK_LATENCY, "network_latency", "the network's way takes its time")              \
    X(L2_PORTS, "l2_ports", "the L2's ports or banks are busy, or an atomic is performed") \
    X(L2_LATENCY, "l2_latency", "the L2's lookup takes its time")                          \
    X(DRAM_BUS, "dram_bus", "the DRAM's data bus moves other data")                        \
    X(DRAM_BANK, "dram_bank", "the DRAM's banks: rows are opened, closed and refreshed")   \
    X(DRAM_LATENCY, "dram_latency", "the DRAM's data is on its way, or in the controller")

typedef enum ww_cause {
#define WW_CAUSE_NAME(name, statistic, doc) WW_CAUSE_##name,
    WW_CAUSES(WW_CAUSE_NAME)
#undef WW_CAUSE_NAME
        WW_CAUSE_COUNT,
    WW_CAUSE_L1_MISS = WW_CAUSE_COUNT,
    WW_CAUSE_TRANSLATION,
    WW_CAUSE_NONE, /* of a clock: nobody waits */
    WW_CAUSE_ALL
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
    /* Of a DRAM channel: what part of the time the data bus was busy is WW_CAUSE_DRAM_BUS, whatever the cause. */
    uint32_t busy;
    ww_tick busy_until; /* a part of `busy` that is to come */
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

/* From now on the head of the queue waits for what the head of another queue waits for, or for the cause when that is NULL. */
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

/* The blame of a request that waits for nothing more. */
void ww_blame_sum_add(ww_blame_sum *sum, const ww_blame *blame);

/* Splits an amount in proportion to the causes that have names, and adds it to them; the sum is exact. When they have nothing it
 * goes to `otherwise`. */
void ww_blame_split(uint64_t amount, const ww_blame_sum *parts, ww_cause otherwise,
                    uint64_t shares[WW_CAUSE_COUNT]);

/* The same ticks by causes that have names; `misses`: what misses of the L1 waited for. */
ww_blame_sum ww_blame_resolve(const ww_blame_sum *sum, const ww_blame_sum *misses);

#endif
