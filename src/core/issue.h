/* Issue: which warps are ready, what the others wait for, and the schedulers that pick.
 *
 * examine   find out whether a warp can issue, and if not, why and until when. A warp is examined
 *           when that may have changed, not in every cycle.
 * ready     can issue as soon as its functional unit takes an instruction
 * Each resident warp is ready, or waits for one thing. issue.c (the states of warps; examine.h)
 * and choose.c (what issues) alone change ww_issue and ww_issue_slot, through the functions
 * below. */
#ifndef WW_CORE_ISSUE_H
#define WW_CORE_ISSUE_H

#include "core/core.h"
#include "core/ring.h"
#include "core/units.h"

#define WW_MOST_PERIOD 64 /* of issue, in cycles */

/* What a warp that cannot issue waits for. Whether a wait for a load is a data hazard or the data
 * cache is known when the load completes. */
typedef enum ww_wait {
    WW_WAIT_SYNCHRONISATION,
    WW_WAIT_FETCH,
    WW_WAIT_CONTROL,
    WW_WAIT_OPERAND,
    WW_WAIT_LOAD,
    WW_WAIT_COUNT
} ww_wait;

typedef struct ww_issue_slot {
    uint64_t decided; /* the cycle from which the next instruction is known */
    uint32_t pc;      /* of the next instruction */
    uint8_t unit;     /* of the next instruction; WW_UNIT_COUNT: not known yet */
    uint8_t inside;   /* WW_TIMED_INSIDE of its flags */
    uint8_t wait;     /* ww_wait; WW_WAIT_COUNT: none. Stays WW_WAIT_OPERAND once ready */
    bool is_starved;  /* its buffer has had no instruction behind the last branch since then */
} ww_issue_slot;

/* Masks of slots. */
typedef struct ww_issue {
    uint64_t ready;
    uint64_t waiting[WW_WAIT_COUNT];
    uint64_t outside; /* slots whose next instruction is not WW_TIMED_INSIDE, where it is known */
    uint64_t blocked; /* slots whose unit took no instruction after the last cycle that ran */
    uint64_t ended;   /* slots whose warp ends with this cycle */
    /* What policies with `eligible` (scheduler.h) said, and whether they have to be asked again. */
    uint64_t eligible;     /* slots; all, where the policy has no such function */
    uint64_t unseen;       /* slots of schedulers whose warps have started or ended since then */
    uint64_t seen_waiting; /* slots whose warps waited then */
    uint64_t of_scheduler[WW_MOST_SCHEDULERS];
    void *scheduler_state[WW_MOST_SCHEDULERS];
    uint64_t of_turn[WW_MOST_PERIOD]; /* slots whose scheduler is active, by the cycle's rest */
    ww_ring due;                      /* slots to be examined */
    ww_ring becomes_ready;            /* slots whose last operand becomes ready */
} ww_issue;

struct ww_resident;

/* The rest of a division by the issue period, or by the number of schedulers: often these are
 * powers of two. */
static inline unsigned ww_issue_rest(unsigned over, uint64_t number)
{
    return (unsigned)(over & (over - 1) ? number % over : number & (over - 1));
}

void ww_issue_create(ww_cu *cu);
void ww_issue_destroy(ww_cu *cu);
/* A warp starts in the slot in this cycle, or has ended. */
void ww_issue_start(ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_issue_stop(ww_cu *cu, unsigned slot);
/* Examines the slot's warp. A caller outside of the compute unit's tick wakes the compute unit at
 * that cycle. */
void ww_issue_examine(ww_cu *cu, unsigned slot, uint64_t cycle);
/* Likewise, after the warp has issued an instruction. */
void ww_issue_examine_next(ww_cu *cu, unsigned slot, uint64_t cycle);
/* Examines warps of the group that waited at a barrier; completes barriers if no warp can run. */
void ww_issue_examine_group(ww_cu *cu, struct ww_resident *group, uint64_t cycle);

/* Whether warps become ready or are to be examined in this cycle. */
static inline bool ww_issue_is_due(const ww_issue *issue, uint64_t cycle)
{
    return (issue->due.used | issue->becomes_ready.used) >> cycle % WW_RING & 1;
}

/* The warp has issued a branch: its next instruction is known from `cycle` on. */
static inline void ww_issue_decide(ww_issue_slot *slot, bool is_starved, uint64_t cycle)
{
    slot->decided = cycle;
    slot->is_starved = is_starved;
}

/* Its buffer has instructions. */
static inline void ww_issue_feed(ww_issue_slot *slot)
{
    slot->is_starved = false;
}

/* The slot's warp ends with this cycle. */
static inline void ww_issue_end(ww_issue *issue, unsigned slot)
{
    issue->ended |= 1ull << slot;
}

/* The steps of a cycle: warps become ready; each scheduler picks warps, which execute. Returns the
 * slots whose warps have ended. */
void ww_issue_begin_cycle(ww_cu *cu, uint64_t cycle);
uint64_t ww_issue_run(ww_cu *cu, uint64_t cycle);
/* Whether a ready warp has a free unit, in this cycle or, by its scheduler's period, soon. */
bool ww_issue_has_candidate(const ww_cu *cu);
/* Whether the scheduler can issue in this cycle; the first cycle from this one on in which it can.
 */
bool ww_issue_is_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle);
uint64_t ww_issue_next_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle);
/* The next cycle after this one with work for the schedulers if no other part wakes the compute
 * unit, or WW_NEVER. */
uint64_t ww_issue_next(const ww_cu *cu, uint64_t cycle);

/* The turns (scheduler.h) of the scheduler before this cycle. */
uint64_t ww_issue_turn(const ww_cu *cu, unsigned scheduler, uint64_t cycle);

/* notify_schedulers.c: a group has started or a warp has ended; from `cycle` on. */
void ww_issue_notify_schedulers(const ww_cu *cu, uint64_t cycle);

#endif
