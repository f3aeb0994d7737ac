#include "sim/gpu.h"

#include "base/memory.h"
#include "core/disparity.h"
#include "sim/gpu_internal.h"
#include "vm/cuptw/cu_walker.h"

#include <inttypes.h>
#include <string.h>

/* Ticks between checks of the progress and the limit. */
#define SLICE 20000
/* A launch starts at a multiple of this: the last ticks of the one before do not affect it. */
#define LAUNCH_GRID 4096
#define PICOSECONDS 1000000000000ull /* of a second */

/* ---- the machine's callbacks ---- */

static void begin_cu(void *context, unsigned cu)
{
    ww_gpu *gpu = context;
    ww_cluster *cluster = ww_machine_cluster(gpu->machine, cu);
    ww_cu_begin(gpu->machine->cus[cu], &gpu->launch);
    gpu->begun[gpu->begun_count++] = cu;
    ww_cluster_begin(cluster, cu - cluster->first_cu, gpu->launches);
    ww_reuse *reuse = ww_cache_reuse(cluster->l1d[cu - cluster->first_cu]);
    if (reuse)
        ww_reuse_begin_kernel(reuse,
                              ww_reuse_kernels_number(&gpu->kernels, gpu->launch.launch->entry));
}

static void stop(void *context, int status)
{
    ww_gpu *gpu = context;
    gpu->status = status;
    ww_engine_stop(gpu->machine->engine);
}

/* Several faults of a tick may find it out: the first one says so. */
static void out_of_memory(void *context)
{
    ww_gpu *gpu = context;
    if (gpu->status != WW_OK)
        return;
    if (ww_gpu_paging_is_stuck(gpu))
        ww_gpu_too_few_pages(gpu);
    else
        ww_gpu_out_of_memory(gpu);
}

/* ---- life ---- */

ww_gpu *ww_gpu_create(const ww_config *config, uint64_t seed, ww_policies *policies,
                      const ww_gpu_observer *observer, const ww_first_pass *first_pass)
{
    ww_gpu *gpu = ww_calloc(1, sizeof(*gpu));
    gpu->observer = observer ? *observer : (ww_gpu_observer){0};
    gpu->first_pass = first_pass;
    gpu->sample_at = gpu->observer.sample ? 0 : WW_NEVER;
    gpu->machine = ww_machine_create(config, seed, policies,
                                     &(ww_machine_wiring){.observers = gpu->observer.observers,
                                                          .begin = begin_cu,
                                                          .failed = stop,
                                                          .out_of_memory = out_of_memory,
                                                          .context = gpu,
                                                          .pages = gpu->observer.pages,
                                                          .first_pass = first_pass});
    gpu->begun = ww_calloc(gpu->machine->cu_count, sizeof(*gpu->begun));
    return gpu;
}

void ww_gpu_destroy(ww_gpu *gpu)
{
    if (!gpu)
        return;
    ww_warmer_destroy(gpu->warmer);
    ww_machine_destroy(gpu->machine);
    ww_reuse_kernels_clear(&gpu->kernels);
    free(gpu->begun);
    free(gpu);
}

bool ww_gpu_has_scalar_unit(const ww_gpu *gpu)
{
    return gpu->machine->core_config.scalar_unit;
}

unsigned ww_gpu_argument_block(const ww_gpu *gpu)
{
    return gpu->machine->core_config.argument_block;
}

bool ww_gpu_end_waits(const ww_gpu *gpu)
{
    return gpu->machine->core_config.end_waits;
}

/* ---- running ---- */

static void make_launch(ww_gpu *gpu, const ww_gpu_launch *what)
{
    const ww_launch *l = what->launch;
    const ww_register_need *need = &what->code->need;
    uint64_t items = (uint64_t)l->group[0] * l->group[1] * l->group[2];
    uint32_t warps =
        (uint32_t)((items + gpu->machine->core_config.width - 1) / gpu->machine->core_config.width);
    bool scalars = gpu->machine->core_config.scalar_registers > 0;
    uint64_t lane_registers = need->vector + (scalars ? 0 : need->scalar);
    gpu->launch = (ww_cu_launch){
        .executor = what->executor,
        .code = what->code,
        .code_address =
            WW_CODE_ADDRESS + (uint64_t)what->executor->kernel->entry->index * WW_CODE_STRIDE,
        .local_address = WW_PRIVATE_ADDRESS,
        .asid = WW_PROGRAM_ASID,
        .warps = warps,
        .registers = lane_registers * gpu->machine->core_config.width * warps,
        .scalar_registers = scalars ? (uint64_t)need->scalar * warps : 0,
        .lds_bytes = what->executor->shared_bytes,
        .launch = l,
        .number = gpu->launches + 1,
        .profiled = gpu->first_pass ? gpu->first_pass->warps : NULL};
}

static int report_deadlock(ww_gpu *gpu, ww_errors *errors)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        ww_out_of_memory(sizeof(FILE));
    ww_engine_explain(gpu->machine->engine, out);
    fclose(out);
    ww_fail(errors, WW_FAILED, WW_NOWHERE,
            "kernel '%s' is stuck in cycle %" PRIu64 ": nothing can move, a fault of the simulator",
            gpu->launch.launch->entry,
            ww_clock_cycle(gpu->machine->clock, ww_engine_now(gpu->machine->engine)));
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        ww_fail(errors, WW_FAILED, WW_NOWHERE, "  %.*s", (int)(end - line), line);
    free(text);
    return WW_FAILED;
}

static int stop_at_limit(const ww_gpu *gpu, const ww_gpu_launch *what, ww_errors *errors)
{
    return ww_fail(errors, WW_FAILED, what->launch->at,
                   "kernel '%s': stopped after %" PRIu64 " warp instructions (--max-instructions)",
                   what->launch->entry, ww_gpu_instructions(gpu));
}

/* Between slices: WW_OK to continue. */
static int check_progress(ww_gpu *gpu, const ww_gpu_launch *what, uint64_t groups,
                          ww_errors *errors)
{
    if (what->max_instructions && ww_gpu_instructions(gpu) > what->max_instructions)
        return stop_at_limit(gpu, what, errors);
    int status = ww_gpu_progress_check(gpu);
    if (status == WW_OK)
        status = ww_gpu_paging_check(gpu);
    if (status != WW_OK || !what->progress)
        return status;
    ww_gpu_action action =
        what->progress(what->context, ww_dispatcher_done(gpu->machine->dispatcher), groups);
    if (action == WW_GPU_INTERRUPT)
        return ww_fail(errors, WW_FAILED, WW_NOWHERE, "interrupted");
    return action == WW_GPU_STOP ? WW_FAILED : WW_OK;
}

/* Cycles from `start` to the last store's acknowledgement. */
static uint64_t duration(const ww_gpu *gpu, ww_tick start)
{
    ww_tick end = ww_dispatcher_last_end(gpu->machine->dispatcher);
    for (unsigned i = 0; i < gpu->begun_count; i++) {
        ww_tick reply = ww_cu_last_reply(gpu->machine->cus[gpu->begun[i]]);
        end = reply > end ? reply : end;
    }
    uint64_t first = ww_clock_cycle(gpu->machine->clock, start),
             last = ww_clock_cycle(gpu->machine->clock, end);
    return last >= first ? last - first + 1 : 0;
}

/* Cycles from `start` to the end of the last group of the first wave. */
static uint64_t first_wave(const ww_gpu *gpu, ww_tick start)
{
    uint64_t first = ww_clock_cycle(gpu->machine->clock, start), end = first;
    for (unsigned i = 0; i < gpu->begun_count; i++) {
        uint64_t of_cu = ww_cu_first_wave_end(gpu->machine->cus[gpu->begun[i]]);
        end = of_cu > end ? of_cu : end;
    }
    return end - first;
}

void ww_gpu_update_stats(ww_gpu *gpu)
{
    ww_tick now = ww_clock_next(gpu->machine->clock, ww_engine_now(gpu->machine->engine));
    if (!gpu->running || now < gpu->start)
        return;
    uint64_t last = ww_clock_cycle(gpu->machine->clock, now);
    for (unsigned i = 0; i < gpu->begun_count; i++) {
        uint64_t cycle = ww_cu_update_stats(gpu->machine->cus[gpu->begun[i]]);
        last = cycle > last ? cycle : last;
    }
    gpu->machine->of_all.cycles += last - ww_clock_cycle(gpu->machine->clock, gpu->start);
    gpu->start = ww_clock_edge(gpu->machine->clock, last);
    ww_gpu_collect_stats(gpu);
}

static void sample_cluster(const ww_cluster *c, ww_gpu_sample *s)
{
    for (unsigned i = 0; i < c->cu_count; i++) {
        const ww_cu_counters *counters = ww_cu_count(c->cus[i]);
        for (unsigned unit = 0; unit < WW_UNIT_COUNT; unit++)
            s->unit_issues[unit] += counters->unit_issues[unit];
        s->requests += ww_cu_requests_in_flight(c->cus[i]);
        s->warps += ww_cu_warps(c->cus[i]);
    }
    for (unsigned i = 0; i < c->slice_count; i++)
        s->dram_bytes += ww_dram_bytes(c->dram[i]);
    if (c->vm.mmu) {
        s->walks_waiting += ww_mmu_waiting(c->vm.mmu);
        s->walkers_busy += ww_mmu_busy(c->vm.mmu);
    }
    for (unsigned i = 0; c->vm.walkers && i < c->cu_count; i++) {
        s->cu_walks_waiting += ww_cu_walker_waiting(c->vm.walkers[i]);
        s->cu_walks += ww_cu_walker_walking(c->vm.walkers[i]);
    }
}

/* All events before tick `at` have happened. */
static void sample(ww_gpu *gpu, ww_tick at, bool last)
{
    ww_gpu_sample s = {.cycle = ww_clock_cycle(gpu->machine->clock, at),
                       .last = last,
                       .compute_units = gpu->machine->cu_count};
    for (unsigned i = 0; i < gpu->machine->cluster_count; i++)
        sample_cluster(&gpu->machine->clusters[i], &s);
    s.energy = ww_machine_energy(gpu->machine, (double)at / (double)gpu->machine->base_hertz);
    s.paged = gpu->machine->paging.paging != NULL;
    if (s.paged)
        s.paging = ww_paging_sample_now(gpu->machine->paging.paging);
    uint64_t cycles = gpu->observer.sample(gpu->observer.context, &s);
    gpu->sample_at = ww_clock_edge(gpu->machine->clock, s.cycle + cycles);
}

bool ww_gpu_run_until(ww_gpu *gpu, ww_tick end)
{
    bool more = true;
    while (more && gpu->status == WW_OK && gpu->sample_at < end) {
        ww_tick at = gpu->sample_at;
        more = ww_engine_run(gpu->machine->engine, at);
        sample(gpu, more && gpu->status == WW_OK ? at : ww_engine_now(gpu->machine->engine), false);
    }
    return more && gpu->status == WW_OK ? ww_engine_run(gpu->machine->engine, end) : more;
}

void ww_gpu_sample_last(ww_gpu *gpu)
{
    if (gpu->observer.sample)
        sample(gpu, ww_engine_now(gpu->machine->engine), true);
}

/* Checked mode: no event is left, so no request may be in flight. */
static int check_end(const ww_gpu *gpu, ww_errors *errors)
{
    int status = ww_checker_end(gpu->machine->check, errors);
    uint64_t lost = ww_request_pool_in_use(gpu->machine->pool);
    if (status == WW_OK && lost)
        status = ww_fail(errors, WW_FAILED, WW_NOWHERE,
                         "checked: kernel '%s': %" PRIu64 " requests of caches never come back",
                         gpu->launch.launch->entry, lost);
    return status;
}

/* Ticks until the GPU has issued this many instructions, at the earliest. */
static uint64_t ticks_up_to(const ww_gpu *gpu, uint64_t instructions)
{
    const ww_cu_config *c = &gpu->machine->core_config;
    uint64_t most =
        (uint64_t)gpu->machine->cu_count * c->schedulers * c->issue_width; /* in a tick */
    uint64_t issued = ww_gpu_instructions(gpu);
    return instructions > issued ? (instructions - issued) / most + 1 : 1;
}

/* Ticks up to the next check. */
static uint64_t next_slice(const ww_gpu *gpu, const ww_gpu_launch *what, uint64_t groups)
{
    uint64_t slice = ww_gpu_paging_slice(gpu, groups, SLICE);
    if (what->progress_at) {
        uint64_t ticks = ticks_up_to(gpu, what->progress_at(what->context));
        ticks = ticks > WW_PROGRESS_TICKS ? ticks : WW_PROGRESS_TICKS;
        slice = ticks < slice ? ticks : slice;
    }
    if (what->max_instructions) {
        uint64_t ticks = ticks_up_to(gpu, what->max_instructions);
        slice = ticks < slice ? ticks : slice;
    }
    return slice;
}

static int drive(ww_gpu *gpu, const ww_gpu_launch *what, uint64_t groups, ww_errors *errors)
{
    ww_tick end = ww_engine_now(gpu->machine->engine);
    end = end > gpu->start ? end : gpu->start;
    for (bool more = true; more && gpu->status == WW_OK;) {
        gpu->status = check_progress(gpu, what, groups, errors);
        if (gpu->status != WW_OK)
            break;
        end += next_slice(gpu, what, groups);
        more = ww_gpu_run_until(gpu, end);
        ww_gpu_paging_end(gpu, groups);
    }
    if (gpu->status == WW_OK && what->max_instructions &&
        ww_gpu_instructions(gpu) > what->max_instructions)
        gpu->status = stop_at_limit(gpu, what, errors);
    if (gpu->status == WW_OK && gpu->machine->check)
        gpu->status = check_end(gpu, errors);
    bool waits = ww_dispatcher_done(gpu->machine->dispatcher) < groups || gpu->paging_runs;
    if (gpu->status == WW_OK && waits)
        gpu->status =
            ww_gpu_paging_is_stuck(gpu) ? ww_gpu_too_few_pages(gpu) : report_deadlock(gpu, errors);
    return gpu->status;
}

int ww_gpu_begin(ww_gpu *gpu, const ww_gpu_launch *what, ww_errors *errors)
{
    if (gpu->status != WW_OK)
        return gpu->status;
    make_launch(gpu, what);
    int status = ww_cu_check_fit(&gpu->machine->core_config, &gpu->launch, errors);
    if (status == WW_OK)
        status = ww_gpu_vm_begin(gpu, errors);
    gpu->launches += status == WW_OK;
    return status;
}

int ww_gpu_run(ww_gpu *gpu, const ww_gpu_launch *what, ww_errors *errors)
{
    const uint32_t *grid = what->launch->groups;
    uint64_t groups = (uint64_t)grid[0] * grid[1] * grid[2];
    int status = ww_gpu_begin(gpu, what, errors);
    if (status != WW_OK)
        return status;
    gpu->start =
        (ww_engine_now(gpu->machine->engine) + LAUNCH_GRID - 1) / LAUNCH_GRID * LAUNCH_GRID;
    gpu->running = true;
    gpu->begun_count = 0;
    if (gpu->observer.launched)
        gpu->observer.launched(gpu->observer.context, gpu->launches,
                               ww_clock_cycle(gpu->machine->clock, gpu->start), &gpu->launch);
    ww_tick dispatch_at = ww_gpu_paging_begin(gpu);
    ww_dispatcher_start(gpu->machine->dispatcher, &gpu->launch, dispatch_at, what->first_group,
                        groups);
    ww_gpu_progress_start(gpu);
    status = drive(gpu, what, groups, errors);
    if (status == WW_OK) {
        gpu->machine->of_all.cycles += duration(gpu, gpu->start);
        gpu->machine->of_all.first_wave_cycles += first_wave(gpu, gpu->start);
    } else {
        ww_gpu_update_stats(gpu);
    }
    gpu->running = false;
    if (gpu->machine->paging.paging)
        ww_gpu_sample_last(gpu);
    else
        gpu->samples_last = true; /* once, after the last launch */
    if (gpu->observer.stopped)
        gpu->observer.stopped(gpu->observer.context,
                              ww_clock_cycle(gpu->machine->clock,
                                             ww_clock_next(gpu->machine->clock,
                                                           ww_engine_now(gpu->machine->engine))));
    for (unsigned i = 0; i < gpu->begun_count; i++)
        ww_cu_end(gpu->machine->cus[gpu->begun[i]], &gpu->launch);
    return status;
}

/* ---- results ---- */

uint64_t ww_gpu_cycles(const ww_gpu *gpu)
{
    return gpu->machine->of_all.cycles;
}

uint64_t ww_gpu_picoseconds(const ww_gpu *gpu)
{
    return ww_clock_scale(gpu->machine->of_all.cycles, PICOSECONDS, 0,
                          ww_config_hertz(gpu->machine->config, "gpu.clock"));
}

uint64_t ww_gpu_instructions(const ww_gpu *gpu)
{
    return gpu->machine->instructions;
}

void ww_gpu_collect_stats(ww_gpu *gpu)
{
    if (gpu->samples_last)
        ww_gpu_sample_last(gpu);
    gpu->samples_last = false;
    ww_machine_collect_stats(gpu->machine);
}

void ww_gpu_begin_measuring(ww_gpu *gpu)
{
    ww_gpu_update_stats(gpu);
    ww_machine_begin_measuring(gpu->machine);
    ww_reuse_rows_restart(gpu->machine);
}

json_t *ww_gpu_reuse_json(const ww_gpu *gpu)
{
    return ww_reuse_rows_json(gpu->machine, &gpu->kernels);
}

void ww_gpu_add_stats(ww_gpu *gpu, ww_stats *stats)
{
    ww_machine_add_stats(gpu->machine, stats);
}
