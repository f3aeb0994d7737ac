/* The events of a machine that cost energy (energy/energy.h), from its components' counters. */
#include "sim/machine.h"
#include "vm/cuptw/cu_walker.h"

static void add_cu(ww_energy_events *e, const ww_cu_counters *c)
{
    e->int_lanes += c->unit_lanes[WW_UNIT_SIMD] - c->float_lanes;
    e->float_lanes += c->float_lanes;
    e->sfu_lanes += c->unit_lanes[WW_UNIT_SFU];
    e->fp64_lanes += c->unit_lanes[WW_UNIT_FP64];
    e->memory_lanes += c->unit_lanes[WW_UNIT_MEMORY];
    e->lds_lanes += c->unit_lanes[WW_UNIT_LDS];
    e->scalar_issues += c->unit_issues[WW_UNIT_SCALAR];
    e->branch_issues += c->unit_issues[WW_UNIT_BRANCH];
}

/* A miss takes a register, a merged request finds it, and a fill frees it. */
static void add_tlb(ww_energy_events *e, uint64_t *accesses, ww_tlb *tlb)
{
    if (!tlb)
        return;
    const ww_tlb_counters *c = ww_tlb_count(tlb);
    *accesses += c->accesses + c->fills;
    e->tlb_mshr_accesses += c->misses + c->merged + c->fills;
}

/* Entries above the leaf that were read fill the walk caches; a walk that waits is written to the
 * buffer and read again. */
static void add_walks(ww_energy_events *e, const ww_walk_counters *c, bool pte_cache)
{
    e->walk_cache_accesses +=
        c->cache_lookups + c->estimates + c->pte_reads_2 + c->pte_reads_3 + c->pte_reads_4;
    if (pte_cache)
        e->walk_cache_accesses += c->pte_cache_hits + 2 * c->pte_reads; /* lookups and fills */
    e->walk_buffer_accesses += 2 * (c->selected + c->merged);
}

#define BLOCK_WORDS 3 /* of an entry of the walk cache in local memory: 12 bytes */
#define CACHE_LEVELS 3

/* A thread computes an address, and in NVIDIA's form compares a level, for each entry that it
 * reads; the scalar unit reads one entry after the other. Lookups read a block of each level. */
static void add_cu_walks(ww_energy_events *e, const ww_cuptw_counters *c, bool nvidia)
{
    e->cuptw_lanes += (nvidia ? 2 : 1) * c->pte_reads;
    e->cuptw_scalars += nvidia ? 0 : c->pte_reads;
    e->cuptw_branches += c->branch_issues;
    e->cuptw_words += BLOCK_WORDS * (CACHE_LEVELS * c->cache_lookups + c->cache_writes);
    e->memory_lanes += c->walks;
}

/* A walk warp: integers for each walk and each entry, a request of three words, and entries that it
 * writes to the walk caches. */
static void add_walk_warp(ww_energy_events *e, const ww_cuptw_counters *c, const ww_config *config)
{
    e->cuptw_lanes += ww_config_u64(config, "softwalker.decode") * c->walks;
    e->cuptw_lanes +=
        (ww_config_u64(config, "softwalker.offset") + ww_config_u64(config, "softwalker.check")) *
        c->pte_reads;
    e->cuptw_words += BLOCK_WORDS * c->walks;
    e->memory_lanes += c->walks + c->pte_reads + c->cache_writes;
    e->walk_cache_accesses += c->cache_writes;
}

static void add_translation(ww_energy_events *e, const ww_cluster *c)
{
    const ww_cluster_vm *vm = &c->vm;
    for (unsigned i = 0; vm->l1 && i < c->cu_count; i++)
        add_tlb(e, &e->l1_tlb_accesses, vm->l1[i]);
    for (unsigned i = 0; vm->l1s && i < c->l1s_count; i++)
        add_tlb(e, &e->l1_tlb_accesses, vm->l1s[i]);
    add_tlb(e, &e->l2_tlb_accesses, vm->l2);
    add_tlb(e, &e->l1_tlb_accesses, vm->iommu[0]);
    add_tlb(e, &e->l2_tlb_accesses, vm->iommu[1]);
    for (unsigned i = 0; vm->walkers && i < c->cu_count; i++)
        if (vm->distributor)
            add_walk_warp(e, ww_cu_walker_count(vm->walkers[i]), c->config);
        else
            add_cu_walks(e, ww_cu_walker_count(vm->walkers[i]), vm->nvidia);
    if (vm->mmu)
        add_walks(e, ww_mmu_count(vm->mmu), ww_config_bytes(c->config, "walk.pte_cache") > 0);
}

static void add_l1(ww_energy_events *e, uint64_t *bytes, ww_cache *cache)
{
    const ww_cache_counters *c = ww_cache_counters_of(cache);
    *bytes += c->bytes;
    e->l1_pte_bytes += c->pte_bytes;
}

static void add_memory(ww_energy_events *e, const ww_cluster *c)
{
    for (unsigned i = 0; i < c->cu_count; i++)
        add_l1(e, &e->l1d_bytes, c->l1d[i]);
    for (unsigned i = 0; i < c->l1s_count; i++)
        add_l1(e, &e->l1s_bytes, c->l1s[i]);
    for (unsigned i = 0; i < c->slice_count; i++) {
        const ww_cache_counters *l2 = ww_cache_counters_of(c->l2[i]);
        e->l2_bytes += l2->bytes;
        e->l2_pte_bytes += l2->pte_bytes;
        e->dram_bytes += ww_dram_bytes(c->dram[i]);
        e->dram_pte_bytes += ww_dram_get_counters(c->dram[i])->pte_bytes;
    }
    e->network_bytes += ww_crossbar_count(c->down)->bytes + ww_crossbar_count(c->up)->bytes;
}

static void add_links(ww_energy_events *e, const ww_machine *m)
{
    for (unsigned direction = 0; direction < 2; direction++)
        for (unsigned i = 0; m->links[direction] && i < m->cluster_count * m->cluster_count; i++)
            if (m->links[direction][i])
                e->link_bytes += ww_link_count(m->links[direction][i])->bytes;
}

ww_energy ww_machine_energy(const ww_machine *m, double seconds)
{
    ww_energy_events e = {.seconds = seconds};
    for (unsigned i = 0; i < m->cu_count; i++)
        add_cu(&e, ww_cu_count(m->cus[i]));
    for (unsigned i = 0; i < m->cluster_count; i++) {
        add_memory(&e, &m->clusters[i]);
        add_translation(&e, &m->clusters[i]);
    }
    add_links(&e, m);
    e.path_bytes = e.dram_bytes;
    if (m->paging.paging) {
        ww_paging_collect_stats(m->paging.paging);
        const ww_paging_counters *c = ww_paging_count(m->paging.paging);
        e.pcie_bytes = c->link_bytes_in + c->link_bytes_out;
    }
    return ww_energy_of(&m->energy_prices, &e);
}
