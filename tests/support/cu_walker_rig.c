#include "support/cu_walker_rig.h"

#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A node's address: its level, its space, and which of its level it is. */
#define LEVEL_SHIFT 48
#define ASID_SHIFT 44
#define NODE_BITS 0xffffffffull /* of 12 bits that are not in an entry's place */

void cu_walker_rig_init(cu_walker_rig *rig)
{
    *rig = (cu_walker_rig){
        .config = {.clock = {1, 1},
                   .wavefronts = 4,
                   .threads = 1,
                   .timeout = 128,
                   .stages = {[WW_WAVEFRONT_LOOKUP] = {22, 2, WW_WALK_LDS, 1},
                              [WW_WAVEFRONT_OFFSET] = {4, 4, WW_WALK_SIMD, 1},
                              [WW_WAVEFRONT_MEMORY] = {0, 1, WW_WALK_SCALAR, 1},
                              [WW_WAVEFRONT_UPDATE] = {22, 2, WW_WALK_LDS, 1},
                              [WW_WAVEFRONT_CHECK] = {4, 1, WW_WALK_BRANCH, 1},
                              [WW_WAVEFRONT_DONE] = {4, 4, WW_WALK_MEMORY, 1}},
                   .conflict = 5,
                   .cache = {.banks = 32, .group = {0, 0, 24, 3, 3}, .leaf_level = 1},
                   .page_shift = 12,
                   .line = 64,
                   .sector = 64,
                   .queue = CU_WALKER_RIG_REQUESTS},
        .room = 4,
        .lds_bytes = 65536,
        .period = 1,
        .read_time = 28,
        .memory_capacity = 64};
}

static void note(cu_walker_rig *rig, const char *format, ...)
{
    if (rig->silent)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(rig->log + rig->used, sizeof(rig->log) - rig->used, format, args);
    va_end(args);
    rig->used += (size_t)length;
    assert_true(rig->used < sizeof(rig->log));
}

static char name_of(const ww_translation *t)
{
    return ((const cu_walker_rig_request *)t->owner)->name;
}

static unsigned leaf_of(const cu_walker_rig *rig)
{
    return rig->config.page_shift < ww_level_shift(2) ? 1 : 2;
}

/* ---- the page table ---- */

static uint64_t node(unsigned level, uint64_t asid, uint64_t number)
{
    return (uint64_t)level << LEVEL_SHIFT | asid << ASID_SHIFT | (number & NODE_BITS) << 12;
}

static uint64_t root(void *context, uint16_t asid)
{
    (void)context;
    return node(WW_LEVELS, asid, 0);
}

/* The frame that a page has after so many moves of it. */
static uint64_t frame_of(const cu_walker_rig *rig, uint64_t asid, uint64_t number)
{
    unsigned shift = ww_level_shift(leaf_of(rig));
    uint64_t page = number << shift >> rig->config.page_shift;
    uint64_t first = number << shift >> 12;
    return (page == rig->moved ? rig->moves << 40 : 0) | asid << ASID_SHIFT | first << 12;
}

static uint64_t read_entry(void *context, uint16_t asid, uint64_t physical)
{
    const cu_walker_rig *rig = context;
    unsigned level = (unsigned)(physical >> LEVEL_SHIFT);
    uint64_t number = (physical >> 12 & NODE_BITS) << 9 | (physical >> 3 & 511);
    assert_int_equal(physical >> ASID_SHIFT & 15, asid);
    assert_in_range(level, leaf_of(rig), WW_LEVELS);
    if (physical == rig->absent)
        return 0;
    if (level > leaf_of(rig))
        return node(level - 1, asid, number) | WW_PTE_PRESENT;
    return frame_of(rig, asid, number) | WW_PTE_PRESENT;
}

uint64_t cu_walker_rig_entry(const cu_walker_rig *rig, uint64_t page, unsigned level)
{
    uint64_t address = page << rig->config.page_shift;
    uint64_t at = level == WW_LEVELS ? 0 : address >> ww_level_shift(level + 1);
    return ww_pte_address(node(level, 0, at), address, level);
}

static uint64_t right_frame(const cu_walker_rig *rig, const ww_translation *t)
{
    uint64_t address = t->page << rig->config.page_shift;
    return frame_of(rig, t->instruction.asid, address >> ww_level_shift(leaf_of(rig)));
}

/* ---- above ---- */

static void feed(void *owner)
{
    cu_walker_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (; rig->fed < rig->planned && rig->requests[rig->fed].planned <= now; rig->fed++) {
        assert_true(ww_cu_walker_reserve(rig->walker));
        rig->requests[rig->fed].translation.missed = now;
        ww_port_send(ww_cu_walker_in(rig->walker), &rig->requests[rig->fed].translation, now);
    }
    if (rig->fed < rig->planned)
        ww_wake(rig->engine, &rig->feeder, rig->requests[rig->fed].planned);
}

static void receive_answers(void *owner)
{
    cu_walker_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (ww_translation *t; (t = ww_port_peek(&rig->out)) != NULL;) {
        cu_walker_rig_request *r = t->owner;
        ww_port_pop(&rig->out);
        assert_int_equal(t->past_l1, rig->config.nvidia);
        r->answers++;
        r->answered = now;
        rig->answered++;
        note(rig, "%llu%c%c ", (unsigned long long)now, "^!#"[t->status], r -> name);
    }
    if (rig->out.count)
        ww_wake(rig->engine, &rig->above, ww_port_next(&rig->out));
}

static ww_port *answers_of(void *context, const ww_translation *t)
{
    cu_walker_rig *rig = context;
    if (t->status != WW_FAR_FAULT)
        assert_int_equal(t->frame, right_frame(rig, t)); /* not a stale one */
    return &rig->out;
}

static void keep(void *context, uint64_t key, uint64_t entry, ww_page_run run)
{
    (void)run;
    cu_walker_rig *rig = context;
    const ww_translation t = {.page = key & ((1ull << WW_ASID_SHIFT) - 1),
                              .instruction = {.asid = (uint16_t)(key >> WW_ASID_SHIFT)}};
    assert_int_equal(entry & WW_PTE_FRAME, right_frame(rig, &t));
    rig->kept++;
}

static void move_page(void *owner)
{
    cu_walker_rig *rig = owner;
    rig->moves++;
    ww_cu_walker_invalidate(rig->walker, &(ww_invalidation){.pages = &rig->moved, .count = 1});
}

/* ---- below ---- */

static void serve_memory(void *owner)
{
    cu_walker_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (ww_request *r; (r = ww_port_peek(&rig->memory)) != NULL;) {
        const ww_walk_thread *thread = r->owner;
        uint64_t entry = ww_pte_address(thread->node, thread->address, thread->level);
        assert_int_equal(r->address, entry & ~63ull);
        assert_int_equal(r->class, WW_CLASS_PTE);
        note(rig, "%lluv%c%u ", (unsigned long long)now, name_of(thread->translation),
             thread->level);
        rig->reads++;
        ww_port_pop(&rig->memory);
        ww_port_send(ww_cu_walker_replies(rig->walker), r, now + rig->read_time);
    }
    if (rig->memory.count)
        ww_wake(rig->engine, &rig->memory_task, ww_port_next(&rig->memory));
}

/* ---- the compute unit ---- */

static ww_tick *unit_of(cu_walker_rig *rig, unsigned stage, unsigned scheduler)
{
    switch (stage) {
    case WW_WAVEFRONT_LOOKUP:
    case WW_WAVEFRONT_UPDATE: return &rig->unit_free[0];
    case WW_WAVEFRONT_MEMORY: return &rig->unit_free[1];
    case WW_WAVEFRONT_CHECK: return &rig->unit_free[2];
    case WW_WAVEFRONT_DONE: return &rig->unit_free[3];
    default: return &rig->unit_free[4 + scheduler];
    }
}

static void issue(cu_walker_rig *rig, unsigned s, uint64_t cycle)
{
    if (cycle % rig->period != s % rig->period || ww_cu_walker_eligible(rig->walker, s) > cycle)
        return;
    unsigned stage = rig->walker->wavefronts[s].stage;
    ww_tick *free_at = unit_of(rig, stage, s);
    if (*free_at > cycle)
        return;
    note(rig, "%llu%c%u ", (unsigned long long)cycle, "??lomucd"[stage], s);
    *free_at = cycle + ww_cu_walker_issue(rig->walker, s, cycle);
}

static void run_cycle(void *owner)
{
    cu_walker_rig *rig = owner;
    uint64_t cycle = ww_engine_now(rig->engine);
    ww_cu_walker_tick(rig->walker, cycle);
    for (unsigned s = 0; (cycle < rig->busy_from || cycle >= rig->busy) && s < 4; s++)
        issue(rig, s, cycle);
    if (!ww_cu_walker_is_idle(rig->walker))
        ww_wake(rig->engine, &rig->cycle, cycle + 1);
}

/* ---- life ---- */

static void create(cu_walker_rig *rig)
{
    rig->engine = ww_engine_create();
    rig->pool = ww_request_pool_create();
    rig->walker = ww_cu_walker_create(&rig->config, rig->engine);
    ww_task_init(rig->engine, &rig->memory_task, WW_PHASE_L1, serve_memory, rig);
    ww_task_init(rig->engine, &rig->feeder, WW_PHASE_TRANSLATION, feed, rig);
    ww_task_init(rig->engine, &rig->above, WW_PHASE_TRANSLATION, receive_answers, rig);
    ww_task_init(rig->engine, &rig->mover, WW_PHASE_TRANSLATION, move_page, rig);
    ww_task_init(rig->engine, &rig->cycle, WW_PHASE_ISSUE, run_cycle, rig);
    ww_port_init(&rig->memory, rig->engine, rig->memory_capacity, 1);
    ww_port_init(&rig->out, rig->engine, CU_WALKER_RIG_REQUESTS, 1);
    ww_port_connect(&rig->memory, &rig->memory_task);
    ww_port_connect(&rig->out, &rig->above);
    ww_cu_walker_connect(rig->walker, &(ww_cu_walker_wiring){.engine = rig->engine,
                                                             .pool = rig->pool,
                                                             .task = &rig->cycle,
                                                             .memory = &rig->memory,
                                                             .answers_of = answers_of,
                                                             .keep = keep,
                                                             .root = root,
                                                             .read = read_entry,
                                                             .context = rig});
    ww_cu_walker_begin(rig->walker, rig->room, rig->lds_bytes);
    if (rig->move_at)
        ww_wake(rig->engine, &rig->mover, rig->move_at);
}

cu_walker_rig_request *cu_walker_rig_plan(cu_walker_rig *rig, ww_tick tick, char name,
                                          uint64_t page)
{
    cu_walker_rig_request *r = &rig->requests[rig->planned++];
    assert_true(rig->planned <= CU_WALKER_RIG_REQUESTS);
    *r = (cu_walker_rig_request){
        .translation = {.page = page, .owner = r}, .planned = tick, .name = name};
    if (!rig->engine)
        create(rig);
    ww_wake(rig->engine, &rig->feeder, tick);
    return r;
}

void cu_walker_rig_run(cu_walker_rig *rig)
{
    assert_false(ww_engine_run(rig->engine, 1000000));
    assert_int_equal(rig->answered, rig->planned);
    for (size_t i = 0; i < rig->planned; i++)
        assert_int_equal(rig->requests[i].answers, 1);
    assert_int_equal(rig->reads, cu_walker_rig_count(rig)->pte_reads);
    assert_int_equal(rig->kept, rig->answered - cu_walker_rig_count(rig)->faults);
    assert_true(ww_cu_walker_is_idle(rig->walker));
    assert_int_equal(ww_request_pool_in_use(rig->pool), 0);
}

void cu_walker_rig_expect(const cu_walker_rig *rig, const char *log)
{
    assert_string_equal(rig->log, log);
}

void cu_walker_rig_destroy(cu_walker_rig *rig)
{
    ww_cu_walker_destroy(rig->walker);
    ww_port_clear(&rig->memory);
    ww_port_clear(&rig->out);
    ww_request_pool_destroy(rig->pool);
    ww_engine_destroy(rig->engine);
}

const ww_cuptw_counters *cu_walker_rig_count(const cu_walker_rig *rig)
{
    return ww_cu_walker_count(rig->walker);
}
