/* Makes paging from its configuration: the link, DMA, migration, the driver and their policies. */
#include "paging/paging_internal.h"

static const ww_policy *policy_of(const ww_config *config, const char *key)
{
    return ww_config_policy(config, key);
}

static void create_link(ww_paging *p, const ww_config *config)
{
    const ww_paging_wiring *w = &p->wiring;
    ww_paging_services scale = {.base_hertz = w->base_hertz};
    ww_pcie_config link = {
        .base_hertz = w->base_hertz,
        .bandwidth = ww_config_bytes_per_second(config, "paging.link_bandwidth"),
        .latency = ww_paging_ticks(&scale, ww_config_picoseconds(config, "paging.link_latency")),
        .payload = (uint32_t)ww_config_bytes(config, "paging.link_payload"),
        .header = (uint32_t)ww_config_bytes(config, "paging.link_header"),
        .duplex = ww_config_bool(config, "paging.link_duplex")};
    p->pcie = ww_pcie_create(&link, w->engine, p->timers);
    p->dma = ww_dma_create(
        &(ww_dma_config){.clock = w->clock,
                         .line = w->line,
                         .sector = w->sector,
                         .outstanding = (uint32_t)ww_config_u64(config, "paging.dma_outstanding"),
                         .lines_per_cycle = 1},
        w->engine, w->pool);
}

static void create_remote(ww_paging *p, const ww_config *config)
{
    ww_paging_services scale = {.base_hertz = p->wiring.base_hertz};
    uint64_t host = ww_config_picoseconds(config, "paging.host_latency");
    ww_remote_config c = {.sector = p->wiring.sector,
                          .outstanding = (uint32_t)ww_config_u64(config, "paging.host_outstanding"),
                          .producers = p->wiring.networks,
                          .memory_ticks = ww_paging_ticks(&scale, host)};
    p->remote = ww_remote_create(&c, p->wiring.engine, p->timers, p->pcie);
}

static void create_migration(ww_paging *p, const ww_config *config)
{
    uint64_t page_bytes = 1ull << p->residency.page_shift;
    bool demand = p->mode == WW_PAGING_DEMAND;
    bool chunks = demand && ww_config_choice(config, "paging.chunk") == 1;
    p->chunk_pages = chunks ? p->residency.block_pages : 1;
    p->evict = (const ww_evict *)(const void *)policy_of(config, "paging.evict");
    p->evict_state = ww_policy_create(&p->evict->policy, &p->wiring.start);
    p->migration = ww_migration_create(
        &(ww_migration_config){
            .page_bytes = page_bytes,
            .chunk_pages = p->chunk_pages,
            .always_back = demand && ww_config_choice(config, "paging.write_back") == 1,
            .flushes_all = demand && ww_config_choice(config, "paging.flush") == 1,
            .zero_fill = demand && ww_config_bool(config, "paging.zero_fill")},
        &(ww_migration_wiring){.timers = p->timers,
                               .residency = &p->residency,
                               .pcie = p->pcie,
                               .dma = p->dma,
                               .evict = p->evict,
                               .evict_state = p->evict_state,
                               .memory = p->wiring.memory,
                               .counters = &p->counters,
                               .arrived = ww_paging_arrived,
                               .starved = ww_paging_starved,
                               .migrated = p->observer.migrated ? ww_paging_migrated : NULL,
                               .evicted = p->observer.evicted ? ww_paging_evicted : NULL,
                               .mapped = p->observer.mapped ? ww_paging_mapped : NULL,
                               .context = p});
}

static void create_driver(ww_paging *p, const ww_config *config)
{
    ww_paging_services *s = &p->services;
    uint64_t page_bytes = 1ull << p->residency.page_shift;
    p->driver = (const ww_paging_driver *)(const void *)policy_of(config, "paging.driver");
    *s = (ww_paging_services){
        .timers = p->timers,
        .residency = &p->residency,
        .migration = p->migration,
        .pcie = p->pcie,
        .hardware = ww_paging_observed_hardware(p),
        .counters = &p->counters,
        .prefetch = (const ww_prefetch *)(const void *)policy_of(config, "paging.prefetch"),
        .warm = (const ww_prefetch *)(const void *)policy_of(config, "paging.warm"),
        .order = p->wiring.order,
        .order_count = p->wiring.order_count,
        .base_hertz = p->wiring.base_hertz,
        .page_ticks = ww_pcie_ticks(p->pcie, page_bytes),
        .page_bytes = page_bytes};
    s->prefetch_state = ww_policy_create(&s->prefetch->policy, &p->wiring.start);
    s->warm_state = ww_policy_create(&s->warm->policy, &p->wiring.start);
    p->driver_state = ww_policy_create(&p->driver->policy, &p->wiring.start);
    p->driver->connect(p->driver_state, s);
    if (p->driver->explain)
        ww_engine_add_explainer(p->wiring.engine, p->driver->explain, p->driver_state);
}

ww_paging *ww_paging_create(const ww_config *config, const ww_paging_wiring *wiring)
{
    ww_paging *p = ww_calloc(1, sizeof(*p));
    p->wiring = *wiring;
    p->wiring.start.prefix = "paging";
    p->observer = wiring->observer ? *wiring->observer : (ww_paging_observer){0};
    p->mode = ww_paging_mode_of(config);
    p->copy = (ww_copy_mode)ww_config_choice(config, "paging.copy");
    p->fraction =
        p->mode == WW_PAGING_DEMAND ? ww_config_double(config, "paging.resident_fraction") : 1;
    p->timers = ww_timers_create(wiring->engine);
    ww_page_residency_init(&p->residency, wiring->page_shift);
    p->handlers = ww_calloc(wiring->hardware.cus, sizeof(*p->handlers));
    for (unsigned i = 0; i < wiring->hardware.cus; i++)
        p->handlers[i] = (ww_cu_handler){p, i};
    create_link(p, config);
    create_remote(p, config);
    create_migration(p, config);
    if (p->mode == WW_PAGING_DEMAND)
        create_driver(p, config);
    return p;
}

void ww_paging_connect(ww_paging *p, const ww_paging_network *network)
{
    ww_dma_connect(p->dma, network->dma, network->source);
    ww_remote_connect(p->remote, network->replies, network->sources);
}

ww_port *ww_paging_host_port(ww_paging *p)
{
    return ww_remote_in(p->remote);
}

ww_port *ww_paging_replies(ww_paging *p)
{
    return ww_dma_replies(p->dma);
}

static void destroy_driver(ww_paging *p)
{
    const ww_paging_services *s = &p->services;
    if (!p->driver)
        return;
    if (p->driver->destroy)
        p->driver->destroy(p->driver_state);
    ww_policy_destroy(&p->driver->policy, &p->wiring.start, p->driver_state);
    ww_policy_destroy(&s->prefetch->policy, &p->wiring.start, s->prefetch_state);
    ww_policy_destroy(&s->warm->policy, &p->wiring.start, s->warm_state);
}

void ww_paging_destroy(ww_paging *p)
{
    if (!p)
        return;
    ww_pcie_destroy(p->pcie); /* clears its timers, while others that are set still exist */
    destroy_driver(p);
    ww_migration_destroy(p->migration);
    ww_policy_destroy(&p->evict->policy, &p->wiring.start, p->evict_state);
    ww_remote_destroy(p->remote);
    ww_dma_destroy(p->dma);
    ww_number_map_clear(&p->unwritten);
    ww_page_residency_clear(&p->residency);
    ww_timers_destroy(p->timers);
    free(p->handlers);
    free(p);
}
