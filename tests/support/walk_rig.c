#include "support/walk_rig.h"

#include "base/memory.h"
#include "vm/mmu_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct cu {
    walk_rig *rig;
    unsigned number;
    ww_task task;
    ww_cu_walker *walker;
} cu;

typedef struct request {
    ww_translation translation;
    ww_tick planned;
    unsigned answers;
    char name;
} request;

struct walk_rig {
    walk_rig_config config;
    mmu_rig *below; /* its MMU, page table and engine */
    ww_engine *engine;
    ww_distributor *distributor;
    cu cus[WALK_RIG_CUS];
    ww_port *walkers[WALK_RIG_CUS];
    ww_port memory, fill;
    ww_task memory_task, above, feeder;
    request requests[WALK_RIG_REQUESTS];
    unsigned planned, fed, reads;
    size_t used;
    char log[2048];
};

walk_rig_config walk_rig_plain(void)
{
    ww_stage_timing integer = {2, 1, WW_WALK_SIMD, 1}, memory = {1, 1, WW_WALK_MEMORY, 1};
    walk_rig_config c = {.distributor = {.clock = {1, 1},
                                         .cus = 1,
                                         .slots = 4,
                                         .requests = 8,
                                         .latency = 5,
                                         .look_up = 2,
                                         .most = WALK_RIG_REQUESTS,
                                         .page_shift = 12},
                         .walker = {.clock = {1, 1},
                                    .wavefronts = 1,
                                    .threads = 4,
                                    .timeout = 1,
                                    .nvidia = true,
                                    .goes_first = true,
                                    .coalesces = true,
                                    .page_shift = 12,
                                    .line = 64,
                                    .sector = 64,
                                    .queue = WALK_RIG_REQUESTS,
                                    .answer_latency = 5},
                         .memory = 10};
    ww_stage_timing *stages = c.walker.stages;
    stages[WW_WAVEFRONT_FETCH] = (ww_stage_timing){3, 1, WW_WALK_LDS, 1};
    stages[WW_WAVEFRONT_DECODE] = stages[WW_WAVEFRONT_CHECK] = integer;
    stages[WW_WAVEFRONT_OFFSET] = integer;
    stages[WW_WAVEFRONT_DECODE].instructions = stages[WW_WAVEFRONT_CHECK].instructions = 2;
    stages[WW_WAVEFRONT_MEMORY] = (ww_stage_timing){0, 1, WW_WALK_MEMORY, 1};
    stages[WW_WAVEFRONT_UPDATE] = stages[WW_WAVEFRONT_DONE] = memory;
    return c;
}

static void note(walk_rig *rig, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(rig->log + rig->used, sizeof(rig->log) - rig->used, format, args);
    va_end(args);
    rig->used += (size_t)length;
    assert_true(rig->used < sizeof(rig->log));
}

/* ---- compute units ---- */

static void run_cu(void *owner)
{
    cu *c = owner;
    ww_tick now = ww_engine_now(c->rig->engine);
    ww_cu_walker_tick(c->walker, now);
    if (ww_cu_walker_eligible(c->walker, 0) <= now) {
        char unit = "S??LM"[ww_cu_walker_unit(c->walker, 0)];
        note(c->rig, "%llu%c", (unsigned long long)now, unit);
        if (c->rig->config.distributor.cus > 1)
            note(c->rig, "%u", c->number);
        note(c->rig, " ");
        assert_true(ww_cu_walker_issue(c->walker, 0, now) > 0);
    }
    if (!ww_cu_walker_is_idle(c->walker))
        ww_wake(c->rig->engine, &c->task, now + 1);
}

static ww_port *answers_of(void *context, const ww_translation *t)
{
    (void)t;
    return ww_distributor_answers(((walk_rig *)context)->distributor);
}

static void keep_node(void *context, const ww_translation *t, unsigned level, uint64_t node)
{
    const walk_rig *rig = context;
    ww_mmu_keep_node(mmu_rig_mmu(rig->below), t->page << 12, level, node);
}

static uint64_t root(void *context, uint16_t asid)
{
    return ww_page_table_root(ww_driver_table(walk_rig_driver(context), asid));
}

static uint64_t read_entry(void *context, uint16_t asid, uint64_t physical)
{
    return ww_page_table_read(ww_driver_table(walk_rig_driver(context), asid), physical);
}

/* ---- below and above ---- */

/* A read stays in the port until its time is over. */
static void run_memory(void *owner)
{
    walk_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine), wait = rig->config.memory;
    for (ww_request *r;
         (r = ww_port_peek(&rig->memory)) && ww_port_next(&rig->memory) + wait <= now;) {
        ww_port_pop(&rig->memory);
        rig->reads++;
        assert_int_equal(r->address % 64, 0);
        ww_port_send(ww_cu_walker_replies(rig->cus[r->source].walker), r, now);
    }
    if (rig->memory.count)
        ww_wake(rig->engine, &rig->memory_task, ww_port_next(&rig->memory) + wait);
}

static void feed(void *owner)
{
    walk_rig *rig = owner;
    ww_tick now = ww_engine_now(rig->engine);
    for (; rig->fed < rig->planned; rig->fed++) {
        request *r = &rig->requests[rig->fed];
        if (r->planned > now + 1) {
            ww_wake(rig->engine, &rig->feeder, r->planned - 1);
            return;
        }
        ww_port_send(ww_distributor_in(rig->distributor), &r->translation, now + 1);
    }
}

static void check_answer(const walk_rig *rig, const ww_translation *t)
{
    ww_mapping mapping = ww_driver_mapping(mmu_rig_driver(rig->below));
    if (t->status != WW_FAR_FAULT)
        assert_int_equal(t->frame, mapping.translate(mapping.context, 0, t->page << 12).physical);
    assert_false(t->past_l1);
    assert_int_equal(t->level, 0);
}

static void receive_answers(void *owner)
{
    walk_rig *rig = owner;
    for (ww_translation *t; (t = ww_port_peek(&rig->fill)) != NULL;) {
        request *r = t->owner;
        ww_port_pop(&rig->fill);
        check_answer(rig, t);
        r->answers++;
        note(rig, "%llu%c%c ", (unsigned long long)ww_engine_now(rig->engine), "^!#"[t->status],
             r -> name);
    }
    if (rig->fill.count)
        ww_wake(rig->engine, &rig->above, ww_port_next(&rig->fill));
}

/* ---- life ---- */

static void create_cu(walk_rig *rig, unsigned i)
{
    cu *c = &rig->cus[i];
    *c = (cu){.rig = rig, .number = i};
    ww_task_init(rig->engine, &c->task, WW_PHASE_ISSUE, run_cu, c);
    c->walker = ww_cu_walker_create(&rig->config.walker, rig->engine);
    ww_cu_walker_connect(c->walker, &(ww_cu_walker_wiring){.engine = rig->engine,
                                                           .pool = mmu_rig_mmu(rig->below)->pool,
                                                           .task = &c->task,
                                                           .memory = &rig->memory,
                                                           .source = (uint16_t)i,
                                                           .answers_of = answers_of,
                                                           .keep_node = keep_node,
                                                           .root = root,
                                                           .read = read_entry,
                                                           .context = rig});
    ww_cu_walker_begin(c->walker, 1, 0);
    rig->walkers[i] = ww_cu_walker_in(c->walker);
}

walk_rig *walk_rig_create(const walk_rig_config *config)
{
    walk_rig *rig = ww_calloc(1, sizeof(*rig));
    mmu_rig_config below = mmu_rig_plain();
    below.mmu.cache = WW_WALK_CACHE_UNIFIED;
    rig->config = *config;
    rig->below = mmu_rig_create(&below, 1, 1);
    rig->engine = mmu_rig_mmu(rig->below)->engine;
    rig->distributor = ww_distributor_create(&config->distributor, rig->engine);
    ww_task_init(rig->engine, &rig->memory_task, WW_PHASE_L1, run_memory, rig);
    ww_task_init(rig->engine, &rig->above, WW_PHASE_LOAD_STORE, receive_answers, rig);
    ww_task_init(rig->engine, &rig->feeder, WW_PHASE_BEFORE_ISSUE, feed, rig);
    ww_port_init(&rig->memory, rig->engine, 64, WALK_RIG_CUS);
    ww_port_init(&rig->fill, rig->engine, WALK_RIG_REQUESTS, 1);
    ww_port_connect(&rig->memory, &rig->memory_task);
    ww_port_connect(&rig->fill, &rig->above);
    for (unsigned i = 0; i < config->distributor.cus; i++)
        create_cu(rig, i);
    ww_distributor_connect(rig->distributor,
                           &(ww_distributor_wiring){.out = &rig->fill,
                                                    .walkers = rig->walkers,
                                                    .mmu = mmu_rig_mmu(rig->below)});
    return rig;
}

void walk_rig_destroy(walk_rig *rig)
{
    for (unsigned i = 0; i < rig->planned; i++)
        assert_int_equal(rig->requests[i].answers, 1);
    for (unsigned i = 0; i < rig->config.distributor.cus; i++)
        ww_cu_walker_destroy(rig->cus[i].walker);
    ww_distributor_destroy(rig->distributor);
    ww_port_clear(&rig->memory);
    ww_port_clear(&rig->fill);
    mmu_rig_destroy(rig->below);
    free(rig);
}

void walk_rig_plan_absent(walk_rig *rig, ww_tick tick, char name, uint64_t page)
{
    assert_true(rig->planned < WALK_RIG_REQUESTS);
    request *r = &rig->requests[rig->planned++];
    *r = (request){
        .translation = {.page = page, .missed = tick, .owner = r}, .planned = tick, .name = name};
    ww_wake(rig->engine, &rig->feeder, tick - 1);
}

void walk_rig_plan(walk_rig *rig, ww_tick tick, char name, uint64_t page)
{
    uint64_t unused;
    assert_true(ww_driver_touch(walk_rig_driver(rig), 0, page << 12, &unused));
    walk_rig_plan_absent(rig, tick, name, page);
}

void walk_rig_run_until(walk_rig *rig, ww_tick limit)
{
    ww_engine_run(rig->engine, limit);
}

void walk_rig_expect(walk_rig *rig, const char *log)
{
    ww_engine_run(rig->engine, 1000000);
    if (rig->used)
        rig->log[rig->used - 1] = '\0';
    assert_string_equal(rig->log, log);
    rig->used = 0;
}

ww_cu_walker *walk_rig_walker(walk_rig *rig, unsigned number)
{
    return rig->cus[number].walker;
}

ww_driver *walk_rig_driver(walk_rig *rig)
{
    return mmu_rig_driver(rig->below);
}

unsigned walk_rig_reads(const walk_rig *rig)
{
    return rig->reads;
}
