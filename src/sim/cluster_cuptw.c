/* The walkers of a cluster's compute units (cuptw.mode): the cache that they read through, and the
 * TLBs that forward misses to them and get their answers. */
#include "base/memory.h"
#include "sim/machine.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_schema.h"

/* Pages that a load/store unit may wait for at the same time (core/translate.c). An L1 TLB that
 * several scalar units share stalls when so many pages are at walkers. */
#define MOST_PAGES 4096

/* ---- callbacks; the context is the cluster ---- */

static ww_port *answers_of(void *context, const ww_translation *t)
{
    const ww_cluster *c = context;
    return ww_tlb_fill(t->source < c->cu_count ? c->vm.l1[t->source]
                                               : c->vm.l1s[t->source - c->cu_count]);
}

static void keep(void *context, uint64_t key, uint64_t entry, ww_page_run run)
{
    ww_tlb_keep(((ww_cluster *)context)->vm.l2, key, entry, run);
}

static ww_port *distributor_of(void *context, const ww_translation *t)
{
    (void)t;
    return ww_distributor_answers(((ww_cluster *)context)->vm.distributor);
}

static void keep_node(void *context, const ww_translation *t, unsigned level, uint64_t node)
{
    const ww_cluster *c = context;
    uint64_t address = t->page << c->machine->core_config.page_shift;
    ww_mmu_keep_node(c->vm.mmu, ww_walk_address(t->instruction.asid, address), level, node);
}

static const ww_page_table *table_of(void *context, uint16_t asid)
{
    return ww_driver_table(((ww_cluster *)context)->machine->driver, asid);
}

static uint64_t root(void *context, uint16_t asid)
{
    return ww_page_table_root(table_of(context, asid));
}

static uint64_t read_entry(void *context, uint16_t asid, uint64_t physical)
{
    return ww_page_table_read(table_of(context, asid), physical);
}

static ww_page_run run_of(void *context, uint16_t asid, uint64_t entry, uint64_t physical)
{
    return ww_page_table_run(table_of(context, asid), entry, physical);
}

static unsigned l1s_share(const ww_cluster *c)
{
    return (unsigned)ww_config_u64(c->config, "l1s.shared_by");
}

static bool can_forward(void *context, const ww_translation *t)
{
    const ww_cluster *c = context;
    unsigned cu =
        t->source < c->cu_count ? t->source : (t->source - c->cu_count) * l1s_share(c) + t->unit;
    return ww_cu_can_walk(c->cus[cu]);
}

/* ---- life ---- */

void ww_cluster_cuptw_create(ww_cluster *c)
{
    ww_cu_walker_config config;
    if (c->vm.ideal || !ww_cuptw_is_on(c->config))
        return;
    ww_cuptw_configure(c->config, &config);
    config.clock = c->machine->clock;
    config.queue = 2 * MOST_PAGES; /* of its vectors and scalars */
    c->vm.walkers = ww_calloc(c->cu_count, sizeof(*c->vm.walkers));
    for (unsigned i = 0; i < c->cu_count; i++)
        c->vm.walkers[i] = ww_cu_walker_create(&config, c->engine);
    c->vm.nvidia = config.nvidia;
}

void ww_cluster_cuptw_create_distributor(ww_cluster *c, uint32_t most)
{
    ww_distributor_config config;
    if (!ww_cuptw_is_softwalker(c->config))
        return;
    ww_distributor_configure(c->config, &config);
    config.clock = c->machine->clock;
    config.cus = c->cu_count;
    config.most = most;
    c->vm.distributor = ww_distributor_create(&config, c->engine);
}

void ww_cluster_cuptw_destroy(ww_cluster *c)
{
    ww_distributor_destroy(c->vm.distributor);
    for (unsigned i = 0; c->vm.walkers && i < c->cu_count; i++)
        ww_cu_walker_destroy(c->vm.walkers[i]);
    free(c->vm.walkers);
    free(c->vm.walker_ports);
}

void ww_cluster_cuptw_configure_tlb(const ww_cluster *c, ww_tlb_config *tlb, bool is_l1)
{
    if (!c->vm.walkers || ww_cuptw_is_softwalker(c->config))
        return;
    if (is_l1)
        tlb->forwarded = MOST_PAGES;
    else
        tlb->forwards = ww_cuptw_threshold(c->config);
}

void ww_cluster_cuptw_wire_tlb(ww_cluster *c, ww_tlb_wiring *tlb, unsigned first)
{
    if (c->vm.walkers && !c->vm.distributor)
        tlb->walkers = &c->vm.walker_ports[first];
}

void ww_cluster_cuptw_wire_l2(ww_cluster *c, ww_tlb_wiring *tlb)
{
    if (!c->vm.walkers || c->vm.distributor)
        return;
    tlb->can_forward = can_forward;
}

ww_port *ww_cluster_walks_in(ww_cluster *c)
{
    return c->vm.distributor ? ww_distributor_in(c->vm.distributor) : ww_mmu_in(c->vm.mmu);
}

void ww_cluster_cuptw_connect_distributor(ww_cluster *c, ww_port *fill)
{
    if (c->vm.distributor)
        ww_distributor_connect(
            c->vm.distributor,
            &(ww_distributor_wiring){.out = fill, .walkers = c->vm.walker_ports, .mmu = c->vm.mmu});
}

bool ww_cluster_walks_through(const ww_cluster *c, ww_cache *const *caches)
{
    return c->vm.walkers && caches == (c->vm.nvidia ? c->l1d : c->l1s);
}

void ww_cluster_cuptw_connect(ww_cluster *c)
{
    ww_mmu_config mmu;
    unsigned share = c->vm.nvidia ? 1 : l1s_share(c);
    bool warps = c->vm.distributor != NULL;
    if (!c->vm.walkers)
        return;
    ww_mmu_configure(c->config, c->machine->seed, 1, &mmu);
    bool runs = mmu.runs && (warps || !ww_config_choice(c->config, "tlb.merge_fill"));
    unsigned first = c->first_source + (c->vm.nvidia ? 0 : c->cu_count + c->l1i_count);
    c->vm.walker_ports = ww_calloc(c->cu_count, sizeof(ww_port *));
    for (unsigned i = 0; i < c->cu_count; i++) {
        c->vm.walker_ports[i] = ww_cu_walker_in(c->vm.walkers[i]);
        ww_cu_walker_connect(
            c->vm.walkers[i],
            &(ww_cu_walker_wiring){.engine = c->engine,
                                   .pool = c->pool,
                                   .task = ww_cu_task(c->cus[i]),
                                   .memory = c->vm.nvidia ? ww_cache_in(c->l1d[i])
                                                          : ww_cluster_scalar_in(c, i / share),
                                   .source = (uint16_t)(first + i / share),
                                   .sharer = (uint16_t)(share + i % share),
                                   .answers_of = warps ? distributor_of : answers_of,
                                   .keep = warps ? NULL : keep,
                                   .keep_node = warps ? keep_node : NULL,
                                   .root = root,
                                   .read = read_entry,
                                   .run = runs ? run_of : NULL,
                                   .context = c});
        if (warps) /* before all launches, and for good */
            ww_cu_walker_begin(c->vm.walkers[i], 1, 0);
    }
}

/* ---- invalidations ---- */

/* The lines of the pages' last entries, in the caches that walks read through. */
static void drop_entries(ww_cluster *c, const ww_invalidation *what)
{
    const ww_page_table *table = table_of(c, what->asid);
    ww_cache **caches = c->vm.nvidia ? c->l1d : c->l1s;
    unsigned count = c->vm.nvidia ? c->cu_count : c->l1s_count;
    unsigned shift = c->machine->core_config.page_shift;
    for (unsigned i = 0; i < count; i++) {
        if (what->all)
            ww_cache_invalidate(caches[i]);
        for (uint32_t k = 0; !what->all && k < what->count; k++) {
            uint64_t entry = ww_page_table_leaf(table, what->pages[k] << shift);
            if (entry)
                ww_cache_invalidate_range(caches[i], entry, WW_PTE_BYTES);
        }
    }
}

unsigned ww_cluster_cuptw_invalidate(void *cluster, const ww_invalidation *what)
{
    ww_cluster *c = cluster;
    for (unsigned i = 0; i < c->cu_count; i++)
        ww_cu_walker_invalidate(c->vm.walkers[i], what);
    drop_entries(c, what);
    return 0;
}
