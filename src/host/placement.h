/* Placement: the virtual address of a new buffer.
 *
 * `guarded` is the default: a wild index faults instead of reaching another buffer. Timed machines
 * choose `packed` in their file, because the distances between buffers decide which page-table
 * nodes and cache sets they share. */
#ifndef WW_HOST_PLACEMENT_H
#define WW_HOST_PLACEMENT_H

#include "config/policy.h"
#include "exec/memory.h"

#define WW_PLACEMENT_FIRST UINT64_C(0x100000000) /* no buffer lies below: null stays invalid */

typedef struct ww_placement {
    ww_policy policy;
    /* The address of a buffer of `size` bytes, at least `end`: the next one after those below it.
     * Asked for each range that could take the buffer, not only for the one that does. */
    uint64_t (*place)(void *state, uint64_t end, uint64_t size);
} ww_placement;

extern const ww_policy_family ww_placement_family;

#endif
