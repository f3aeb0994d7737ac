#include "ptx/stale.h"

#include "ptx/graph.h"

#define END UINT32_MAX

ww_stale *ww_stale_create(const ww_flow *flow)
{
    uint32_t nodes = flow->block_count + 1;
    uint32_t entries = flow->graph->edge_count + 1;
    ww_stale *s = ww_calloc(1, sizeof *s);
    s->flow = flow;
    s->makers = ww_calloc(nodes, sizeof *s->makers);
    s->level = ww_calloc(nodes, sizeof *s->level);
    s->seen = ww_calloc(nodes, sizeof *s->seen);
    s->first = ww_calloc(nodes + 1u, sizeof *s->first);
    s->next = ww_calloc(entries, sizeof *s->next);
    s->waiting = ww_calloc(entries, sizeof *s->waiting);
    return s;
}

void ww_stale_destroy(ww_stale *stale)
{
    if (!stale)
        return;
    free(stale->makers);
    free(stale->level);
    free(stale->seen);
    free(stale->first);
    free(stale->next);
    free(stale->waiting);
    free(stale);
}

static void find_makers(ww_stale *s, const ww_branch_region *region, uint32_t meeting)
{
    s->count = 0;
    uint32_t above = s->flow->blocks[meeting].dominator;
    for (; above != WW_NO_BLOCK; above = s->flow->blocks[above].dominator)
        if (ww_branch_region_has(region, above))
            s->makers[s->count++] = above;
    for (uint32_t i = 0; i < s->count / 2; i++) {
        uint32_t other = s->makers[s->count - 1 - i];
        s->makers[s->count - 1 - i] = s->makers[i];
        s->makers[i] = other;
    }
}

/* How many makers strictly dominate a block. Each maker dominates the next: these are the first. */
static uint32_t makers_above(const ww_stale *s, uint32_t block)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t maker = s->makers[middle];
        if (maker != block && ww_flow_dominates(s->flow, maker, block))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void visit_later(ww_stale *s, uint32_t block, uint32_t level)
{
    s->waiting[s->waiting_count] = block;
    s->next[s->waiting_count] = s->first[level];
    s->first[level] = s->waiting_count++;
}

static void visit(ww_stale *s, uint32_t block, uint32_t level)
{
    const ww_block *b = &s->flow->blocks[block];
    s->seen[block] = s->stamp;
    s->level[block] = level;
    for (uint32_t n = 0; n < b->successor_count; n++) {
        uint32_t to = b->successors[n];
        if (to == s->flow->block_count || s->seen[to] == s->stamp)
            continue;
        uint32_t above = makers_above(s, to);
        uint32_t least = above < level ? above : level;
        if (least > 0)
            visit_later(s, to, least);
    }
}

/* Visits blocks from the highest level down, so that the first visit of a block sets its level. */
uint32_t ww_stale_find(ww_stale *stale, const ww_branch_region *region, uint32_t meeting)
{
    find_makers(stale, region, meeting);
    stale->stamp++;
    stale->waiting_count = 0;
    if (stale->count == 0)
        return 0;
    for (uint32_t level = 0; level <= stale->count; level++)
        stale->first[level] = END;
    visit_later(stale, meeting, stale->count);
    for (uint32_t level = stale->count; level > 0; level--)
        while (stale->first[level] != END) {
            uint32_t entry = stale->first[level];
            stale->first[level] = stale->next[entry];
            if (stale->seen[stale->waiting[entry]] != stale->stamp)
                visit(stale, stale->waiting[entry], level);
        }
    return stale->count;
}

uint32_t ww_stale_level(const ww_stale *stale, uint32_t block)
{
    return stale->seen[block] == stale->stamp ? stale->level[block] : 0;
}
