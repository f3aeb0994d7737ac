/* Page-walk schedulers: which waiting walk an idle walker starts.
 *
 * walk       a request that waits in the walk buffer (walk_buffer.h)
 * held       must not start now, since another walk is about to read its next line (walkmerge.h)
 * scores     the walk caches estimate the reads of each walk that has to wait. Their sum is the
 *            score of the instruction. Walk-cache entries that an estimate hit are protected until
 *            the walk (walk_cache.h).
 * ages       a walk that `walk.aging` younger walks have passed starts without a call of `choose`.
 *            A policy with `scores` or `ages` declares the keys of walksched/isca18.h, so that
 *            users can set them; the MMU reads them.
 *
 * A policy has no other callback. A walk that finds a walker idle starts at once, and a merged walk
 * leaves the buffer, both without a call. The buffer knows the instruction that was served last, at
 * once or selected (ww_walk_buffer_followed). `choose` keeps any other history in the policy's
 * state. A walk that `choose` returned may be held instead of started, where walks are merged; then
 * `choose` is called again without it.
 *
 * Queries of the buffer, which all return eligible walks (not held):
 *   ww_walk_buffer_oldest(buffer)     the first that arrived
 *   ww_walk_buffer_followed(buffer)   the oldest of the instruction served last; or NULL
 *   ww_walk_buffer_least(buffer)      of the instruction with the lowest score; only with `scores`
 *   ww_walk_buffer_any(buffer, i)     each, for i below ww_walk_buffer_eligible(buffer); unordered
 * The first three take constant time. A loop over all costs its time for each selection. Of a
 * walk, `choose` may read `number` (order of arrival), `address`, ww_walk_buffer_score(walk), and
 * `translation->instruction` (its number, the slot of its warp, its address space), and
 * `record->walks`: the number of the instruction's walks so far. */
#ifndef WW_VM_WALKSCHED_H
#define WW_VM_WALKSCHED_H

#include "config/policy.h"
#include "vm/walk_buffer.h"

typedef struct ww_walksched {
    ww_policy policy;
    bool scores;
    bool ages;
    /* Called when a walker is idle and a walk is eligible. Returns an eligible walk, never NULL. It
     * does not change the buffer, and keeps no pointer to a walk: entries are reused. */
    ww_walk *(*choose)(void *state, const ww_walk_buffer *buffer);
} ww_walksched;

extern const ww_policy_family ww_walksched_family;

/* Ends the program with a line that names the policy. */
_Noreturn void ww_walksched_chose_wrongly(const ww_walksched *scheduler, const ww_walk *walk);

/* Calls the policy; a choice that the contract forbids ends the program. */
static inline ww_walk *ww_walksched_choose(const ww_walksched *scheduler, void *state,
                                           const ww_walk_buffer *buffer)
{
    ww_walk *walk = scheduler->choose(state, buffer);
    if (__builtin_expect(!walk || walk->held, 0))
        ww_walksched_chose_wrongly(scheduler, walk);
    return walk;
}

#endif
