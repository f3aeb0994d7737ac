/* Lookups in the walk caches: a walker waits for a port, then for the lookup's latency. */
#include "vm/mmu_internal.h"

static ww_tick now_of(const ww_mmu *mmu)
{
    return ww_engine_now(mmu->engine);
}

/* The lower level of the walk caches' start and the one that another walk's line gave it. */
ww_walk_start ww_mmu_start_of(ww_mmu *mmu, const ww_walk *walk, ww_walk_lookup why)
{
    ww_walk_start start = ww_walk_cache_lookup(mmu->cache, walk->address, why);
    if (start.level == WW_LEVELS)
        start.node = ww_mmu_space_of(mmu, walk->address)->root;
    return ww_walk_is_known(walk) && walk->resume.level < start.level ? walk->resume : start;
}

static void look_up(ww_mmu *mmu, ww_walker *walker)
{
    ww_walk *walk = &walker->walk;
    if (walker->restart) /* its page was invalidated while it waited for a port */
        walk->resume.level = 0;
    walker->restart = false;
    ww_walk_start from = ww_mmu_start_of(mmu, walk, walker->why);
    mmu->counters.resumed += ww_walk_is_known(walk) && from.node == walk->resume.node;
    walker->level = from.level;
    walker->node = from.node;
    if (mmu->config.cache_latency)
        ww_port_send(&mmu->walk_cache_lookups, walker,
                     ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.cache_latency));
    else
        ww_mmu_read_entry(mmu, walker);
}

/* NULL: all are busy. */
static ww_tick *free_port(ww_mmu *mmu)
{
    for (uint32_t i = 0; i < mmu->config.cache_ports; i++)
        if (mmu->cache_ports[i] <= now_of(mmu))
            return &mmu->cache_ports[i];
    return NULL;
}

static void use_port(ww_mmu *mmu, ww_tick *port, ww_walker *walker)
{
    *port = ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.cache_interval);
    mmu->counters.cache_waiting += now_of(mmu) - walker->started;
    look_up(mmu, walker);
}

void ww_mmu_look_up(ww_mmu *mmu, ww_walker *walker)
{
    if (!mmu->config.cache_ports) {
        look_up(mmu, walker);
        return;
    }
    ww_tick *port = mmu->queued ? NULL : free_port(mmu);
    if (port) {
        use_port(mmu, port, walker);
        return;
    }
    walker->level = WW_NOT_LOOKED_UP;
    walker->link = NULL;
    *(mmu->queued ? &mmu->last_queued->link : &mmu->queued) = walker;
    mmu->last_queued = walker;
}

void ww_mmu_start_queued_lookups(ww_mmu *mmu)
{
    for (ww_tick *port; mmu->queued && (port = free_port(mmu)) != NULL;) {
        ww_walker *walker = mmu->queued;
        mmu->queued = walker->link;
        use_port(mmu, port, walker);
    }
}

void ww_mmu_wake_for_cache_ports(ww_mmu *mmu)
{
    ww_tick first = WW_NEVER;
    for (uint32_t i = 0; mmu->queued && i < mmu->config.cache_ports; i++)
        first = mmu->cache_ports[i] < first ? mmu->cache_ports[i] : first;
    if (first != WW_NEVER)
        ww_wake(mmu->engine, &mmu->task, first);
}

void ww_mmu_finish_walk_cache_lookups(ww_mmu *mmu)
{
    for (ww_walker *walker; (walker = ww_port_peek(&mmu->walk_cache_lookups)) != NULL;) {
        ww_port_pop(&mmu->walk_cache_lookups);
        ww_mmu_read_entry(mmu, walker);
    }
}
