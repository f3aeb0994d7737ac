/* Computes what warps and their requests finally waited for, from what was recorded on the way. */
#include "core/core.h"

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

static uint64_t grown(const ww_cu_counters *c, ww_reason reason)
{
    return c->reasons[reason] - c->waits.resolved_reasons[reason];
}

/* A warp waits for its load, for a load/store unit that other warps fill, or for another unit. */
static void resolve_warps(ww_cu_counters *c, const ww_blame_sum *loads, const ww_blame_sum *hits,
                          const ww_blame_sum *queue)
{
    ww_cu_waits *w = &c->waits;
    uint64_t units = grown(c, WW_REASON_STRUCTURAL), mshr = grown(c, WW_REASON_MSHR);
    uint64_t behind =
        w->noted.behind_memory - w->resolved.behind_memory; /* warps that have not ended included */
    behind = behind > mshr ? behind - mshr : 0;
    behind = behind < units ? behind : units;
    c->warp_units += units - behind;
    ww_blame_split(behind + mshr, queue, WW_CAUSE_COALESCER, c->warp_blame);
    ww_blame_split(grown(c, WW_REASON_DATA_CACHE), loads, WW_CAUSE_L1_LATENCY, c->warp_blame);
    ww_blame_split(c->load_hazard - w->resolved_load_hazard, hits, WW_CAUSE_L1_LATENCY,
                   c->warp_blame);
}

void ww_cu_resolve_blame(ww_cu_counters *c)
{
    ww_cu_waits *w = &c->waits;
    ww_blame_sum queue = since(&w->noted.before_l1, &w->resolved.before_l1);
    ww_blame_sum misses = since(&w->noted.after_l1, &w->resolved.after_l1);
    ww_blame_sum loads = since(&w->noted.last, &w->resolved.last);
    ww_blame_sum hits = since(&w->noted.last_hit, &w->resolved.last_hit);
    ww_blame_sum all = misses;
    for (unsigned i = 0; i < WW_CAUSE_ALL; i++)
        all.ticks[i] += queue.ticks[i];
    all = ww_blame_resolve(&all, &misses);
    queue = ww_blame_resolve(&queue, &misses);
    loads = ww_blame_resolve(&loads, &misses);
    hits = ww_blame_resolve(&hits, &misses);
    ww_blame_split(c->request_ticks - w->resolved_ticks, &all, WW_CAUSE_L1_LATENCY, c->blame);
    resolve_warps(c, &loads, &hits, &queue);
    w->resolved = w->noted;
    w->resolved_ticks = c->request_ticks;
    w->resolved_load_hazard = c->load_hazard;
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        w->resolved_reasons[r] = c->reasons[r];
}
