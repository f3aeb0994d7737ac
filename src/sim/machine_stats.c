#include "core/core_stats.h"
#include "core/disparity.h"
#include "mem/dram_stats.h"
#include "sim/machine.h"
#include "vm/cuptw/cuptw_schema.h"
#include "vm/vm_stats.h"

#include <math.h>

/* Counters of a component of a cluster: a part where there are several. */
static void add(const ww_cluster *c, ww_stats *stats, const ww_stat_table *table,
                const void *counters)
{
    if (c->machine->cluster_count > 1)
        ww_stats_add_to_part(stats, table, (int)c->index, counters);
    else
        ww_stats_add(stats, table, counters);
}

static void add_caches(const ww_cluster *c, ww_stats *stats, const ww_stat_table *table,
                       ww_cache **caches, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add(c, stats, table, ww_cache_counters_of(caches[i]));
}

static void add_tlbs(const ww_cluster *c, ww_stats *stats, const ww_stat_table *table,
                     ww_tlb *const *tlbs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (tlbs[i])
            add(c, stats, table, ww_tlb_count(tlbs[i]));
}

static void add_translation(const ww_cluster *c, ww_stats *stats)
{
    const ww_cluster_vm *vm = &c->vm;
    add_tlbs(c, stats, &ww_l1_tlb_stats, vm->l1, vm->l1 ? c->cu_count : 0);
    add_tlbs(c, stats, &ww_l1s_tlb_stats, vm->l1s, vm->l1s ? c->l1s_count : 0);
    add_tlbs(c, stats, &ww_l2_tlb_stats, &vm->l2, 1);
    add_tlbs(c, stats, &ww_iommu_l1_tlb_stats, &vm->iommu[0], 1);
    add_tlbs(c, stats, &ww_iommu_l2_tlb_stats, &vm->iommu[1], 1);
    if (vm->mmu)
        add(c, stats, &ww_walk_stats, ww_mmu_count(vm->mmu));
    for (unsigned i = 0; vm->walkers && i < c->cu_count; i++)
        add(c, stats, &ww_cuptw_stats, ww_cu_walker_count(vm->walkers[i]));
}

/* A cluster's links are those that leave it. */
static void add_links(const ww_cluster *c, ww_stats *stats)
{
    const ww_machine *m = c->machine;
    for (unsigned to = 0; to < m->cluster_count; to++)
        for (unsigned direction = 0; to != c->index && direction < 2; direction++)
            add(c, stats, &ww_link_stats,
                ww_link_count(ww_machine_link(m, (ww_crossbar_direction)direction, c->index, to)));
}

static void add_cluster(ww_cluster *c, ww_stats *stats)
{
    for (unsigned i = 0; i < c->cu_count; i++) {
        ww_stats_add(stats, &ww_cu_stats, ww_cu_count(c->cus[i]));
        ww_stats_add(stats, &ww_disparity_stats, ww_cu_disparity(c->cus[i]));
    }
    add_caches(c, stats, &ww_l1d_stats, c->l1d, c->cu_count);
    for (unsigned i = 0; i < c->cu_count && ww_cache_reuse(c->l1d[0]); i++)
        add(c, stats, &ww_reuse_stats, ww_reuse_count(ww_cache_reuse(c->l1d[i])));
    add_caches(c, stats, &ww_l1i_stats, c->l1i, c->l1i_count);
    add_caches(c, stats, &ww_l1s_stats, c->l1s, c->l1s_count);
    for (unsigned i = 0; c->l1s_reorder && i < c->l1s_count; i++)
        add(c, stats, &ww_reorder_stats, ww_reorder_count(c->l1s_reorder[i]));
    add(c, stats, &ww_crossbar_down_stats, ww_crossbar_count(c->down));
    add(c, stats, &ww_crossbar_up_stats, ww_crossbar_count(c->up));
    add_links(c, stats);
    add_caches(c, stats, &ww_l2_stats, c->l2, c->slice_count);
    add_translation(c, stats);
    for (unsigned i = 0; i < c->slice_count; i++)
        add(c, stats, &ww_dram_stats, ww_dram_get_counters(c->dram[i]));
}

/* All tables first, in one order; then the clusters' parts. Compute units have none: their cycles
 * are the machine's. */
static void declare_tables(ww_stats *stats)
{
    static const ww_stat_table *const tables[] = {
        &ww_cu_stats,           &ww_disparity_stats,     &ww_l1d_stats,         &ww_l1i_stats,
        &ww_l1s_stats,          &ww_crossbar_down_stats, &ww_crossbar_up_stats, &ww_link_stats,
        &ww_l2_stats,           &ww_l1_tlb_stats,        &ww_l1s_tlb_stats,     &ww_l2_tlb_stats,
        &ww_iommu_l1_tlb_stats, &ww_iommu_l2_tlb_stats,  &ww_walk_stats,        &ww_cuptw_stats,
        &ww_reorder_stats,      &ww_dram_stats,          &ww_paging_stats,      &ww_pcie_stats,
        &ww_energy_stats,
    };
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        ww_stats_add(stats, tables[i], NULL);
}

void ww_machine_add_stats(ww_machine *m, ww_stats *stats)
{
    declare_tables(stats);
    ww_stats_add(stats, &ww_cu_stats, &m->of_all);
    ww_stats_add(stats, &ww_energy_stats, &m->energy);
    for (unsigned i = 0; i < m->cluster_count; i++)
        add_cluster(&m->clusters[i], stats);
    if (!m->paging.paging)
        return;
    ww_stats_add(stats, &ww_paging_stats, ww_paging_count(m->paging.paging));
    ww_stats_add(stats, &ww_pcie_stats, ww_paging_count(m->paging.paging));
}

/* Misses relate to the instructions of all compute units of the cluster: one cache and one TLB of
 * each kind have their count. */
static void collect_instructions(ww_cluster *c)
{
    const ww_cluster_vm *vm = &c->vm;
    uint64_t instructions = 0;
    for (unsigned i = 0; i < c->cu_count; i++)
        instructions += ww_cu_count(c->cus[i])->instructions;
    ww_cache *caches[] = {c->l1d[0], c->l1i[0], c->l1s_count ? c->l1s[0] : NULL, c->l2[0]};
    ww_tlb *tlbs[] = {vm->ideal ? NULL : vm->l1[0], !vm->ideal && c->l1s_count ? vm->l1s[0] : NULL,
                      vm->l2, vm->iommu[0], vm->iommu[1]};
    for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
        if (caches[i])
            ww_cache_counters_of(caches[i])->instructions = instructions;
    for (size_t i = 0; i < sizeof(tlbs) / sizeof(tlbs[0]); i++)
        if (tlbs[i])
            ww_tlb_count(tlbs[i])->instructions = instructions;
}

/* `elapsed`: the ticks in launches. */
static void collect_cluster(ww_cluster *c, ww_tick elapsed)
{
    collect_instructions(c);
    ww_crossbar_count(c->down); /* sums its counters up */
    ww_crossbar_count(c->up);
    for (unsigned i = 0; i < c->slice_count; i++)
        ww_dram_update_stats(c->dram[i], elapsed);
    if (c->vm.mmu)
        ww_mmu_update_stats(c->vm.mmu, elapsed);
}

static void resolve_blame(ww_machine *m)
{
    ww_cu_counters sum = {0};
    for (unsigned i = 0; i < m->cu_count; i++)
        ww_cu_add_recorded(&sum, m->cus[i]);
    ww_cu_resolve_blame(&m->of_all, &sum, &m->blamed_to);
}

/* ---- the balance between compute units ---- */

void ww_machine_begin_measuring(ww_machine *m)
{
    for (unsigned i = 0; i < m->cu_count; i++)
        m->instructions_before[i] = ww_cu_count(m->cus[i])->instructions;
    m->of_all.imbalance = 0;
}

static double imbalance(const ww_machine *m)
{
    double count = 0, sum = 0, squares = 0;
    for (unsigned i = 0; i < m->cu_count; i++) {
        const ww_cu_counters *c = ww_cu_count(m->cus[i]);
        double instructions = (double)(c->instructions - m->instructions_before[i]);
        count += c->groups > 0;
        sum += instructions;
        squares += instructions * instructions;
    }
    double mean = ww_ratio(sum, count), variance = ww_ratio(squares, count) - mean * mean;
    return variance > 0 ? ww_ratio(sqrt(variance), mean) : 0;
}

/* By walkers and by compute units. */
static uint64_t completed_walks(const ww_cluster *c)
{
    const ww_cluster_vm *vm = &c->vm;
    uint64_t walks = vm->mmu ? ww_mmu_count(vm->mmu)->answered : 0;
    for (unsigned i = 0; vm->walkers && i < c->cu_count; i++)
        walks += ww_cu_walker_count(vm->walkers[i])->walks;
    return walks;
}

static void collect_walks(ww_machine *m)
{
    m->of_all.walks = 0;
    for (unsigned i = 0; i < m->cluster_count; i++)
        m->of_all.walks += completed_walks(&m->clusters[i]);
}

/* ---- energy ---- */

/* Time passes for paging during copies, too. */
static double seconds(const ww_machine *m)
{
    if (m->paging.paging)
        return (double)ww_paging_count(m->paging.paging)->ticks / (double)m->base_hertz;
    return (double)m->of_all.cycles / (double)ww_config_hertz(m->config, "gpu.clock");
}

void ww_machine_collect_stats(ww_machine *m)
{
    resolve_blame(m);
    collect_walks(m);
    m->of_all.imbalance = imbalance(m);
    for (unsigned i = 0; i < m->cluster_count; i++)
        collect_cluster(&m->clusters[i], ww_clock_edge(m->clock, m->of_all.cycles));
    if (m->paging.paging)
        ww_paging_collect_stats(m->paging.paging);
    m->energy = ww_machine_energy(m, seconds(m));
}
