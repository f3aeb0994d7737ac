#include "support/vm_rig.h"

#include "base/memory.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PAGE 4096ull
#define READ_TICKS 10
#define WAY_TICKS 3 /* between TLBs, with the lookup */
#define MOST_TICKS 100000

static uint64_t address_of(const vm_rig *rig, unsigned page)
{
    return rig->core.params[0] + page * PAGE;
}

void vm_rig_init(vm_rig *rig)
{
    *rig = (vm_rig){
        .scheduler = "fcfs", .merge = "none", .entries = {4, 8, 16}, .latency = 1, .pages = 1};
    core_rig_init(&rig->core);
    rig->core.config.page_shift = 12;
    rig->mmu_config = (ww_mmu_config){.clock = {1, 1},
                                      .walkers = 2,
                                      .buffer = 16,
                                      .queue = 16,
                                      .suppliers = 1,
                                      .instructions = 16,
                                      .cache = WW_WALK_CACHE_LEVELS,
                                      .cache_entries = 4,
                                      .cache_latency = 2,
                                      .aging = UINT64_MAX,
                                      .page_shift = 12,
                                      .line = 64,
                                      .sector = 64};
}

/* ---- callbacks ---- */

static ww_mapped_address locate(const void *context, uint16_t asid, uint64_t address)
{
    const vm_rig *rig = context;
    ww_mapping all = ww_driver_mapping(rig->driver);
    assert_int_equal(asid, 0);
    return all.translate(all.context, rig->space, address);
}

static void read_memory(void *owner)
{
    vm_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->core.engine);
    for (ww_request *r; (r = ww_port_peek(&rig->memory)) != NULL;) {
        ww_port_pop(&rig->memory);
        ww_port_send(ww_mmu_replies(rig->mmu), r, now + READ_TICKS);
    }
    if (rig->memory.count)
        ww_wake(rig->core.engine, &rig->memory_task, ww_port_next(&rig->memory));
}

static uint32_t route(const void *context, uint64_t address)
{
    (void)context;
    (void)address;
    return 0;
}

static ww_fault_verdict fault(void *context, const ww_page_fault *f)
{
    vm_rig *rig = context;
    assert_int_equal(f->status, WW_FAR_FAULT);
    rig->faults++;
    if (rig->done_at) /* it was on its way when its page was replayed */
        ww_cu_replay(rig->core.cu, 0, f->page);
    return WW_FAULT_PARK;
}

/* ---- moving pages ---- */

static void replay_all(vm_rig *rig)
{
    for (unsigned i = 0; i < CORE_RIG_BUFFER / PAGE; i++)
        ww_cu_replay(rig->core.cu, 0, address_of(rig, i) / PAGE);
}

static uint64_t moved_address(const vm_rig *rig, unsigned n)
{
    return address_of(rig, rig->page + 2 * n);
}

/* The pages that were unmapped get other frames: those that were freed go to decoys. */
static void moved(void *context)
{
    vm_rig *rig = context;
    uint64_t unused;
    for (unsigned i = 0; i < rig->pages; i++)
        ww_driver_release(rig->driver, 0, moved_address(rig, i));
    for (unsigned i = 0; i < rig->pages; i++)
        assert_true(ww_driver_touch(rig->driver, 0, i * PAGE, &unused));
    for (unsigned i = 0; i < rig->pages; i++)
        assert_true(ww_driver_touch(rig->driver, 0, moved_address(rig, i), &unused));
    rig->done_at = ww_engine_now(rig->core.engine);
    replay_all(rig);
}

static void replaced(void *context)
{
    vm_rig *rig = context;
    rig->space = 1;
    assert_true(ww_driver_map(rig->driver, 1, address_of(rig, 0), CORE_RIG_BUFFER));
    rig->done_at = ww_engine_now(rig->core.engine);
    replay_all(rig);
}

static void move(void *owner)
{
    vm_rig *rig = owner;
    uint64_t pages[CORE_RIG_BUFFER / PAGE];
    if (rig->replace) {
        ww_mmu_set_table(rig->mmu, 0, ww_driver_table(rig->driver, 1));
        ww_shootdown_start(rig->shootdown, 0, NULL, 0, true, replaced, rig);
        return;
    }
    for (unsigned i = 0; i < rig->pages; i++) {
        ww_driver_unmap(rig->driver, 0, moved_address(rig, i));
        pages[i] = moved_address(rig, i) / PAGE;
    }
    ww_shootdown_start(rig->shootdown, 0, pages, rig->pages, false, moved, rig);
}

/* ---- building ---- */

static const void *policy_of(const ww_policy_family *family, const char *name)
{
    const ww_policy *policy = ww_policy_find(family, name);
    assert_non_null(policy);
    return policy;
}

static void create_driver(vm_rig *rig)
{
    rig->driver = ww_driver_create(
        &(ww_driver_config){.frames = {.memory = 1 << 24,
                                       .frame = PAGE,
                                       .order = policy_of(&ww_frame_order_family, "contiguous")}});
    assert_true(ww_driver_add_space(rig->driver, 0));
    assert_true(ww_driver_add_space(rig->driver, 1));
    assert_true(ww_driver_map(rig->driver, 0, address_of(rig, 0), CORE_RIG_BUFFER));
}

static void create_parts(vm_rig *rig)
{
    ww_engine *engine = rig->core.engine;
    const char *merge = rig->tlb_merge ? rig->tlb_merge : "none";
    for (unsigned i = 0; i < 3; i++)
        rig->tlbs[i] =
            ww_tlb_create(&(ww_tlb_config){.name = "tlb",
                                           .merge = policy_of(&ww_tlbmerge_family, merge),
                                           .start = {.config = rig->core.keys, .prefix = "tlb"},
                                           .clock = {1, 1},
                                           .entries = {.entries = rig->entries[i]},
                                           .latency = 1,
                                           .lookups = 2,
                                           .mshrs = 8,
                                           .queue = 16,
                                           .producers = 1},
                          engine);
    rig->mmu_config.start =
        (ww_policy_start){.config = rig->core.keys, .prefix = "walk", .seed = 1};
    rig->mmu_config.scheduler = policy_of(&ww_walksched_family, rig->scheduler);
    rig->mmu_config.merge = policy_of(&ww_walkmerge_family, rig->merge);
    rig->mmu_config.runs = rig->tlb_merge;
    rig->mmu = ww_mmu_create(&rig->mmu_config, engine, rig->core.pool);
    ww_mmu_set_table(rig->mmu, 0, ww_driver_table(rig->driver, 0));
    ww_task_init(engine, &rig->memory_task, WW_PHASE_DRAM, read_memory, rig);
    ww_task_init(engine, &rig->move_task, WW_PHASE_DRAM, move, rig);
    ww_port_init(&rig->memory, engine, 8, 1);
    ww_port_connect(&rig->memory, &rig->memory_task);
}

/* core_rig's; the rig is around it. */
static void prepare(core_rig *core)
{
    vm_rig *rig = (vm_rig *)(void *)core;
    create_driver(rig);
    create_parts(rig);
    rig->mapping = (ww_mapping){.translate = locate, .context = rig};
    core->mapping = &rig->mapping;
    core->data_tlb = (ww_tlb_link){.port = ww_tlb_in(rig->tlbs[0]), .latency = 1, .lookups = 2};
    core->mmu_records = ww_mmu_records(rig->mmu);
}

static void connect(vm_rig *rig)
{
    rig->lists[0] = ww_cu_data_translations(rig->core.cu);
    for (unsigned i = 0; i < 3; i++)
        rig->lists[i + 1] = ww_tlb_fill(rig->tlbs[i]);
    rig->lists[4] = &rig->memory;
    for (unsigned i = 0; i < 3; i++)
        ww_tlb_connect(rig->tlbs[i], &(ww_tlb_wiring){.down = i < 2 ? ww_tlb_in(rig->tlbs[i + 1])
                                                                    : ww_mmu_in(rig->mmu),
                                                      .down_latency = WAY_TICKS,
                                                      .outs = &rig->lists[i],
                                                      .answer_ticks = i ? 1 : 0});
    ww_mmu_connect(rig->mmu, &(ww_mmu_wiring){.out = ww_tlb_fill(rig->tlbs[2]),
                                              .memory = &rig->lists[4],
                                              .route = route});
}

static unsigned invalidate_cu(void *cu, const ww_invalidation *what)
{
    return ww_cu_invalidate(cu, what);
}

static void create_shootdown(vm_rig *rig)
{
    const ww_shootdown_target targets[] = {{0, ww_shootdown_mmu, rig->mmu},
                                           {1, ww_shootdown_tlb, rig->tlbs[2]},
                                           {2, ww_shootdown_tlb, rig->tlbs[1]},
                                           {3, ww_shootdown_tlb, rig->tlbs[0]},
                                           {4, invalidate_cu, rig->core.cu}};
    rig->shootdown = ww_shootdown_create(
        &(ww_shootdown_config){.clock = {1, 1}, .latency = rig->latency}, rig->core.engine);
    for (unsigned i = 0; i < 5; i++)
        if (!(rig->without >> i & 1))
            ww_shootdown_add(rig->shootdown, &targets[i]);
}

static void drop(vm_rig *rig)
{
    core_rig_drop(&rig->core);
    ww_shootdown_destroy(rig->shootdown);
    for (unsigned i = 0; i < 3; i++)
        ww_tlb_destroy(rig->tlbs[i]);
    ww_mmu_destroy(rig->mmu);
    ww_port_clear(&rig->memory);
    ww_driver_destroy(rig->driver);
}

bool vm_rig_run(vm_rig *rig, const char *text, char **line)
{
    core_rig *core = &rig->core;
    core->prepare_vm = prepare;
    core->faults = (ww_fault_handler){.fault = fault, .context = rig};
    core_rig_load(core, text);
    connect(rig);
    create_shootdown(rig);
    if (rig->move_at)
        ww_wake(core->engine, &rig->move_task, rig->move_at);
    bool more = ww_engine_run(core->engine, MOST_TICKS);
    bool good = core->status == WW_OK;
    *line = good ? NULL : ww_strdup(ww_errors_line(core->errors, 0));
    if (good) {
        if (more || core->done < core->groups)
            ww_engine_explain(core->engine, stderr);
        assert_false(more);
        assert_int_equal(core->done, core->groups);
        assert_true(ww_cu_is_idle(core->cu));
        assert_int_equal(ww_walk_records_used(core->mmu_records), 0);
        assert_int_equal(ww_request_pool_in_use(core->pool), 0);
        assert_int_equal(ww_checker_end(core->check, core->errors), WW_OK);
        assert_true(rig->done_at || !rig->move_at);
    }
    drop(rig);
    return good;
}
