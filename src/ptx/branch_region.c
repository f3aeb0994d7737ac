#include "ptx/branch_region.h"

#include <string.h>

#define NO_LABEL UINT32_MAX
#define DIFFERENT (UINT32_MAX - 1)

ww_branch_region *ww_branch_region_create(const ww_flow *flow)
{
    uint32_t nodes = flow->block_count + 1;
    ww_branch_region *r = ww_calloc(1, sizeof *r);
    r->flow = flow;
    r->blocks = ww_calloc(nodes, sizeof *r->blocks);
    r->merging = ww_calloc(nodes, sizeof *r->merging);
    r->inside = ww_calloc(nodes, sizeof *r->inside);
    r->merges = ww_calloc(nodes, sizeof *r->merges);
    r->rank = ww_calloc(nodes, sizeof *r->rank);
    r->label = ww_calloc(nodes, sizeof *r->label);
    for (uint32_t i = 0; i < flow->order_count; i++)
        r->rank[flow->order[i]] = i;
    return r;
}

void ww_branch_region_destroy(ww_branch_region *region)
{
    if (!region)
        return;
    free(region->blocks);
    free(region->merging);
    free(region->inside);
    free(region->merges);
    free(region->rank);
    free(region->label);
    free(region);
}

static void enter_successors(ww_branch_region *r, uint32_t block)
{
    const ww_block *b = &r->flow->blocks[block];
    uint32_t end = r->flow->blocks[r->branch].post_dominator;
    for (uint32_t s = 0; s < b->successor_count; s++) {
        uint32_t to = b->successors[s];
        if (to == end || to == r->flow->block_count || r->inside[to] == r->stamp)
            continue;
        r->inside[to] = r->stamp;
        r->blocks[r->count++] = to;
    }
}

/* Lists the region's blocks in the flow's order. */
static void sort_blocks(ww_branch_region *r)
{
    uint32_t low = UINT32_MAX, high = 0, left = r->count;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t rank = r->rank[r->blocks[i]];
        low = rank < low ? rank : low;
        high = rank > high ? rank : high;
    }
    r->count = 0;
    for (uint32_t i = low; left > 0 && i <= high; i++)
        if (r->inside[r->flow->order[i]] == r->stamp)
            r->blocks[r->count++] = r->flow->order[i];
}

bool ww_branch_region_has(const ww_branch_region *region, uint32_t block)
{
    return region->inside[block] == region->stamp;
}

bool ww_branch_region_passes(const ww_branch_region *region, uint32_t block)
{
    return block == region->branch || ww_branch_region_has(region, block);
}

/* The label that a block gets from its predecessors: theirs when they agree, else DIFFERENT. On the
 * edge from the branch, a block's label is the block itself. */
static uint32_t label_of(const ww_branch_region *r, uint32_t block, bool *cyclic)
{
    const ww_block *b = &r->flow->blocks[block];
    uint32_t label = NO_LABEL;
    for (uint32_t p = 0; p < b->predecessor_count; p++) {
        uint32_t from = b->predecessors[p];
        if (!ww_branch_region_passes(r, from))
            continue;
        *cyclic |= r->rank[from] >= r->rank[block];
        uint32_t theirs = from == r->branch ? block : r->label[from];
        if (theirs == NO_LABEL || theirs == label)
            continue;
        if (label != NO_LABEL)
            return DIFFERENT;
        label = theirs;
    }
    return label;
}

/* Without a back edge one sweep is enough. With one, sweeps repeat until nothing changes; they end
 * because a merging block stays merging. */
static void find_merging(ww_branch_region *r)
{
    uint32_t *merging = r->merging;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; i++)
        r->label[r->blocks[i]] = NO_LABEL;
    bool cyclic = true;
    for (bool changed = true; changed && cyclic;) {
        changed = cyclic = false;
        for (uint32_t i = 0; i < r->count; i++) {
            uint32_t block = r->blocks[i];
            if (r->merges[block] == r->stamp)
                continue;
            uint32_t label = label_of(r, block, &cyclic);
            if (label == DIFFERENT) {
                r->merges[block] = r->stamp;
                merging[count++] = block;
                label = block;
            }
            changed |= label != r->label[block];
            r->label[block] = label;
        }
    }
    uint32_t end = r->flow->blocks[r->branch].post_dominator;
    if (end != r->flow->block_count)
        merging[count++] = end;
    r->merging_count = count;
}

void ww_branch_region_find(ww_branch_region *region, uint32_t branch)
{
    region->branch = branch;
    region->stamp++;
    region->count = 0;
    enter_successors(region, branch);
    for (uint32_t i = 0; i < region->count; i++)
        enter_successors(region, region->blocks[i]);
    sort_blocks(region);
    find_merging(region);
}
