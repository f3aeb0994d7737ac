/* Lookups in the walk caches: a walk waits for a port, then for the lookup's latency. */
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

static void look_up(ww_mmu *mmu, ww_walk_slot *slot)
{
    ww_walk *walk = &slot->walk;
    if (slot->restart) /* its page was invalidated while it waited for a port */
        walk->resume.level = 0;
    slot->restart = false;
    ww_walk_start from = ww_mmu_start_of(mmu, walk, slot->why);
    mmu->counters.resumed += ww_walk_is_known(walk) && from.node == walk->resume.node;
    slot->level = from.level;
    slot->node = from.node;
    if (mmu->config.cache_latency)
        ww_port_send(&mmu->walk_cache_lookups, slot,
                     ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.cache_latency));
    else
        ww_mmu_slot_ready(mmu, slot);
}

/* NULL: all are busy. */
static ww_tick *free_port(ww_mmu *mmu)
{
    for (uint32_t i = 0; i < mmu->config.cache_ports; i++)
        if (mmu->cache_ports[i] <= now_of(mmu))
            return &mmu->cache_ports[i];
    return NULL;
}

static void use_port(ww_mmu *mmu, ww_tick *port, ww_walk_slot *slot)
{
    *port = ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.cache_interval);
    mmu->counters.cache_waiting += now_of(mmu) - slot->started;
    look_up(mmu, slot);
}

void ww_mmu_look_up(ww_mmu *mmu, ww_walk_slot *slot)
{
    if (!mmu->config.cache_ports) {
        look_up(mmu, slot);
        return;
    }
    ww_tick *port = mmu->queued ? NULL : free_port(mmu);
    if (port) {
        use_port(mmu, port, slot);
        return;
    }
    slot->level = WW_NOT_LOOKED_UP;
    slot->link = NULL;
    *(mmu->queued ? &mmu->last_queued->link : &mmu->queued) = slot;
    mmu->last_queued = slot;
}

void ww_mmu_start_queued_lookups(ww_mmu *mmu)
{
    for (ww_tick *port; mmu->queued && (port = free_port(mmu)) != NULL;) {
        ww_walk_slot *slot = mmu->queued;
        mmu->queued = slot->link;
        use_port(mmu, port, slot);
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
    for (ww_walk_slot *slot; (slot = ww_port_peek(&mmu->walk_cache_lookups)) != NULL;) {
        ww_port_pop(&mmu->walk_cache_lookups);
        ww_mmu_slot_ready(mmu, slot);
    }
}

/* ---- walks of compute units ---- */

ww_tick ww_mmu_cache_free_at(const ww_mmu *mmu)
{
    ww_tick first = mmu->config.cache_ports ? WW_NEVER : 0;
    for (uint32_t i = 0; i < mmu->config.cache_ports; i++)
        first = mmu->cache_ports[i] < first ? mmu->cache_ports[i] : first;
    return first;
}

ww_walk_start ww_mmu_look_up_start(ww_mmu *mmu, uint64_t address)
{
    ww_tick *port = free_port(mmu);
    if (port)
        *port = ww_clock_after(mmu->config.clock, now_of(mmu), mmu->config.cache_interval);
    return ww_mmu_start_of(mmu, &(ww_walk){.address = address}, WW_LOOKUP_AT_ONCE);
}
