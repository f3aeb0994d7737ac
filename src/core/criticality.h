/* Criticality: how critical a warp is, as a policy predicts it, for others to ask.
 *
 * criticality   of the warp in a slot: larger is more critical; 0: not known, or no warp
 *
 * Warp schedulers find it in their view (scheduler.h), caches in the requests of the warp
 * (mem/request.h), as it was when the request was sent. The policy may change the criticality of
 * any slot in any of its functions. Each compute unit has a state of its own. */
#ifndef WW_CORE_CRITICALITY_H
#define WW_CORE_CRITICALITY_H

#include "config/policy.h"
#include "core/scheduler.h"

/* The state of a policy begins with it. */
typedef struct ww_warp_criticality {
    uint32_t of_slot[WW_MOST_SLOTS];
} ww_warp_criticality;

typedef struct ww_started_warp {
    uint64_t launch, group; /* by their numbers: from 1, and from 0 */
    uint32_t warp;          /* its index in the group */
    uint32_t profiled;      /* its cycles in a first pass; 0: not known */
    uint64_t cycle;         /* from which on it can issue */
} ww_started_warp;

typedef struct ww_branch_outcome {
    uint32_t pc;    /* of the branch */
    uint32_t next;  /* of the instruction that the warp continues with */
    bool divergent; /* it has split the warp */
} ww_branch_outcome;

/* All but the first may be NULL. */
typedef struct ww_criticality {
    ww_policy policy;
    /* NULL: nothing is predicted; then no function is called. */
    void (*warp_started)(void *state, unsigned slot, const ww_started_warp *warp);
    void (*issued)(void *state, unsigned slot, uint64_t cycle);
    /* A wait is over, just before `issued`: cycles without an issue of the warp. */
    void (*stalled)(void *state, unsigned slot, uint64_t cycles);
    /* After `issued`, for branches of warps that go on. */
    void (*branched)(void *state, unsigned slot, const ww_branch_outcome *branch);
    void (*warp_ended)(void *state, unsigned slot);
} ww_criticality;

extern const ww_policy_family ww_criticality_family;

#endif
