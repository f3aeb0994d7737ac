/* Values that lanes bring from different times to a place where they meet.
 *
 * meeting   a merging block of a divergent branch (region.h)
 * maker     a block in the branch's region that dominates the meeting: lanes that passed it on
 *           their way and lanes that did not hold different instances of the values it makes
 * level     makers are numbered from 1, the farthest above the meeting, to `count`, the nearest. A
 *           block has the highest level L such that control can come from the meeting to it
 *           without passing makers L, L+1, ... : there the values of makers up to L are the old
 * ones A block of level 0 sees none of them. */
#ifndef WW_PTX_STALE_H
#define WW_PTX_STALE_H

#include "ptx/region.h"

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
/* For one meeting after another; returns the number of makers. */
uint32_t ww_stale_find(ww_stale *stale, const ww_region *region, uint32_t meeting);
uint32_t ww_stale_level(const ww_stale *stale, uint32_t block);

#endif
