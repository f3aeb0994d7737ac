/* Virtual memory of a GPU: the driver, and TLBs and walkers where translation takes time. */
#include "base/memory.h"
#include "exec/warp.h"
#include "sim/gpu_internal.h"
#include "vm/vm_schema.h"
#include "vm/vm_stats.h"

/* ---- callbacks ---- */

static bool touch(void *context, uint16_t asid, uint64_t address, uint64_t *physical)
{
    ww_gpu *gpu = context;
    if (ww_driver_touch(gpu->vm.driver, asid, address, physical))
        return true;
    ww_gpu_out_of_memory(gpu);
    return false;
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

unsigned ww_gpu_walk_ports(const ww_gpu *gpu)
{
    return !gpu->vm.ideal && !ww_walks_go_to_dram(gpu->config);
}

static ww_tlb *create_tlb(ww_gpu *gpu, const char *prefix, unsigned producers, bool counts_warps)
{
    ww_tlb_config c;
    ww_tlb_configure(gpu->config, prefix, &c);
    c.clock = gpu->clock;
    c.producers = producers;
    c.warps = gpu->cu_count * gpu->core_config.slots;
    c.epoch = counts_warps ? (uint32_t)ww_config_u64(gpu->config, "l2_tlb.epoch") : 0;
    return ww_tlb_create(&c, gpu->engine);
}

static ww_tlb **create_l1_tlbs(ww_gpu *gpu, unsigned count, unsigned producers)
{
    ww_tlb **tlbs = ww_calloc(count + 1, sizeof(ww_tlb *));
    for (unsigned i = 0; i < count; i++)
        tlbs[i] = create_tlb(gpu, "l1_tlb", producers, false);
    return tlbs;
}

/* The last TLB before the walkers. */
static const char *last_tlb(const ww_gpu *gpu)
{
    return gpu->vm.iommu[1] ? "iommu_l2_tlb" : gpu->vm.iommu[0] ? "iommu_l1_tlb" : "l2_tlb";
}

static void create_walkers(ww_gpu *gpu, uint64_t seed)
{
    ww_tlb_config last;
    ww_mmu_config c;
    ww_tlb_configure(gpu->config, last_tlb(gpu), &last);
    ww_mmu_configure(gpu->config, seed, last.mshrs, &c);
    c.start = ww_gpu_policy_start(gpu, "walk");
    c.clock = gpu->clock;
    c.suppliers = gpu->slice_count;
    c.instructions = gpu->cu_count * gpu->core_config.memory_queue * 2; /* vector and scalar */
    gpu->vm.mmu = ww_mmu_create(&c, gpu->engine, gpu->pool);
    ww_mmu_set_table(gpu->vm.mmu, WW_PROGRAM_ASID,
                     ww_driver_table(gpu->vm.driver, WW_PROGRAM_ASID));
}

void ww_gpu_vm_create(ww_gpu *gpu, uint64_t seed)
{
    ww_gpu_vm *vm = &gpu->vm;
    ww_driver_config driver;
    ww_driver_configure(gpu->config, seed, &driver);
    driver.frames.start = ww_gpu_policy_start(gpu, "vm");
    vm->driver = ww_driver_create(&driver);
    ww_driver_add_space(vm->driver, WW_PROGRAM_ASID);
    vm->ideal = ww_vm_is_ideal(gpu->config);
    if (vm->ideal)
        return;
    vm->l1 = create_l1_tlbs(gpu, gpu->cu_count, 1);
    vm->l1s =
        create_l1_tlbs(gpu, gpu->l1s_count, (unsigned)ww_config_u64(gpu->config, "l1s.shared_by"));
    vm->l2 = create_tlb(gpu, "l2_tlb", gpu->cu_count + gpu->l1s_count, true);
    if (ww_config_u64(gpu->config, "iommu_l1_tlb.entries"))
        vm->iommu[0] = create_tlb(gpu, "iommu_l1_tlb", 1, false);
    if (ww_config_u64(gpu->config, "iommu_l2_tlb.entries"))
        vm->iommu[1] = create_tlb(gpu, "iommu_l2_tlb", 1, false);
    create_walkers(gpu, seed);
}

/* ---- connecting ---- */

static uint32_t latency_of(const ww_gpu *gpu, const char *prefix)
{
    ww_tlb_config c;
    ww_tlb_configure(gpu->config, prefix, &c);
    return c.latency;
}

void ww_gpu_vm_link(ww_gpu *gpu, unsigned cu, ww_cu_wiring *wiring)
{
    wiring->touch = touch;
    wiring->memory_instructions = &gpu->vm.memory_instructions;
    if (gpu->vm.ideal)
        return;
    wiring->walk_records = ww_mmu_records(gpu->vm.mmu);
    ww_tlb_config c;
    unsigned share = (unsigned)ww_config_u64(gpu->config, "l1s.shared_by");
    ww_tlb_configure(gpu->config, "l1_tlb", &c);
    wiring->data_tlb = (ww_tlb_link){.port = ww_tlb_in(gpu->vm.l1[cu]),
                                     .latency = c.latency,
                                     .lookups = c.lookups,
                                     .source = (uint16_t)cu};
    if (gpu->l1s_count)
        wiring->scalar_tlb = (ww_tlb_link){.port = ww_tlb_in(gpu->vm.l1s[cu / share]),
                                           .latency = c.latency,
                                           .lookups = c.lookups,
                                           .source = (uint16_t)(gpu->cu_count + cu / share),
                                           .unit = (uint16_t)(cu % share)};
}

static void connect_l1_tlbs(ww_gpu *gpu)
{
    ww_gpu_vm *vm = &gpu->vm;
    unsigned share = (unsigned)ww_config_u64(gpu->config, "l1s.shared_by");
    vm->lists[0] = ww_calloc(gpu->cu_count, sizeof(ww_port *));
    vm->lists[1] = ww_calloc(gpu->cu_count, sizeof(ww_port *));
    for (unsigned i = 0; i < gpu->cu_count; i++) {
        vm->lists[0][i] = ww_cu_data_translations(gpu->cus[i]);
        vm->lists[1][i] = ww_cu_scalar_translations(gpu->cus[i]);
    }
    ww_tlb_wiring w = {.down = ww_tlb_in(vm->l2), .down_latency = latency_of(gpu, "l2_tlb")};
    for (unsigned i = 0; i < gpu->cu_count; i++) {
        w.outs = &vm->lists[0][i];
        w.route = WW_TO_ONE;
        ww_tlb_connect(vm->l1[i], &w);
    }
    for (unsigned i = 0; i < gpu->l1s_count; i++) {
        w.outs = &vm->lists[1][(size_t)i * share];
        w.route = WW_TO_UNIT;
        ww_tlb_connect(vm->l1s[i], &w);
    }
}

/* The L2 TLB, the IOMMU's TLBs that exist, and the walkers, from the top down. */
static void connect_shared_tlbs(ww_gpu *gpu)
{
    static const char *const names[] = {"l2_tlb", "iommu_l1_tlb", "iommu_l2_tlb"};
    ww_gpu_vm *vm = &gpu->vm;
    ww_tlb *tlbs[] = {vm->l2, vm->iommu[0], vm->iommu[1]};
    unsigned l1s = gpu->cu_count + gpu->l1s_count;
    vm->lists[2] = ww_calloc(l1s + 3, sizeof(ww_port *));
    for (unsigned i = 0; i < l1s; i++)
        vm->lists[2][i] = ww_tlb_fill(i < gpu->cu_count ? vm->l1[i] : vm->l1s[i - gpu->cu_count]);
    ww_port **above = vm->lists[2];
    for (unsigned i = 0; i < 3; i++) {
        if (!tlbs[i])
            continue;
        unsigned below = i + 1;
        while (below < 3 && !tlbs[below])
            below++;
        ww_tlb_wiring w = {.down = below < 3 ? ww_tlb_in(tlbs[below]) : ww_mmu_in(vm->mmu),
                           .down_latency = below < 3 ? latency_of(gpu, names[below]) : 1,
                           .outs = above,
                           .route = i ? WW_TO_ONE : WW_TO_SOURCE,
                           .answer_ticks = 1};
        ww_tlb_connect(tlbs[i], &w);
        above = &vm->lists[2][l1s + i];
        *above = ww_tlb_fill(tlbs[i]);
    }
    vm->lists[3] = ww_calloc(gpu->slice_count + 1, sizeof(ww_port *));
    bool dram = !ww_gpu_walk_ports(gpu);
    unsigned source = gpu->cu_count + gpu->l1i_count + gpu->l1s_count;
    for (unsigned i = 0; dram && i < gpu->slice_count; i++)
        vm->lists[3][i] = &gpu->channels[i];
    if (!dram)
        vm->lists[3][0] = ww_crossbar_input(gpu->down, source);
    ww_mmu_connect(vm->mmu, &(ww_mmu_wiring){.out = *above,
                                             .memory = vm->lists[3],
                                             .route = dram ? channel_of : only_port,
                                             .route_context = &gpu->map,
                                             .source = (uint16_t)source});
}

void ww_gpu_vm_connect(ww_gpu *gpu)
{
    if (gpu->vm.ideal)
        return;
    connect_l1_tlbs(gpu);
    connect_shared_tlbs(gpu);
}

void ww_gpu_vm_destroy(ww_gpu *gpu)
{
    ww_gpu_vm *vm = &gpu->vm;
    for (unsigned i = 0; vm->l1 && i < gpu->cu_count; i++)
        ww_tlb_destroy(vm->l1[i]);
    for (unsigned i = 0; vm->l1s && i < gpu->l1s_count; i++)
        ww_tlb_destroy(vm->l1s[i]);
    free(vm->l1);
    free(vm->l1s);
    ww_tlb_destroy(vm->l2);
    ww_tlb_destroy(vm->iommu[0]);
    ww_tlb_destroy(vm->iommu[1]);
    ww_mmu_destroy(vm->mmu);
    for (size_t i = 0; i < sizeof(vm->lists) / sizeof(vm->lists[0]); i++)
        free(vm->lists[i]);
    ww_driver_destroy(vm->driver);
}

/* ---- launches ---- */

static bool add_buffers(ww_gpu_vm *vm, const ww_memory *memory)
{
    const ww_buffer *const *buffers;
    size_t count = ww_memory_buffers(memory, &buffers);
    if (vm->buffers_added == ww_memory_added(memory))
        return true;
    for (size_t i = 0; i < count; i++)
        if (buffers[i]->number > vm->buffers_added &&
            !ww_driver_add(vm->driver, WW_PROGRAM_ASID, buffers[i]->address, buffers[i]->size))
            return false;
    vm->buffers_added = ww_memory_added(memory);
    return true;
}

/* Between launches nothing is in flight: every acknowledgement comes at once. */
static void invalidate(ww_gpu *gpu, uint64_t page)
{
    const ww_gpu_vm *vm = &gpu->vm;
    ww_invalidation what = {.asid = WW_PROGRAM_ASID, .page = page};
    for (unsigned i = 0; i < gpu->cu_count; i++)
        ww_tlb_invalidate(vm->l1[i], &what);
    for (unsigned i = 0; i < gpu->l1s_count; i++)
        ww_tlb_invalidate(vm->l1s[i], &what);
    ww_tlb *shared[] = {vm->l2, vm->iommu[0], vm->iommu[1]};
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        if (shared[i])
            ww_tlb_invalidate(shared[i], &what);
    ww_mmu_invalidate(vm->mmu, &what);
}

void ww_gpu_release(ww_gpu *gpu, const ww_buffer *buffer)
{
    ww_gpu_vm *vm = &gpu->vm;
    uint64_t page = ww_vm_page_bytes(gpu->config);
    if (buffer->number > vm->buffers_added)
        return;
    ww_driver_remove(vm->driver, WW_PROGRAM_ASID, buffer->address, buffer->size);
    uint64_t end = buffer->address + buffer->size;
    for (uint64_t at = buffer->address - buffer->address % page; !vm->ideal && at < end; at += page)
        if (!ww_driver_has(vm->driver, WW_PROGRAM_ASID, at))
            invalidate(gpu, at / page);
}

uint64_t ww_gpu_code_bytes(const ww_gpu *gpu)
{
    return (uint64_t)gpu->launch.code->op_count * gpu->core_config.instruction_bytes;
}

uint64_t ww_gpu_private_bytes(const ww_gpu *gpu)
{
    uint64_t lane = (gpu->launch.executor->kernel->local_bytes + 3) / 4 * 4;
    return lane * gpu->core_config.width * gpu->core_config.slots * gpu->cu_count;
}

int ww_gpu_vm_begin(ww_gpu *gpu, ww_errors *errors)
{
    ww_gpu_vm *vm = &gpu->vm;
    const ww_cu_launch *l = &gpu->launch;
    uint64_t private_end = l->local_address + ww_gpu_private_bytes(gpu);
    uint64_t private_start =
        vm->private_end > l->local_address ? vm->private_end : l->local_address;
    vm->errors = errors;
    if (ww_gpu_private_bytes(gpu) > ww_config_bytes(gpu->config, "vm.memory"))
        return ww_gpu_too_much_private(gpu);
    if (!add_buffers(vm, l->executor->memory) ||
        !ww_driver_map(vm->driver, l->asid, l->code_address, ww_gpu_code_bytes(gpu)) ||
        (private_start < private_end &&
         !ww_driver_map(vm->driver, l->asid, private_start, private_end - private_start)))
        return ww_gpu_out_of_memory(gpu);
    vm->private_end = private_end > private_start ? private_end : private_start;
    return WW_OK;
}

/* ---- results ---- */

static void add_tlbs(ww_stats *stats, const ww_stat_table *table, ww_tlb *const *tlbs,
                     unsigned count)
{
    ww_stats_add(stats, table, NULL);
    for (unsigned i = 0; i < count; i++)
        if (tlbs[i])
            ww_stats_add(stats, table, ww_tlb_count(tlbs[i]));
}

void ww_gpu_vm_add_stats(ww_gpu *gpu, ww_stats *stats)
{
    ww_gpu_vm *vm = &gpu->vm;
    add_tlbs(stats, &ww_l1_tlb_stats, vm->l1, vm->l1 ? gpu->cu_count : 0);
    add_tlbs(stats, &ww_l1s_tlb_stats, vm->l1s, vm->l1s ? gpu->l1s_count : 0);
    add_tlbs(stats, &ww_l2_tlb_stats, &vm->l2, 1);
    add_tlbs(stats, &ww_iommu_l1_tlb_stats, &vm->iommu[0], 1);
    add_tlbs(stats, &ww_iommu_l2_tlb_stats, &vm->iommu[1], 1);
    ww_stats_add(stats, &ww_walk_stats, vm->mmu ? ww_mmu_count(vm->mmu) : NULL);
}

void ww_gpu_vm_collect_stats(ww_gpu *gpu)
{
    ww_gpu_vm *vm = &gpu->vm;
    if (vm->ideal)
        return;
    ww_tlb *first[] = {vm->l1[0], gpu->l1s_count ? vm->l1s[0] : NULL, vm->l2, vm->iommu[0],
                       vm->iommu[1]};
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
        if (first[i])
            ww_tlb_count(first[i])->instructions = gpu->instructions;
    ww_mmu_update_stats(vm->mmu, ww_clock_edge(gpu->clock, gpu->of_all.cycles));
}
