/* A cluster's TLBs and walkers, where translation takes time. */
#include "base/memory.h"
#include "sim/machine.h"
#include "vm/vm_schema.h"

#include <string.h>

/* ---- callbacks ---- */

static bool touch(void *context, uint16_t asid, uint64_t address, uint64_t *physical)
{
    const ww_machine *machine = ((ww_cluster *)context)->machine;
    if (ww_driver_touch(machine->driver, asid, address, physical))
        return true;
    machine->wiring.out_of_memory(machine->wiring.context);
    return false;
}

static void allocate(void *context, const ww_translation *t)
{
    const ww_cluster *cluster = context;
    uint64_t unused;
    touch(context, t->instruction.asid, t->page << cluster->machine->core_config.page_shift,
          &unused);
}

static void page_accessed(void *context, const ww_translation *t)
{
    const ww_machine *m = ((ww_cluster *)context)->machine;
    const ww_paging_observer *pages = m->wiring.pages;
    pages->accessed(pages->context, ww_clock_cycle(m->clock, t->answered), t->page);
}

static ww_fault_handler handler_of(ww_cluster *cluster, unsigned cu)
{
    const ww_machine *m = cluster->machine;
    if (m->paging.paging)
        return ww_paging_handler(m->paging.paging, cluster->first_cu + cu);
    if (m->wiring.pages && m->wiring.pages->accessed)
        return (ww_fault_handler){.translated = page_accessed, .context = cluster};
    return (ww_fault_handler){0};
}

static uint32_t channel_of(const void *map, uint64_t address)
{
    return ww_dram_map_channel(map, address);
}

static uint32_t only_port(const void *context, uint64_t address)
{
    (void)context;
    (void)address;
    return 0;
}

/* ---- building ---- */

uint16_t ww_cluster_walk_source(const ww_cluster *cluster)
{
    return (uint16_t)(cluster->first_source + cluster->cu_count + cluster->l1i_count +
                      cluster->l1s_count);
}

unsigned ww_cluster_walk_ports(const ww_cluster *cluster)
{
    return !cluster->vm.ideal && !ww_walks_go_to_dram(cluster->config);
}

/* Seats at the L2 TLB's queue, as MGPUSim connects them: the L2 TLB's own, then for each group of
 * compute units that share a scalar cache theirs, its scalar TLB's and its instruction TLB's. */
static uint32_t seat_of(const ww_cluster *cluster, unsigned group, unsigned place)
{
    return 1 + group * ((unsigned)ww_config_u64(cluster->config, "l1s.shared_by") + 2) + place;
}

static uint32_t seats(const ww_cluster *cluster)
{
    unsigned share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    return seat_of(cluster, (cluster->cu_count + share - 1) / share, 0);
}

static ww_tlb *create_tlb(ww_cluster *cluster, const char *prefix, unsigned producers,
                          bool counts_warps, bool holds_faults)
{
    ww_tlb_config c;
    ww_tlb_configure(cluster->config, prefix, &c);
    if (strncmp(prefix, "iommu", 5) != 0)
        ww_cluster_cuptw_configure_tlb(cluster, &c, strcmp(prefix, "l1_tlb") == 0);
    c.clock = cluster->machine->clock;
    c.producers = producers;
    c.warps = cluster->machine->cu_count * cluster->machine->core_config.slots;
    c.holds_faults = holds_faults;
    if (strcmp(prefix, "l2_tlb") == 0 && ww_config_choice(cluster->config, "l2_tlb.arbiter"))
        c.seats = seats(cluster);
    bool shared = c.start.shared;
    c.start = ww_machine_policy_start(cluster->machine, "tlb");
    c.start.shared = shared;
    c.epoch = counts_warps ? (uint32_t)ww_config_u64(cluster->config, "l2_tlb.epoch") : 0;
    return ww_tlb_create(&c, cluster->engine);
}

static ww_tlb **create_l1_tlbs(ww_cluster *cluster, unsigned count, unsigned producers)
{
    ww_tlb **tlbs = ww_calloc(count + 1, sizeof(ww_tlb *));
    for (unsigned i = 0; i < count; i++)
        tlbs[i] = create_tlb(cluster, "l1_tlb", producers, false, cluster->machine->paging.paging);
    return tlbs;
}

/* The last TLB before the walkers. */
static const char *last_tlb(const ww_cluster *cluster)
{
    return cluster->vm.iommu[1] ? "iommu_l2_tlb" : cluster->vm.iommu[0] ? "iommu_l1_tlb" : "l2_tlb";
}

static void create_walkers(ww_cluster *cluster)
{
    ww_tlb_config last;
    ww_mmu_config c;
    ww_tlb_configure(cluster->config, last_tlb(cluster), &last);
    ww_mmu_configure(cluster->config, cluster->machine->seed, last.mshrs + last.lends, &c);
    c.start = ww_machine_policy_start(cluster->machine, "walk");
    uint64_t walkers =
        ww_config_u64(cluster->config, "walk.walkers") / cluster->machine->cluster_count;
    c.walkers = walkers < c.walkers ? (uint32_t)walkers : c.walkers;
    c.clock = cluster->machine->clock;
    c.suppliers = cluster->slice_count;
    c.instructions =
        cluster->cu_count * cluster->machine->core_config.memory_queue * 2; /* vector and scalar */
    cluster->vm.mmu = ww_mmu_create(&c, cluster->engine, cluster->pool);
    ww_mmu_set_table(cluster->vm.mmu, WW_PROGRAM_ASID,
                     ww_driver_table(cluster->machine->driver, WW_PROGRAM_ASID));
    ww_cluster_cuptw_create_distributor(cluster, last.mshrs + last.lends);
}

void ww_cluster_vm_create(ww_cluster *cluster)
{
    ww_cluster_vm *vm = &cluster->vm;
    if (vm->ideal)
        return;
    ww_cluster_cuptw_create(cluster);
    vm->l1 = create_l1_tlbs(cluster, cluster->cu_count, 1);
    vm->l1s = create_l1_tlbs(cluster, cluster->l1s_count,
                             (unsigned)ww_config_u64(cluster->config, "l1s.shared_by"));
    vm->l2 = create_tlb(cluster, "l2_tlb", cluster->cu_count + cluster->l1s_count, true, false);
    if (ww_config_u64(cluster->config, "iommu_l1_tlb.entries"))
        vm->iommu[0] = create_tlb(cluster, "iommu_l1_tlb", 1, false, false);
    if (ww_config_u64(cluster->config, "iommu_l2_tlb.entries"))
        vm->iommu[1] = create_tlb(cluster, "iommu_l2_tlb", 1, false, false);
    create_walkers(cluster);
}

/* ---- connecting ---- */

static uint32_t latency_of(const ww_cluster *cluster, const char *prefix)
{
    ww_tlb_config c;
    ww_tlb_configure(cluster->config, prefix, &c);
    return c.latency;
}

void ww_cluster_vm_link(ww_cluster *cluster, unsigned cu, ww_cu_wiring *wiring)
{
    wiring->touch = touch;
    wiring->memory_instructions = &cluster->machine->memory_instructions;
    if (cluster->vm.ideal)
        return;
    wiring->walks_allocate = ww_walks_allocate(cluster->config);
    wiring->walk_records = ww_mmu_records(cluster->vm.mmu);
    wiring->faults = handler_of(cluster, cu);
    wiring->walker = cluster->vm.walkers ? cluster->vm.walkers[cu] : NULL;
    ww_tlb_config c;
    unsigned share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    ww_tlb_configure(cluster->config, "l1_tlb", &c);
    wiring->data_tlb = (ww_tlb_link){.port = ww_tlb_in(cluster->vm.l1[cu]),
                                     .latency = c.latency,
                                     .lookups = c.lookups,
                                     .source = (uint16_t)cu};
    if (cluster->l1s_count)
        wiring->scalar_tlb = (ww_tlb_link){.port = ww_tlb_in(cluster->vm.l1s[cu / share]),
                                           .latency = c.latency,
                                           .lookups = c.lookups,
                                           .source = (uint16_t)(cluster->cu_count + cu / share),
                                           .unit = (uint16_t)(cu % share)};
}

static void connect_l1_tlbs(ww_cluster *cluster)
{
    ww_cluster_vm *vm = &cluster->vm;
    unsigned share = (unsigned)ww_config_u64(cluster->config, "l1s.shared_by");
    vm->lists[0] = ww_calloc(cluster->cu_count, sizeof(ww_port *));
    vm->lists[1] = ww_calloc(cluster->cu_count, sizeof(ww_port *));
    for (unsigned i = 0; i < cluster->cu_count; i++) {
        vm->lists[0][i] = ww_cu_data_translations(cluster->cus[i]);
        vm->lists[1][i] = ww_cu_scalar_translations(cluster->cus[i]);
    }
    ww_tlb_wiring w = {.down = ww_tlb_in(vm->l2), .down_latency = latency_of(cluster, "l2_tlb")};
    for (unsigned i = 0; i < cluster->cu_count; i++) {
        w.outs = &vm->lists[0][i];
        w.down_seat = seat_of(cluster, i / share, i % share);
        w.route = WW_TO_ONE;
        ww_cluster_cuptw_wire_tlb(cluster, &w, i);
        ww_tlb_connect(vm->l1[i], &w);
    }
    for (unsigned i = 0; i < cluster->l1s_count; i++) {
        w.outs = &vm->lists[1][(size_t)i * share];
        w.down_seat = seat_of(cluster, i, share);
        w.route = WW_TO_UNIT;
        ww_cluster_cuptw_wire_tlb(cluster, &w, i * share);
        ww_tlb_connect(vm->l1s[i], &w);
    }
}

/* What only the L2 TLB does: it forwards misses, and gives pages their frames. */
static void wire_l2(ww_cluster *cluster, ww_tlb_wiring *w)
{
    w->context = cluster;
    w->allocate = ww_walks_allocate(cluster->config) ? allocate : NULL;
    ww_cluster_cuptw_wire_l2(cluster, w);
}

/* The L2 TLB, the IOMMU's TLBs that exist, and the walkers, from the top down. */
static void connect_shared_tlbs(ww_cluster *cluster)
{
    static const char *const names[] = {"l2_tlb", "iommu_l1_tlb", "iommu_l2_tlb"};
    ww_cluster_vm *vm = &cluster->vm;
    ww_tlb *tlbs[] = {vm->l2, vm->iommu[0], vm->iommu[1]};
    unsigned l1s = cluster->cu_count + cluster->l1s_count;
    vm->lists[2] = ww_calloc(l1s + 3, sizeof(ww_port *));
    for (unsigned i = 0; i < l1s; i++)
        vm->lists[2][i] =
            ww_tlb_fill(i < cluster->cu_count ? vm->l1[i] : vm->l1s[i - cluster->cu_count]);
    ww_port **above = vm->lists[2];
    for (unsigned i = 0; i < 3; i++) {
        if (!tlbs[i])
            continue;
        unsigned below = i + 1;
        while (below < 3 && !tlbs[below])
            below++;
        ww_tlb_wiring w = {.down =
                               below < 3 ? ww_tlb_in(tlbs[below]) : ww_cluster_walks_in(cluster),
                           .down_latency = below < 3 ? latency_of(cluster, names[below]) : 1,
                           .outs = above,
                           .route = i ? WW_TO_ONE : WW_TO_SOURCE,
                           .answer_ticks = 1};
        if (!i)
            wire_l2(cluster, &w);
        ww_tlb_connect(tlbs[i], &w);
        above = &vm->lists[2][l1s + i];
        *above = ww_tlb_fill(tlbs[i]);
    }
    ww_cluster_cuptw_connect_distributor(cluster, *above);
    vm->lists[3] = ww_calloc(cluster->slice_count + 1, sizeof(ww_port *));
    bool dram = !ww_cluster_walk_ports(cluster);
    unsigned source = cluster->cu_count + cluster->l1i_count + cluster->l1s_count;
    for (unsigned i = 0; dram && i < cluster->slice_count; i++)
        vm->lists[3][i] = &cluster->channels[i];
    if (!dram)
        vm->lists[3][0] = ww_crossbar_input(cluster->down, source);
    ww_mmu_connect(vm->mmu, &(ww_mmu_wiring){.out = *above,
                                             .memory = vm->lists[3],
                                             .route = dram ? channel_of : only_port,
                                             .route_context = &cluster->machine->dram_config.map,
                                             .source = ww_cluster_walk_source(cluster)});
}

void ww_cluster_vm_connect(ww_cluster *cluster)
{
    if (cluster->vm.ideal)
        return;
    ww_cluster_cuptw_connect(cluster);
    connect_l1_tlbs(cluster);
    connect_shared_tlbs(cluster);
}

void ww_cluster_vm_destroy(ww_cluster *cluster)
{
    ww_cluster_vm *vm = &cluster->vm;
    for (unsigned i = 0; vm->l1 && i < cluster->cu_count; i++)
        ww_tlb_destroy(vm->l1[i]);
    for (unsigned i = 0; vm->l1s && i < cluster->l1s_count; i++)
        ww_tlb_destroy(vm->l1s[i]);
    free(vm->l1);
    free(vm->l1s);
    ww_tlb_destroy(vm->l2);
    ww_tlb_destroy(vm->iommu[0]);
    ww_tlb_destroy(vm->iommu[1]);
    ww_mmu_destroy(vm->mmu);
    ww_cluster_cuptw_destroy(cluster);
    for (size_t i = 0; i < sizeof(vm->lists) / sizeof(vm->lists[0]); i++)
        free(vm->lists[i]);
}

/* Between launches nothing is in flight: every acknowledgement comes at once. */
void ww_cluster_vm_invalidate(ww_cluster *cluster, uint64_t address)
{
    const ww_cluster_vm *vm = &cluster->vm;
    uint64_t page = address / ww_vm_page_bytes(cluster->config);
    ww_invalidation what = {.asid = WW_PROGRAM_ASID, .pages = &page, .count = 1};
    if (vm->ideal)
        return;
    for (unsigned i = 0; i < cluster->cu_count; i++)
        ww_tlb_invalidate(vm->l1[i], &what);
    for (unsigned i = 0; i < cluster->l1s_count; i++)
        ww_tlb_invalidate(vm->l1s[i], &what);
    ww_tlb *shared[] = {vm->l2, vm->iommu[0], vm->iommu[1]};
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        if (shared[i])
            ww_tlb_invalidate(shared[i], &what);
    ww_mmu_invalidate(vm->mmu, &what);
}
