#include "paging/paging_internal.h"

#include <math.h>

/* ---- the observer ---- */

static uint64_t cycle_now(const ww_paging *p)
{
    return ww_clock_cycle(p->wiring.clock, ww_engine_now(p->wiring.engine));
}

void ww_paging_migrated(void *context, const ww_page_record *record, ww_tick since)
{
    const ww_paging *p = context;
    ww_tick now = ww_engine_now(p->wiring.engine), ago = ww_timers_now(p->timers) - since;
    p->observer.migrated(p->observer.context, ww_clock_cycle(p->wiring.clock, now - ago),
                         cycle_now(p), ww_page_residency_page(&p->residency, record),
                         record->demanded);
}

void ww_paging_evicted(void *context, const ww_page_record *record, bool sent_back)
{
    const ww_paging *p = context;
    p->observer.evicted(p->observer.context, cycle_now(p),
                        ww_page_residency_page(&p->residency, record), sent_back);
}

void ww_paging_mapped(void *context, const ww_page_record *record)
{
    const ww_paging *p = context;
    p->observer.mapped(p->observer.context, cycle_now(p),
                       ww_page_residency_page(&p->residency, record));
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

ww_paging_hardware ww_paging_observed_hardware(ww_paging *p)
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

void ww_paging_arrived(void *context, ww_page_record *record)
{
    ww_paging *p = context;
    if (p->mode == WW_PAGING_COPY)
        count_copied(p);
    else
        p->driver->arrived(p->driver_state, record);
}

void ww_paging_starved(void *context)
{
    const ww_paging *p = context;
    if (p->driver && p->driver->starved)
        p->driver->starved(p->driver_state);
}

/* ---- faults ---- */

/* Blocks of 2 MiB that the instruction's pages are in. */
static uint32_t count_blocks(const ww_paging *p, const ww_page_fault *what)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < what->pages; i++) {
        uint64_t block = what->needed[i].page / p->residency.block_pages;
        uint32_t before = 0;
        while (before < i && what->needed[before].page / p->residency.block_pages != block)
            before++;
        count += before == i;
    }
    return count;
}

/* Whether memory has fewer pages, or chunks, than the instruction needs at a time. */
static bool is_too_large(const ww_paging *p, const ww_page_fault *what)
{
    uint64_t chunks = ww_migration_capacity(p->migration) / p->chunk_pages;
    return what->pages > chunks && (p->chunk_pages == 1 || count_blocks(p, what) > chunks);
}

static ww_fault_verdict fault(void *context, const ww_page_fault *what)
{
    const ww_cu_handler *h = context;
    ww_paging *p = h->paging;
    ww_page_record *record = ww_page_residency_find(&p->residency, what->page);
    if (!record || what->status != WW_FAR_FAULT || p->mode != WW_PAGING_DEMAND)
        return WW_FAULT_FINAL;
    p->counters.faults++;
    if (p->observer.faulted)
        p->observer.faulted(p->observer.context, cycle_now(p), h->cu, what->page, what->writes);
    if (is_too_large(p, what)) {
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
    const ww_cu_handler *h = context;
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
    const ww_cu_handler *h = context;
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

/* Calls `act` for each page of a buffer. */
static void each_page(ww_paging *p, uint64_t address, uint64_t bytes,
                      void (*act)(ww_paging *p, ww_page_record *record))
{
    uint64_t page = 1ull << p->residency.page_shift;
    for (uint64_t at = address - address % page; at < address + bytes; at += page)
        act(p, ww_page_residency_find(&p->residency, at >> p->residency.page_shift));
}

static void put_page(ww_paging *p, ww_page_record *record)
{
    if (record->state == WW_PAGE_ON_HOST)
        ww_migration_put(p->migration, record);
}

/* A page of several buffers is blank if it was before. */
static void set_blank(ww_paging *p, ww_page_record *record)
{
    (void)p;
    record->blank |= record->buffers == 1;
}

static void clear_blank(ww_paging *p, ww_page_record *record)
{
    (void)p;
    record->blank = false;
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
        each_page(p, address, bytes, put_page);
    if (!host_wrote)
        ww_number_map_set(&p->unwritten, address, 1);
    each_page(p, address, bytes, host_wrote ? clear_blank : set_blank);
}

void ww_paging_host_wrote(ww_paging *p, uint64_t address, uint64_t bytes)
{
    if (ww_number_map_remove(&p->unwritten, address))
        each_page(p, address, bytes, clear_blank);
}

static void gone(void *context, ww_page_record *record)
{
    ww_paging *p = context;
    ww_migration_forget(p->migration, record);
}

void ww_paging_remove_buffer(ww_paging *p, uint64_t address, uint64_t bytes)
{
    ww_number_map_remove(&p->unwritten, address);
    ww_page_residency_remove(&p->residency, address, bytes, gone, p);
}

static void apply_hints(ww_paging *p, ww_page_record *record, const ww_paging_hints *hints)
{
    record->prefers_host = hints->prefers_host && !hints->prefetch;
    record->read_mostly = hints->read_mostly;
    if (record->state != WW_PAGE_ON_HOST || record->chosen)
        return;
    if (hints->prefetch)
        ww_migration_bring(p->migration, record, (ww_page_times){0});
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
        ww_migration_bring(p->migration, it, (ww_page_times){0});
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
