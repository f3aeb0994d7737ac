/* Warp schedulers: which of the warps that can issue does.
 *
 * slot          a place for a warp in a compute unit, 0 to 63; a mask has a bit for each
 * candidates    warps that can issue now
 * looked at     the warps that a scheduler examines in a cycle: in its order, up to the one it picks (or all, when
 *               none can issue). Attribution needs it: who is not looked at waits for its turn.
 * pool          the warps of the compute unit, whichever scheduler they belong to
 * foretold      cycles of a warp in a first pass, for policies that have one made (config/policy.h)
 * One scheduler has its own state; a compute unit may have several, each with its own slots. */
#ifndef WW_CORE_SCHEDULER_H
#define WW_CORE_SCHEDULER_H

#include "config/policy.h"

#define WW_MOST_SLOTS 64

typedef struct ww_scheduler_view {
    uint64_t mine;         /* slots of this scheduler that hold a warp */
    const uint64_t *older; /* by slot: those whose warps came before its own */
    uint64_t waiting;      /* slots whose warp waits for memory, or at a barrier or a fence */
} ww_scheduler_view;

typedef struct ww_warp_pool {
    uint64_t present;         /* slots of the compute unit that hold a warp */
    uint64_t mine;            /* of this scheduler */
    const uint32_t *foretold; /* by slot; 0: not known */
    const uint8_t *group;     /* by slot: its group's place in the compute unit, below 64 */
    unsigned groups;          /* that are there */
} ww_warp_pool;

typedef struct ww_scheduler {
    ww_policy policy;
    void (*start)(void *state, const struct ww_config *config);
    /* The slots that may issue at all in this cycle; NULL: all. Asked before pick. */
    uint64_t (*eligible)(void *state, const ww_scheduler_view *view);
    /* A slot of `candidates`, which is not empty. */
    unsigned (*pick)(void *state, const ww_scheduler_view *view, uint64_t candidates);
    /* Who is looked at before `picked`, among `mine`. Asked before ww_scheduler.issued. */
    uint64_t (*before)(const void *state, const ww_scheduler_view *view, unsigned picked);
    void (*issued)(void *state, unsigned slot);
    void (*left)(void *state, unsigned slot); /* its warp has ended */
    /* A group has come, or a warp has ended and `left` was called. NULL: no interest. */
    void (*pool_changed)(void *state, const ww_warp_pool *pool);
} ww_scheduler;

extern const ww_policy_family ww_scheduler_family;

/* For policies. */

/* The first slot of the mask after `last`, going round. */
static inline unsigned ww_next_slot(uint64_t mask, unsigned last)
{
    uint64_t after = last < 63 ? mask & (~0ull << (last + 1)) : 0;
    return (unsigned)__builtin_ctzll(after ? after : mask);
}

/* The slots after `last` and before `slot`, going round. */
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
