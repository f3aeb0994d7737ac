/* Page-walk schedulers: which of the waiting requests a free walker takes up.
 *
 * walk       a request that waits in the walk buffer (walk_buffer.h)
 * held       not to be taken up now, since another walk is about to bring what it needs (walkmerge.h)
 * scores     walks that come to wait have the walk caches estimate the reads that they need, their instruction's score is the
 *            sum, and walk-cache entries that an estimate found are protected until the walk (walk_cache.h)
 * ages       a walk that `walk.aging` younger ones have passed goes first, without `choose`
 *
 * A policy is asked, never told: a walk that finds a walker idle when it comes starts at once, and one that the line of another
 * walk answers is gone, both without a call. What a policy may want to know of the past is in the buffer: the instruction
 * that was served last, at once or selected (ww_walk_buffer_followed). Anything else is its own state, written in `choose`. What
 * `choose` returned need not start: where walks are merged it may be held instead, and the question comes again without it.
 *
 * What `choose` can ask the buffer for, always a walk that is not held:
 *   ww_walk_buffer_oldest(buffer)     the first that came
 *   ww_walk_buffer_followed(buffer)   the oldest of the instruction that was served last; NULL: none of it waits
 *   ww_walk_buffer_least(buffer)      of the instruction with the lowest score; only with `scores`
 *   ww_walk_buffer_any(buffer, i)     each of them, for i below ww_walk_buffer_free(buffer), in no order that means anything
 * The first three take the same time however many wait; going through all of them happens for each walk that is selected. Of a
 * walk it may read `number` (its age: the order of coming), `address`, ww_walk_buffer_score(walk), and
 * `translation->story`: `number` is the instruction, `wave` the warp, `walks` how many of it have come so far. */
#ifndef WW_VM_WALKSCHED_H
#define WW_VM_WALKSCHED_H

#include "config/policy.h"
#include "vm/walk_buffer.h"

typedef struct ww_walksched {
    ww_policy policy;
    bool scores;
    bool ages;
    /* Prepares policy.state_size bytes of state; called once before a run. NULL: nothing to do. */
    void (*start)(void *state, uint64_t seed);
    /* A walker is idle, and at least one walk waits that is not held. Returns one such walk, never NULL. It changes
     * nothing in the buffer, and keeps no pointer to a walk: places are used again. */
    ww_walk *(*choose)(void *state, const ww_walk_buffer *buffer);
} ww_walksched;

extern const ww_policy_family ww_walksched_family;

/* Ends the program with a line that names the policy. */
_Noreturn void ww_walksched_chose_wrongly(const ww_walksched *scheduler, const ww_walk *walk);

/* Asks the policy; an answer that the contract forbids ends the program. */
static inline ww_walk *ww_walksched_choose(const ww_walksched *scheduler, void *state,
                                           const ww_walk_buffer *buffer)
{
    ww_walk *walk = scheduler->choose(state, buffer);
    if (__builtin_expect(!walk || walk->held, 0))
        ww_walksched_chose_wrongly(scheduler, walk);
    return walk;
}

#endif
