/* Computes what warps and their requests finally waited for, from what was recorded on the way. */
#include "core/core.h"

static void add_sum(ww_blame_sum *to, const ww_blame_sum *from)
{
    for (unsigned i = 0; i < WW_CAUSE_ALL; i++)
        to->ticks[i] += from->ticks[i];
}

void ww_cu_add_recorded(ww_cu_counters *sum, const ww_cu *cu)
{
    const ww_cu_counters *c = ww_cu_count(cu);
    add_sum(&sum->noted.before_l1, &c->noted.before_l1);
    add_sum(&sum->noted.after_l1, &c->noted.after_l1);
    add_sum(&sum->noted.last, &c->noted.last);
    add_sum(&sum->noted.last_hit, &c->noted.last_hit);
    sum->noted.behind_memory += c->noted.behind_memory;
    sum->request_ticks += c->request_ticks;
    sum->load_hazard += c->load_hazard;
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        sum->reasons[r] += c->reasons[r];
}

/* What was recorded since `before`; all of it when nothing was. */
static ww_blame_sum since(const ww_blame_sum *sum, const ww_blame_sum *before)
{
    ww_blame_sum grown;
    bool any = false;
    for (unsigned i = 0; i < WW_CAUSE_ALL; i++) {
        grown.ticks[i] = sum->ticks[i] - before->ticks[i];
        any |= grown.ticks[i] != 0;
    }
    return any ? grown : *sum;
}

/* What compute units counted since the last time. */
typedef struct growth {
    uint64_t units, mshr, data_cache, load_hazard, behind;
} growth;

static growth growth_of(const ww_cu_counters *sum, const ww_cu_counters *before)
{
    growth g = {.units = sum->reasons[WW_REASON_STRUCTURAL] - before->reasons[WW_REASON_STRUCTURAL],
                .mshr = sum->reasons[WW_REASON_MSHR] - before->reasons[WW_REASON_MSHR],
                .data_cache =
                    sum->reasons[WW_REASON_DATA_CACHE] - before->reasons[WW_REASON_DATA_CACHE],
                .load_hazard = sum->load_hazard - before->load_hazard,
                /* warps that have not ended included */
                .behind = sum->noted.behind_memory - before->noted.behind_memory};
    g.behind = g.behind > g.mshr ? g.behind - g.mshr : 0;
    g.behind = g.behind < g.units ? g.behind : g.units;
    return g;
}

/* A warp waits for its load, for a load/store unit that other warps fill, or for another unit. */
static void resolve_warps(ww_cu_counters *blame, const growth *g, const ww_blame_sum *loads,
                          const ww_blame_sum *hits, const ww_blame_sum *queue)
{
    blame->warp_units += g->units - g->behind;
    ww_blame_split(g->behind + g->mshr, queue, WW_CAUSE_COALESCER, blame->warp_blame);
    ww_blame_split(g->data_cache, loads, WW_CAUSE_L1_LATENCY, blame->warp_blame);
    ww_blame_split(g->load_hazard, hits, WW_CAUSE_L1_LATENCY, blame->warp_blame);
}

void ww_cu_resolve_blame(ww_cu_counters *blame, const ww_cu_counters *sum, ww_cu_counters *before)
{
    const ww_cu_noted *now = &sum->noted, *then = &before->noted;
    ww_blame_sum queue = since(&now->before_l1, &then->before_l1);
    ww_blame_sum misses = since(&now->after_l1, &then->after_l1);
    ww_blame_sum loads = since(&now->last, &then->last);
    ww_blame_sum hits = since(&now->last_hit, &then->last_hit);
    ww_blame_sum all = misses;
    add_sum(&all, &queue);
    all = ww_blame_resolve(&all, &misses);
    queue = ww_blame_resolve(&queue, &misses);
    loads = ww_blame_resolve(&loads, &misses);
    hits = ww_blame_resolve(&hits, &misses);
    growth g = growth_of(sum, before);
    ww_blame_split(sum->request_ticks - before->request_ticks, &all, WW_CAUSE_L1_LATENCY,
                   blame->blame);
    resolve_warps(blame, &g, &loads, &hits, &queue);
    *before = *sum;
}
