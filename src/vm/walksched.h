/* Page-walk schedulers: which of the waiting requests a free walker takes up.
 *
 * A policy is asked when a walker is free and at least one request waits that is not held back (walkmerge.h). A request
 * that finds a walker idle when it comes starts at once, and the policy is told, as of those that it selected.
 * scores     requests that wait have the walk caches estimate the reads that they need, their instruction's score is the sum,
 *            and walk-cache entries that an estimate found are protected until the walk (walk_cache.h)
 * ages       a request that `walk.aging` younger ones have passed goes first */
#ifndef WW_VM_WALKSCHED_H
#define WW_VM_WALKSCHED_H

#include "config/policy.h"
#include "vm/walk_buffer.h"

typedef struct ww_walksched {
    ww_policy policy;
    bool scores;
    bool ages;
    void (*start)(void *state, uint64_t seed); /* NULL: nothing to do */
    ww_walk *(*choose)(void *state, const ww_walk_buffer *buffer);
} ww_walksched;

extern const ww_policy_family ww_walksched_family;

#endif
