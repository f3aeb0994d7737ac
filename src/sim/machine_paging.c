/* Connects paging to the machine: frames and translations, TLBs and compute units, caches, and a
 * port of the network for DMA. */
#include "base/memory.h"
#include "sim/machine.h"
#include "vm/vm_schema.h"

/* ---- memory ---- */

static uint64_t address_of(const ww_machine *m, uint64_t page)
{
    return page << m->core_config.page_shift;
}

static bool place(void *context, uint64_t page)
{
    const ww_machine *m = context;
    return ww_driver_place(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static uint64_t frame(void *context, uint64_t page)
{
    const ww_machine *m = context;
    return ww_driver_frame(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static bool enter(void *context, uint64_t page)
{
    const ww_machine *m = context;
    return ww_driver_enter(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static bool enter_host(void *context, uint64_t page)
{
    const ww_machine *m = context;
    return ww_driver_enter_host(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static void unmap(void *context, uint64_t page)
{
    const ww_machine *m = context;
    ww_driver_unmap(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static void release(void *context, uint64_t page)
{
    const ww_machine *m = context;
    ww_driver_release(m->driver, WW_PROGRAM_ASID, address_of(m, page));
}

static void shoot_down(void *context, const uint64_t *pages, uint32_t count,
                       void (*done)(void *owner), void *owner)
{
    const ww_machine *m = context;
    ww_shootdown_start(m->paging.shootdown, WW_PROGRAM_ASID, pages, count, false, done, owner);
}

static void out_of_memory(void *context)
{
    const ww_machine *m = context;
    m->wiring.out_of_memory(m->wiring.context);
}

/* ---- caches ---- */

static void each_cache(const ww_machine *m, void (*act)(ww_cache *cache, void *context),
                       void *context)
{
    for (unsigned i = 0; i < m->cluster_count; i++) {
        const ww_cluster *c = &m->clusters[i];
        for (unsigned k = 0; k < c->cu_count; k++)
            act(c->l1d[k], context);
        for (unsigned k = 0; k < c->l1s_count; k++)
            act(c->l1s[k], context);
        for (unsigned k = 0; k < c->slice_count; k++)
            act(c->l2[k], context);
    }
}

typedef struct ww_lines {
    uint64_t physical, bytes;
} ww_lines;

static void drop(ww_cache *cache, void *context)
{
    const ww_lines *lines = context;
    ww_cache_invalidate_range(cache, lines->physical, lines->bytes);
}

static void drop_lines(void *context, uint64_t physical)
{
    const ww_machine *m = context;
    ww_lines lines = {physical, 1ull << m->core_config.page_shift};
    each_cache(m, drop, &lines);
}

static void flushed(void *context)
{
    ww_machine *m = context;
    if (--m->paging.flushes == 0)
        m->paging.flush_done(m->paging.flush_owner);
}

static void flush_one(ww_cache *cache, void *context)
{
    ww_machine *m = context;
    m->paging.flushes++;
    ww_cache_flush(cache, flushed, m);
}

static void flush(void *context, void (*done)(void *owner), void *owner)
{
    ww_machine *m = context;
    m->paging.flush_done = done;
    m->paging.flush_owner = owner;
    m->paging.flushes = 1; /* until all have begun */
    each_cache(m, flush_one, m);
    flushed(m);
}

/* ---- compute units ---- */

static bool replay(void *context, unsigned cu, uint64_t page)
{
    const ww_machine *m = context;
    const ww_cluster *c = ww_machine_cluster(m, cu);
    unsigned here = cu - c->first_cu;
    ww_tlb_free_held(c->vm.l1[here], WW_PROGRAM_ASID, page);
    if (c->l1s_count)
        ww_tlb_free_held(c->vm.l1s[here / m->paging.l1s_share], WW_PROGRAM_ASID, page);
    return ww_cu_replay(m->cus[cu], WW_PROGRAM_ASID, page);
}

static void block(void *context, unsigned cu, bool blocked)
{
    const ww_machine *m = context;
    ww_cu_block(m->cus[cu], blocked);
}

/* ---- shoot-downs ---- */

static unsigned invalidate_cu(void *cu, const ww_invalidation *what)
{
    return ww_cu_invalidate(cu, what);
}

static void add_target(ww_machine *m, unsigned level, void *owner,
                       unsigned (*invalidate)(void *owner, const ww_invalidation *what))
{
    if (owner)
        ww_shootdown_add(m->paging.shootdown, &(ww_shootdown_target){level, invalidate, owner});
}

/* Levels of all clusters together, from the walkers up. */
static void add_targets(ww_machine *m)
{
    for (unsigned level = 0; level < 6; level++) {
        for (unsigned i = 0; i < m->cluster_count; i++) {
            const ww_cluster *c = &m->clusters[i];
            const ww_cluster_vm *vm = &c->vm;
            ww_tlb *shared[] = {vm->iommu[1], vm->iommu[0], vm->l2};
            if (level == 0) {
                add_target(m, level, vm->mmu, ww_shootdown_mmu);
                add_target(m, level, vm->walkers ? &m->clusters[i] : NULL,
                           ww_cluster_cuptw_invalidate);
            }
            if (level > 0 && level < 4)
                add_target(m, level, shared[level - 1], ww_shootdown_tlb);
            for (unsigned k = 0; level == 4 && k < c->cu_count; k++)
                add_target(m, level, vm->l1[k], ww_shootdown_tlb);
            for (unsigned k = 0; level == 4 && k < c->l1s_count; k++)
                add_target(m, level, vm->l1s[k], ww_shootdown_tlb);
            for (unsigned k = 0; level == 5 && k < c->cu_count; k++)
                add_target(m, level, c->cus[k], invalidate_cu);
        }
    }
}

/* ---- life ---- */

void ww_machine_create_paging(ww_machine *m)
{
    const ww_first_pass *first_pass = m->wiring.first_pass;
    if (ww_paging_mode_of(m->config) == WW_PAGING_RESIDENT)
        return;
    m->paging.l1s_share = (unsigned)ww_config_u64(m->config, "l1s.shared_by");
    m->paging.shootdown =
        ww_shootdown_create(&(ww_shootdown_config){.clock = m->clock,
                                                   .latency = (uint32_t)ww_config_u64(
                                                       m->config, "paging.invalidate_latency")},
                            m->engine);
    m->paging.paging = ww_paging_create(
        m->config,
        &(ww_paging_wiring){
            .engine = m->engine,
            .clock = m->clock,
            .base_hertz = m->base_hertz,
            .pool = m->pool,
            .start = m->policy_start,
            .memory = {.place = place,
                       .frame = frame,
                       .enter = enter,
                       .enter_host = enter_host,
                       .unmap = unmap,
                       .release = release,
                       .shoot_down = shoot_down,
                       .drop_lines = drop_lines,
                       .flush = flush,
                       .out_of_memory = out_of_memory,
                       .context = m},
            .hardware = {.replay = replay, .block = block, .context = m, .cus = m->cu_count},
            .networks = m->cluster_count,
            .line = m->core_config.line,
            .sector = m->core_config.sector,
            .page_shift = m->core_config.page_shift,
            .own_page = m->core_config.own_page,
            .order = first_pass ? first_pass->pages : NULL,
            .order_count = first_pass ? first_pass->page_count : 0,
            .observer = m->wiring.pages});
}

/* DMA enters the network of the first cluster, behind the walkers. */
void ww_machine_connect_paging(ww_machine *m)
{
    const ww_cluster *c = &m->clusters[0];
    if (!m->paging.paging)
        return;
    unsigned source = c->source_count - 1;
    ww_port **replies = ww_calloc(m->cluster_count, sizeof(ww_port *));
    for (unsigned i = 0; i < m->cluster_count; i++)
        replies[i] = ww_cluster_host_input(&m->clusters[i]);
    ww_paging_connect(m->paging.paging,
                      &(ww_paging_network){.dma = ww_crossbar_input(c->down, source),
                                           .source = (uint16_t)source,
                                           .replies = replies,
                                           .sources = c->source_count});
    free(replies);
    add_targets(m);
}

void ww_machine_destroy_paging(ww_machine *m)
{
    ww_paging_destroy(m->paging.paging);
    ww_shootdown_destroy(m->paging.shootdown);
}
