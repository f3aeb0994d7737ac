/* Literal turns (dissertation on warp criticality, section 3.4.2, as it is printed): in each turn
 * the warp whose counter is zero issues, or none does.
 *
 * turn      a cycle in which the scheduler can issue
 * counter   of a warp: turns until its own. In its turn it is reset, whether the warp can issue or
 *           not, and the counters of all others count down.
 * pool      the number of warps that counters are sized for: the slots of a scheduler, or
 *           core.caws_pool. A usual warp has every pool-th turn, also where fewer warps are
 *           resident.
 * index     of a slot among those of its scheduler. A new warp's first turn is the next one whose
 *           number is its index, modulo the pool.
 *
 * A counter stops at zero. Of several at zero the first that got there has the turn, of equal ones
 * the lowest slot. */
#ifndef WW_CORE_SCHED_TURNS_H
#define WW_CORE_SCHED_TURNS_H

#include "core/sched/caws.h"

/* `due` of `caws` is the number of a turn, and `issues` is not used. */
typedef struct ww_turns {
    ww_caws caws;
    uint64_t next; /* turns before this one are over */
    uint64_t schedulers;
} ww_turns;

/* The contract's functions. The state starts with a ww_turns. */
void ww_turns_start(void *state, const ww_policy_start *start);
uint64_t ww_turns_eligible(void *state, const ww_scheduler_view *view);
unsigned ww_turns_pick(void *state, const ww_scheduler_view *view, uint64_t candidates);
uint64_t ww_turns_before(const void *state, const ww_scheduler_view *view, unsigned picked);
void ww_turns_issued(void *state, unsigned slot);
void ww_turns_warp_ended(void *state, unsigned slot);
/* For pool_changed, which then marks critical and fast warps. */
void ww_turns_update_pool(ww_turns *state, const ww_warp_pool *pool);

#define WW_TURNS_FUNCTIONS                                                    \
    .eligible = ww_turns_eligible, .every_turn = true, .pick = ww_turns_pick, \
    .before = ww_turns_before, .issued = ww_turns_issued, .warp_ended = ww_turns_warp_ended

/* The first pass: the time of each warp under `turns`. */
extern const ww_first_pass_need ww_turns_first_pass;

#endif
