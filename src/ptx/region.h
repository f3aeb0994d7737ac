/* The influence of a divergent branch: which blocks run split, and where lanes meet again.
 *
 * region    blocks that can be reached from the branch before its reconvergence point
 * merging   blocks where lanes that the branch has sent different ways may meet: the
 *           reconvergence point, and blocks of the region that two disjoint ways lead to */
#ifndef WW_PTX_REGION_H
#define WW_PTX_REGION_H

#include "ptx/flow.h"

typedef struct ww_region {
    const ww_flow *flow;
    uint32_t branch;  /* the block that ends in the branch */
    uint32_t *blocks; /* in the flow's order */
    uint32_t count;
    uint32_t *merging;
    uint32_t merging_count;
    uint32_t *inside; /* by block: `stamp` when in the region */
    uint32_t *merges; /* by block: `stamp` when merging */
    uint32_t stamp;
    uint32_t *rank;  /* by block: place in the flow's order */
    uint32_t *label; /* by block: the last merging block or side that all paths to it passed */
} ww_region;

ww_region *ww_region_create(const ww_flow *flow);
void ww_region_destroy(ww_region *region);
void ww_region_find(ww_region *region, uint32_t branch); /* for one branch block after another */

bool ww_region_has(const ww_region *region, uint32_t block);
/* The same, and for the branch's own block. */
bool ww_region_passes(const ww_region *region, uint32_t block);

#endif
