#include "paging/paging.h"

#include "base/memory.h"
#include "paging/remote.h"

#include <math.h>

/* The context of a compute unit's fault handler. */
typedef struct handler {
    ww_paging *paging;
    unsigned cu;
} handler;

struct ww_paging {
    ww_paging_mode mode;
    ww_copy_mode copy;
    double fraction;
    ww_paging_wiring wiring;
    ww_timers *timers;
    ww_page_residency residency;
    ww_pcie *pcie;
    ww_dma *dma;
    ww_remote *remote;
    ww_migration *migration;
    uint32_t chunk_pages;
    const ww_evict *evict;
    void *evict_state;
    const ww_paging_driver *driver; /* of mode demand */
    void *driver_state;
    ww_paging_services services;
    handler *handlers;
    bool too_small;   /* memory, for an instruction */
    uint64_t copying; /* pages on their way before a launch, or after the last */
    ww_tick copy_since;
    ww_paging_counters counters;
    ww_paging_observer observer;
};

/* ---- the observer ---- */

static uint64_t cycle_now(const ww_paging *p)
{
    return ww_clock_cycle(p->wiring.clock, ww_engine_now(p->wiring.engine));
}

static void observe_migrated(void *context, const ww_page_record *record, ww_tick since)
{
    const ww_paging *p = context;
    ww_tick now = ww_engine_now(p->wiring.engine), ago = ww_timers_now(p->timers) - since;
    p->observer.migrated(p->observer.context, ww_clock_cycle(p->wiring.clock, now - ago),
                         cycle_now(p), ww_page_residency_page(&p->residency, record),
                         record->demanded);
}

static void observe_evicted(void *context, const ww_page_record *record, bool sent_back)
{
    const ww_paging *p = context;
    p->observer.evicted(p->observer.context, cycle_now(p),
                        ww_page_residency_page(&p->residency, record), sent_back);
}

static bool observe_replay(void *context, unsigned cu, uint64_t page)
{
    const ww_paging *p = context;
    p->observer.replayed(p->observer.context, cycle_now(p), cu, page);
    return p->wiring.hardware.replay(p->wiring.hardware.context, cu, page);
}

static void block(void *context, unsigned cu, bool blocked)
{
    const ww_paging *p = context;
    p->wiring.hardware.block(p->wiring.hardware.context, cu, blocked);
}

static ww_paging_hardware observed_hardware(ww_paging *p)
{
    if (!p->observer.replayed)
        return p->wiring.hardware;
    return (ww_paging_hardware){
        .replay = observe_replay, .block = block, .context = p, .cus = p->wiring.hardware.cus};
}

/* ---- pages that arrive ---- */

static void count_copied(ww_paging *p)
{
    if (--p->copying)
        return;
    p->counters.copy_ticks += ww_timers_now(p->timers) - p->copy_since;
}

static void arrived(void *context, ww_page_record *record)
{
    ww_paging *p = context;
    if (p->mode == WW_PAGING_COPY)
        count_copied(p);
    else
        p->driver->arrived(p->driver_state, record);
}

static void starved(void *context)
{
    const ww_paging *p = context;
    if (p->driver && p->driver->starved)
        p->driver->starved(p->driver_state);
}

/* ---- faults ---- */

static ww_fault_verdict fault(void *context, const ww_page_fault *what)
{
    const handler *h = context;
    ww_paging *p = h->paging;
    ww_page_record *record = ww_page_residency_find(&p->residency, what->page);
    if (!record || what->status != WW_FAR_FAULT || p->mode != WW_PAGING_DEMAND)
        return WW_FAULT_FINAL;
    p->counters.faults++;
    if (p->observer.faulted)
        p->observer.faulted(p->observer.context, cycle_now(p), h->cu, what->page, what->writes);
    if (what->pages > ww_migration_capacity(p->migration)) {
        p->too_small = true;
        p->wiring.memory.out_of_memory(p->wiring.memory.context);
        return WW_FAULT_PARK;
    }
    uint64_t senior = ww_migration_senior(p->migration);
    if (!senior || what->instruction.number < senior)
        ww_migration_set_senior(p->migration, what->instruction.number);
    if (ww_migration_senior(p->migration) == what->instruction.number)
        record->senior = what->instruction.number;
    p->driver->fault(p->driver_state, h->cu, record, what);
    return WW_FAULT_PARK;
}

static void translated(void *context, const ww_translation *t)
{
    const handler *h = context;
    ww_paging *p = h->paging;
    ww_page_record *record = ww_page_residency_find(&p->residency, t->page);
    if (!record)
        return;
    if (p->observer.accessed)
        p->observer.accessed(p->observer.context, cycle_now(p), t->page);
    if (p->evict->accessed && record->state == WW_PAGE_RESIDENT)
        p->evict->accessed(p->evict_state, &p->residency, record);
    p->counters.prefetched_used += record->unused;
    record->unused = false;
    record->dirty |= t->writes;
    if (p->wiring.own_page)
        record->senior = 0; /* its lines are sent */
    else if (t->instruction.number == ww_migration_senior(p->migration))
        record->senior = t->instruction.number;
    if (!record->pins || !p->driver)
        return;
    p->driver->translated(p->driver_state, h->cu, record);
    ww_migration_retry(p->migration);
}

static void completed(void *context, const ww_instruction_id *instruction)
{
    const handler *h = context;
    ww_migration *m = h->paging->migration;
    if (ww_migration_senior(m) != instruction->number)
        return;
    ww_migration_set_senior(m, 0);
    ww_migration_retry(m);
}

ww_fault_handler ww_paging_handler(ww_paging *p, unsigned cu)
{
    return (ww_fault_handler){.fault = fault,
                              .translated = translated,
                              .completed = completed,
                              .context = &p->handlers[cu]};
}

/* ---- buffers ---- */

static void put_pages(ww_paging *p, uint64_t address, uint64_t bytes)
{
    uint64_t page = 1ull << p->residency.page_shift;
    for (uint64_t at = address - address % page; at < address + bytes; at += page) {
        ww_page_record *record =
            ww_page_residency_find(&p->residency, at >> p->residency.page_shift);
        if (record->state == WW_PAGE_ON_HOST)
            ww_migration_put(p->migration, record);
    }
}

/* Chunks that pages of buffers are in. */
static uint64_t count_chunks(const ww_paging *p)
{
    uint64_t count = 0;
    if (p->chunk_pages == 1)
        return p->residency.pages;
    for (size_t i = 0; i < p->residency.block_count; i++) {
        const ww_page_block *block = p->residency.blocks[i];
        count += block->on_host + block->resident + block->moving > 0;
    }
    return count;
}

static void set_capacity(ww_paging *p)
{
    double chunks = ceil(p->fraction * (double)count_chunks(p));
    ww_migration_set_capacity(p->migration, (uint64_t)chunks * p->chunk_pages);
    p->counters.pages =
        p->residency.pages > p->counters.pages ? p->residency.pages : p->counters.pages;
}

void ww_paging_add_buffer(ww_paging *p, uint64_t address, uint64_t bytes, bool host_wrote)
{
    bool inputs = p->copy == WW_COPY_INPUTS || p->copy == WW_COPY_INPUTS_BACK;
    ww_page_residency_add(&p->residency, address, bytes);
    set_capacity(p);
    if (p->mode == WW_PAGING_COPY && inputs && !host_wrote)
        put_pages(p, address, bytes);
}

static void gone(void *context, ww_page_record *record)
{
    ww_paging *p = context;
    ww_migration_forget(p->migration, record);
}

void ww_paging_remove_buffer(ww_paging *p, uint64_t address, uint64_t bytes)
{
    ww_page_residency_remove(&p->residency, address, bytes, gone, p);
}

static void apply_hints(ww_paging *p, ww_page_record *record, const ww_paging_hints *hints)
{
    record->prefers_host = hints->prefers_host && !hints->prefetch;
    record->read_mostly = hints->read_mostly;
    if (record->state != WW_PAGE_ON_HOST || record->chosen)
        return;
    if (hints->prefetch)
        ww_migration_bring(p->migration, record, 0);
    else if (hints->mapped)
        ww_migration_map_host(p->migration, record);
}

void ww_paging_hint(ww_paging *p, uint64_t address, uint64_t bytes, const ww_paging_hints *hints)
{
    uint64_t page = 1ull << p->residency.page_shift;
    if (p->mode != WW_PAGING_DEMAND)
        return;
    for (uint64_t at = address - address % page; at < address + bytes; at += page)
        apply_hints(p, ww_page_residency_find(&p->residency, at >> p->residency.page_shift), hints);
}

/* ---- launches ---- */

static void copy_in(ww_paging *p)
{
    p->copy_since = ww_timers_now(p->timers);
    for (ww_page_record *it; (it = ww_page_residency_next_candidate(&p->residency, 0)) != NULL;) {
        p->copying++;
        it->demanded = true;
        ww_migration_bring(p->migration, it, 0);
    }
}

void ww_paging_resume(ww_paging *p, ww_tick at)
{
    ww_timers_resume(p->timers, at);
    ww_dma_resume(p->dma, at);
}

void ww_paging_begin_launch(ww_paging *p, ww_tick at)
{
    ww_paging_resume(p, at);
    if (p->mode == WW_PAGING_COPY)
        copy_in(p);
    else
        p->driver->launch(p->driver_state);
}

void ww_paging_end_launch(ww_paging *p)
{
    ww_timers_pause(p->timers);
    ww_dma_pause(p->dma);
}

bool ww_paging_is_copying(const ww_paging *p)
{
    return p->copying != 0;
}

static void sent_back(void *context, ww_page_record *record)
{
    (void)record;
    count_copied(context);
}

bool ww_paging_copies_back(const ww_paging *p)
{
    return p->mode == WW_PAGING_COPY && p->copy >= WW_COPY_ALL_BACK;
}

void ww_paging_copy_back(ww_paging *p)
{
    p->copy_since = ww_timers_now(p->timers);
    for (size_t i = 0; i < p->residency.resident.count; i++) {
        ww_page_record *record = p->residency.resident.items[i];
        if (!record->dirty)
            continue;
        p->copying++;
        ww_migration_copy_back(p->migration, record, sent_back, p);
    }
}

/* ---- results ---- */

bool ww_paging_is_stuck(const ww_paging *p)
{
    return p->too_small || ww_migration_is_stuck(p->migration);
}

uint64_t ww_paging_capacity(const ww_paging *p)
{
    return ww_migration_capacity(p->migration);
}

const ww_paging_counters *ww_paging_count(const ww_paging *p)
{
    return &p->counters;
}

void ww_paging_collect_stats(ww_paging *p)
{
    const ww_pcie_counters *in = ww_pcie_count(p->pcie, WW_PCIE_TO_GPU);
    const ww_pcie_counters *out = ww_pcie_count(p->pcie, WW_PCIE_TO_HOST);
    p->counters.link_bytes_in = in->bytes;
    p->counters.link_bytes_out = out->bytes;
    p->counters.link_busy_in = in->busy_ticks;
    p->counters.link_busy_out = out->busy_ticks;
    p->counters.link_wait = in->waiting_ticks + out->waiting_ticks;
    p->counters.ticks = ww_timers_now(p->timers);
    p->counters.remote = ww_remote_count(p->remote);
}

ww_paging_sample ww_paging_sample_now(const ww_paging *p)
{
    const ww_paging_counters *c = &p->counters;
    return (ww_paging_sample){.ticks = ww_timers_now(p->timers),
                              .link_in = ww_pcie_busy(p->pcie, WW_PCIE_TO_GPU),
                              .link_out = ww_pcie_busy(p->pcie, WW_PCIE_TO_HOST),
                              .bytes_in = c->bytes_in,
                              .bytes_out = c->bytes_out,
                              .faults = c->faults,
                              .pages_in = c->pages_in,
                              .prefetched = c->prefetched,
                              .evictions = c->evictions,
                              .resident = p->residency.resident.count,
                              .coming = ww_migration_coming(p->migration)};
}

/* ---- making it ---- */

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
            .flushes_all = demand && ww_config_choice(config, "paging.flush") == 1},
        &(ww_migration_wiring){.timers = p->timers,
                               .residency = &p->residency,
                               .pcie = p->pcie,
                               .dma = p->dma,
                               .evict = p->evict,
                               .evict_state = p->evict_state,
                               .memory = p->wiring.memory,
                               .counters = &p->counters,
                               .arrived = arrived,
                               .starved = starved,
                               .migrated = p->observer.migrated ? observe_migrated : NULL,
                               .evicted = p->observer.evicted ? observe_evicted : NULL,
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
        .hardware = observed_hardware(p),
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
        p->handlers[i] = (handler){p, i};
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
    ww_page_residency_clear(&p->residency);
    ww_timers_destroy(p->timers);
    free(p->handlers);
    free(p);
}
