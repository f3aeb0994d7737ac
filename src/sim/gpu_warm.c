/* Warming: groups run functionally, and what they access changes caches, TLBs and walk caches in no
 * time, as if they had run on compute units in turn. Queues, DRAM rows and schedulers are not
 * warmed: a few thousand cycles do that. */
#include "base/memory.h"
#include "core/coalesce.h"
#include "core/execute.h"
#include "exec/run.h"
#include "sim/gpu_internal.h"
#include "vm/vm_schema.h"
#include "vm/walk_buffer.h"

typedef struct ww_warmer {
    ww_gpu *gpu;
    unsigned l1i_share, l1s_share; /* compute units that share a cache */
    bool walks_reach_l2;
    ww_coalescer coalescers[2]; /* of vector and of scalar instructions */
    uint64_t last_page;         /* that was translated last, */
    const ww_tlb *last_tlb;     /* through this L1 TLB */
    ww_warp_lines lines;
} ww_warmer;

static ww_warmer *create(ww_gpu *gpu)
{
    const ww_machine *m = gpu->machine;
    ww_warmer *w = ww_calloc(1, sizeof(*w));
    w->gpu = gpu;
    w->l1i_share = (unsigned)ww_config_u64(m->config, "l1i.shared_by");
    w->l1s_share = (unsigned)ww_config_u64(m->config, "l1s.shared_by");
    w->walks_reach_l2 = !ww_walks_go_to_dram(m->config);
    for (unsigned i = 0; i < 2; i++)
        w->coalescers[i] = (ww_coalescer){.line = m->core_config.line,
                                          .sector = m->core_config.sector,
                                          .width = m->core_config.width,
                                          .scalar = i};
    return w;
}

void ww_warmer_destroy(ww_warmer *w)
{
    free(w);
}

/* ---- caches ---- */

/* The victims of the L2 go to the DRAM, which is not warmed. */
static void warm_l2(const ww_warmer *w, const ww_request *request)
{
    const ww_machine *m = w->gpu->machine;
    uint32_t slice = ww_dram_map_channel(&m->dram_config.map, request->address);
    unsigned each = m->clusters[0].slice_count;
    ww_cache_victim unused;
    ww_cache_warm(m->clusters[slice / each].l2[slice % each], request, &unused);
}

static void warm_caches(const ww_warmer *w, ww_cache *l1, ww_request *request)
{
    ww_cache_victim victim;
    uint32_t below = ww_cache_warm(l1, request, &victim);
    if (victim.sectors)
        warm_l2(w, &(ww_request){.address = victim.address,
                                 .sectors = victim.sectors,
                                 .kind = WW_REQUEST_WRITE,
                                 .class = WW_CLASS_WRITE_BACK,
                                 .full = victim.full});
    if (!below)
        return;
    request->sectors = below;
    request->missed = true;
    warm_l2(w, request);
}

/* ---- translation ---- */

static void read_entries(void *context, uint64_t line, uint32_t sectors)
{
    const ww_warmer *w = context;
    if (w->walks_reach_l2)
        warm_l2(w, &(ww_request){.address = line,
                                 .sectors = sectors,
                                 .kind = WW_REQUEST_READ,
                                 .class = WW_CLASS_PTE});
}

/* Looks the page up level by level, and keeps it in the levels that did not have it. */
static void translate(ww_warmer *w, const ww_cluster *cluster, ww_tlb *l1, uint64_t page)
{
    const ww_cluster_vm *vm = &cluster->vm;
    ww_tlb *levels[] = {l1, vm->l2, vm->iommu[0], vm->iommu[1]};
    uint64_t key = ww_page_key(WW_PROGRAM_ASID, page), entry = 0;
    unsigned shift = w->gpu->machine->core_config.page_shift, level = 0;
    ww_page_run run = {0};
    if (page == w->last_page && l1 == w->last_tlb)
        return;
    w->last_page = page;
    w->last_tlb = l1;
    while (level < 4 && !(levels[level] && ww_tlb_find(levels[level], key, &entry, &run)))
        level++;
    if (level == 4) {
        ww_warm_walk walk = {.address = ww_walk_address(WW_PROGRAM_ASID, page << shift),
                             .read = read_entries,
                             .context = w};
        entry = ww_mmu_warm(vm->mmu, &walk);
        run = walk.run;
    }
    while (level-- > 0)
        if (levels[level])
            ww_tlb_keep(levels[level], key, entry, run);
}

/* ---- accesses ---- */

static uint64_t private_base(const ww_warmer *w, unsigned cu, const ww_warp *warp)
{
    const ww_cu_launch *l = &w->gpu->launch;
    const ww_cu_config *c = &w->gpu->machine->core_config;
    uint64_t lane_bytes = (l->executor->kernel->local_bytes + 3) / 4 * 4;
    return l->local_address + ((uint64_t)cu * c->slots + warp->index) * lane_bytes * c->width;
}

static bool warm_line(ww_warmer *w, unsigned cu, const ww_timed_op *op, uint32_t index, uint32_t pc)
{
    const ww_machine *m = w->gpu->machine;
    ww_cluster *cluster = ww_machine_cluster(m, cu);
    const ww_warp_line *line = &w->lines.line[index];
    unsigned here = cu - cluster->first_cu;
    bool scalar = op->flags & WW_TIMED_SCALAR;
    ww_request r = {.sectors = line->sectors,
                    .kind = op->flags & WW_TIMED_ATOMIC ? WW_REQUEST_ATOMIC
                            : op->flags & WW_TIMED_LOAD ? WW_REQUEST_READ
                                                        : WW_REQUEST_WRITE,
                    .class = scalar ? WW_CLASS_SCALAR : WW_CLASS_DATA,
                    .pc_tag = w->gpu->launch.code->tags[pc],
                    .pc = (uint16_t)pc,
                    .lanes = line->accesses};
    r.full =
        r.kind == WW_REQUEST_WRITE && ww_warp_line_is_full(&w->lines, index, m->core_config.sector);
    if (!ww_driver_touch(m->driver, WW_PROGRAM_ASID, line->address, &r.address))
        return false;
    if (!cluster->vm.ideal)
        translate(w, cluster, scalar ? cluster->vm.l1s[here / w->l1s_share] : cluster->vm.l1[here],
                  line->address >> m->core_config.page_shift);
    warm_caches(w, scalar ? cluster->l1s[here / w->l1s_share] : cluster->l1d[here], &r);
    return true;
}

/* Groups come to compute units in turn, as the dispatcher starts them at first. */
static void accessed(void *context, const ww_warp *warp, uint32_t pc)
{
    ww_warmer *w = context;
    const ww_cu_launch *l = &w->gpu->launch;
    const ww_timed_op *op = &l->code->ops[pc];
    const ww_access *access = &l->executor->access;
    unsigned cu = (unsigned)(warp->group->number % w->gpu->machine->cu_count);
    if (!(op->flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC)) || !access->lanes ||
        ww_goes_to_share(op, access))
        return;
    ww_coalesce_access(&w->coalescers[(op->flags & WW_TIMED_SCALAR) != 0], l->executor->tools,
                       access, private_base(w, cu, warp), &w->lines);
    for (uint32_t i = 0; i < w->lines.count; i++) {
        if (!warm_line(w, cu, op, i, pc)) {
            w->gpu->machine->wiring.out_of_memory(w->gpu);
            return;
        }
    }
}

/* ---- launches ---- */

/* Each instruction cache that the launch reaches has its code. */
static void warm_code(const ww_warmer *w, ww_cluster *cluster, unsigned cu)
{
    const ww_machine *m = w->gpu->machine;
    uint64_t address = w->gpu->launch.code_address;
    uint32_t line = m->core_config.line;
    if (cu % w->l1i_share)
        return;
    for (uint64_t at = 0; at < ww_gpu_code_bytes(w->gpu); at += line) {
        ww_request r = {.sectors = (uint32_t)((1ull << line / m->core_config.sector) - 1),
                        .kind = WW_REQUEST_READ,
                        .class = WW_CLASS_INSTRUCTION};
        if (ww_driver_touch(m->driver, WW_PROGRAM_ASID, address + at, &r.address))
            warm_caches(w, cluster->l1i[cu / w->l1i_share], &r);
    }
}

/* The launch comes to the compute units that it would use. */
static void begin_launch(const ww_warmer *w, uint64_t groups)
{
    const ww_machine *m = w->gpu->machine;
    for (unsigned cu = 0; cu < m->cu_count && cu < groups; cu++) {
        ww_cluster *cluster = ww_machine_cluster(m, cu);
        ww_cluster_begin(cluster, cu - cluster->first_cu, w->gpu->launches);
        warm_code(w, cluster, cu - cluster->first_cu);
    }
}

int ww_gpu_warm(ww_gpu *gpu, const ww_gpu_launch *what, const ww_exec_options *options,
                ww_errors *errors)
{
    const uint32_t *grid = what->launch->groups;
    uint64_t groups = (uint64_t)grid[0] * grid[1] * grid[2];
    int status = ww_gpu_begin(gpu, what, errors);
    if (status != WW_OK)
        return status;
    gpu->warmer = gpu->warmer ? gpu->warmer : create(gpu);
    gpu->warmer->last_tlb = NULL;
    begin_launch(gpu->warmer, groups);
    what->executor->accessed = accessed;
    what->executor->accessed_context = gpu->warmer;
    ww_run run = {
        .x = what->executor, .options = options, .launch = what->launch, .group_count = groups};
    status = ww_run_groups(&run);
    what->executor->accessed = NULL;
    return status != WW_OK ? status : gpu->status;
}
