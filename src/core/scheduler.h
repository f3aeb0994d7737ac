/* Warp schedulers: choose which ready warp issues.
 *
 * slot          holds a warp of a compute unit, 0 to 63; a mask has a bit for each
 * candidates    warps that can issue now
 * considered    the warps that a scheduler visits in a cycle, in its order, up to the one it picks
 *               (all, when none can issue). A warp that is not considered is charged to scheduling.
 * pool          the warps of the compute unit, of all its schedulers
 * turn          a cycle in which the scheduler can issue, by its number; all cycles, where
 *               core.issue_period is 1. Turns in which no warp is ready may be skipped.
 * eligible      a warp that the policy lets issue, if it is ready. A warp that is not is charged to
 *               scheduling while it is ready.
 * profiled      cycles of a warp in a first pass, for policies that need one (config/policy.h)
 * Each scheduler has its own state and its own slots; a compute unit may have several. */
#ifndef WW_CORE_SCHEDULER_H
#define WW_CORE_SCHEDULER_H

#include "config/policy.h"

#define WW_MOST_SLOTS 64

typedef struct ww_scheduler_view {
    uint64_t mine;         /* slots of this scheduler that hold a warp */
    const uint64_t *older; /* by slot: slots with older warps */
    uint64_t waiting;      /* slots whose warp waits for memory, or at a barrier or a fence */
    /* By slot (criticality.h), as ww_scheduler_ask left it; NULL: none is predicted, or needed. */
    const uint32_t *criticality;
    struct ww_predictor *predictor; /* for the functions below */
    uint64_t turn;                  /* the number of this cycle; only for `eligible` */
} ww_scheduler_view;

/* Of all warps of a group whose time is known, also those that have ended. */
typedef struct ww_known_times {
    uint64_t cycles, warps;
} ww_known_times;

typedef struct ww_warp_pool {
    uint64_t present;               /* slots of the compute unit that hold a warp */
    uint64_t mine;                  /* of this scheduler */
    const uint32_t *profiled;       /* by slot; 0: not known */
    const uint8_t *group;           /* by slot: its group's index in the compute unit, below 64 */
    const ww_known_times *of_group; /* by that index, of resident groups */
    unsigned groups;                /* resident */
    uint64_t turn;                  /* the first one from which on the pool is this */
} ww_warp_pool;

typedef struct ww_scheduler {
    ww_policy policy;
    bool needs_criticality; /* refused where core.criticality predicts none */
    /* The eligible slots; NULL: all. Called before `pick`, when a warp of `mine` has started or
     * ended, or has begun or ended to wait since the last call: a second call with the same `mine`
     * and `waiting` would return the same. Where `every_turn` is set, it is called in each turn. */
    uint64_t (*eligible)(void *state, const ww_scheduler_view *view);
    bool every_turn; /* eligible slots depend on the turn */
    /* A slot of `candidates`, which is not empty. Changes no state but what follows from the view,
     * and may be called again: `issued` is for history and statistics. */
    unsigned (*pick)(void *state, const ww_scheduler_view *view, uint64_t candidates);
    /* The slots of `mine` that are considered before `picked`: no candidate is one of them. Called
     * before `issued`. */
    uint64_t (*before)(const void *state, const ww_scheduler_view *view, unsigned picked);
    /* Neither may be NULL. */
    void (*issued)(void *state, unsigned slot);
    void (*warp_ended)(void *state, unsigned slot);
    /* For one pool of all schedulers (core.arbitration: policy): the scheduler goes first whose
     * pick has the least `due`. NULL: warps of several schedulers are not compared. */
    uint64_t (*due)(const void *state, unsigned slot);
    /* Another scheduler of the pool has issued. NULL: not called. */
    void (*other_issued)(void *state);
    /* A group has started, or a warp has ended (after `warp_ended`). NULL: not called. */
    void (*pool_changed)(void *state, const ww_warp_pool *pool);
} ww_scheduler;

extern const ww_policy_family ww_scheduler_family;

/* For policies. */

/* Slots of `mine` whose criticality may have changed since the last call; the policy has to ask for
 * each of them. */
uint64_t ww_scheduler_changed(const ww_scheduler_view *view);
/* Brings the criticality of a slot up to date, and returns it. */
uint32_t ww_scheduler_ask(const ww_scheduler_view *view, unsigned slot);

/* The first slot of the mask after `last`, round robin. */
static inline unsigned ww_next_slot(uint64_t mask, unsigned last)
{
    uint64_t after = last < 63 ? mask & (~0ull << (last + 1)) : 0;
    return (unsigned)__builtin_ctzll(after ? after : mask);
}

/* The slots after `last` and before `slot`, round robin. */
static inline uint64_t ww_slots_between(unsigned last, unsigned slot)
{
    uint64_t below = (1ull << slot) - 1;
    uint64_t above = last < 63 ? ~0ull << (last + 1) : 0;
    return slot > last ? below & above : below | above;
}

static inline unsigned ww_oldest_slot(const ww_scheduler_view *view, uint64_t mask)
{
    unsigned best = (unsigned)__builtin_ctzll(mask);
    for (uint64_t older; (older = view->older[best] & mask) != 0;)
        best = (unsigned)__builtin_ctzll(older);
    return best;
}

static inline uint64_t ww_older_slots(const ww_scheduler_view *view, uint64_t mask, unsigned than)
{
    return view->older[than] & mask;
}

#endif
