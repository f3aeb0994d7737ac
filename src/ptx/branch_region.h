/* The influence of a divergent branch: which blocks run divergent, and where lanes may meet.
 *
 * region    blocks that can be reached from the branch before its reconvergence point
 * merging   blocks where lanes that took different paths from the branch may meet: the
 *           reconvergence point, and blocks of the region that two disjoint paths reach */
#ifndef WW_PTX_BRANCH_REGION_H
#define WW_PTX_BRANCH_REGION_H

#include "ptx/flow.h"

typedef struct ww_branch_region {
    const ww_flow *flow;
    uint32_t branch;  /* the block that ends in the branch */
    uint32_t *blocks; /* in the flow's order */
    uint32_t count;
    uint32_t *merging;
    uint32_t merging_count;
    uint32_t *inside; /* by block: `stamp` when in the region */
    uint32_t *merges; /* by block: `stamp` when merging */
    uint32_t stamp;
    uint32_t *rank;  /* by block: index in the flow's order */
    uint32_t *label; /* by block: the last merging block or side that all paths to it passed */
} ww_branch_region;

ww_branch_region *ww_branch_region_create(const ww_flow *flow);
void ww_branch_region_destroy(ww_branch_region *region);
/* For the branch that ends block `branch`; may be called again for another one. */
void ww_branch_region_find(ww_branch_region *region, uint32_t branch);

bool ww_branch_region_has(const ww_branch_region *region, uint32_t block);
/* The same, and true for the branch's own block. */
bool ww_branch_region_passes(const ww_branch_region *region, uint32_t block);

#endif
