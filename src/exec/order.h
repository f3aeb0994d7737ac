/* Execution order: which ready group or warp runs next when only results matter.
 *
 * ready list   the groups or warps that can run, in launch order, as the executor keeps it
 * run          one launch: each has a state of its own, with the same seed
 * A race-free program gives the same result in every order; running it in several is a way to find
 * out that it is not race-free. */
#ifndef WW_EXEC_ORDER_H
#define WW_EXEC_ORDER_H

#include "config/policy.h"

typedef struct ww_order {
    ww_policy policy;
    /* The index, below ready_count, of the group or warp that runs next; ready_count > 0. */
    size_t (*next)(void *state, size_t ready_count);
} ww_order;

extern const ww_policy_family ww_order_family;

#endif
