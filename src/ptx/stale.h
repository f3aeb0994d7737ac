/* Stale values: lanes that meet may hold values from different iterations of a loop.
 *
 * meeting   a merging block of a divergent branch (branch_region.h)
 * maker     a block in the branch's region that dominates the meeting: lanes that executed it since
 *           the branch and lanes that did not hold different instances of the values it writes
 * level     makers are numbered from 1, the farthest above the meeting, to `count`, the nearest. A
 *           block has the highest level L such that a path from the meeting to it avoids makers L,
 *           L+1, ... : there the values of makers up to L are stale. A block of level 0 sees no
 *           stale value. */
#ifndef WW_PTX_STALE_H
#define WW_PTX_STALE_H

#include "ptx/branch_region.h"

typedef struct ww_stale {
    const ww_flow *flow;
    uint32_t *makers; /* blocks, by level - 1 */
    uint32_t count;
    uint32_t *level; /* by block, when seen */
    uint32_t *seen;  /* by block: `stamp` when its level is final */
    uint32_t *first; /* by level: list of blocks to visit; the next in `next` */
    uint32_t *next;  /* by entry of `waiting` */
    uint32_t *waiting;
    uint32_t waiting_count;
    uint32_t stamp;
} ww_stale;

ww_stale *ww_stale_create(const ww_flow *flow);
void ww_stale_destroy(ww_stale *stale);
/* Sets the levels for one meeting; returns the number of makers. */
uint32_t ww_stale_find(ww_stale *stale, const ww_branch_region *region, uint32_t meeting);
uint32_t ww_stale_level(const ww_stale *stale, uint32_t block);

#endif
