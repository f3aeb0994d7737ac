/* Attribution: for every warp and cycle the reason why it did not issue, without a visit to every
 * warp in every cycle (dissertation, section 3.2, Algorithm 2).
 *
 * tally      cycles by column and slot (tally.h): what warps wait for (ww_wait), and why ready
 *            warps do not issue. What is left of a warp's cycles is charged to scheduling
 * accounted  cycles before this one are in the tally
 * The masks of issue.h do not change between two calls except through issue.c, which accounts
 * first. attribution.c alone changes ww_attribution and ww_attribution_slot. */
#ifndef WW_CORE_ATTRIBUTION_H
#define WW_CORE_ATTRIBUTION_H

#include "core/issue.h"
#include "core/tally.h"

enum { WW_COLUMN_STRUCTURAL = WW_WAIT_COUNT, WW_COLUMN_MSHR, WW_COLUMN_COUNT };
_Static_assert(WW_COLUMN_COUNT <= WW_TALLY_COLUMNS, "a column for each");

/* Of the slot's warp; all but `reasons` are not in the counters yet. */
typedef struct ww_attribution_slot {
    uint64_t issued;                   /* instructions */
    uint64_t counted_to;               /* the cycle up to which its lifetime is in the counters */
    uint64_t load_hazard;              /* cycles of waits for loads: data hazards, */
    uint64_t load_cache;               /* and data cache */
    uint64_t reasons[WW_REASON_COUNT]; /* cycles that are in the counters */
} ww_attribution_slot;

typedef struct ww_attribution {
    uint64_t accounted;
    uint64_t missed;        /* slots: the load that the warp waits for missed */
    uint64_t mshr_cycles;   /* at the last call of wiring.mshr_cycles */
    uint64_t behind_memory; /* ready slots behind a full load/store unit */
    uint64_t blocked; /* ready slots whose unit was busy at the end of the last cycle that ran */
    ww_tally tally;
} ww_attribution;

/* What the schedulers did in one cycle. */
typedef struct ww_issue_record {
    uint64_t ready; /* at the start of the cycle, as `waiting` */
    uint64_t waiting[WW_WAIT_COUNT];
    uint64_t considered; /* the picked warp and those before it (scheduler.h) */
    uint64_t structural; /* ready, but the unit was busy */
    uint64_t mshr;       /* of those: behind a request without a miss register */
    uint64_t issued;
    uint64_t full; /* slots that need a load/store unit which took none when the cycle started */
} ww_issue_record;

/* A launch begins in this cycle while no warp is resident: nothing is charged for cycles before. */
void ww_attribution_begin(ww_cu *cu, uint64_t cycle);
/* A warp starts in the slot in this cycle. */
void ww_attribution_start(ww_cu *cu, unsigned slot, uint64_t cycle);
/* Charges the cycles before `cycle` in which nothing could issue: every warp keeps the reason that
 * the masks show. */
void ww_attribution_advance(ww_cu *cu, uint64_t cycle);
/* Before schedulers pick: whether the L1 waits for a miss register in this cycle. */
bool ww_attribution_behind_mshr(ww_cu *cu, uint64_t cycle);
/* Charges the cycle in which schedulers picked. */
void ww_attribution_issue(ww_cu *cu, const ww_issue_record *record);
/* After they picked: ready slots behind a full load/store unit, and those whose unit is busy. */
void ww_attribution_end_issue(ww_cu *cu, uint64_t behind, uint64_t blocked, uint64_t cycle);
/* A load of the slot's warp completes. `missed`: the warp waited for it, and it missed in the L1 or
 * was held up by one that did. */
void ww_attribution_load(ww_cu *cu, unsigned slot, bool missed);
/* The slot's wait for a load is over: splits its cycles into data hazard and data cache. */
void ww_attribution_resolve_load(ww_cu *cu, unsigned slot);
/* Moves the slot's cycles up to `cycle` into the counters. */
void ww_attribution_count(ww_cu *cu, unsigned slot, uint64_t cycle);

/* The slot's warp has issued an instruction. */
static inline void ww_attribution_count_issue(ww_attribution_slot *slot)
{
    slot->issued++;
}

#endif
