#include "support/paging_rig.h"

#include "base/memory.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SHIFT 12
#define LINE_LATENCY 100

/* ---- the GPU's memory ---- */

static paging_page *page_at(paging_rig *rig, uint64_t page)
{
    assert_in_range(page, PAGING_BASE, PAGING_BASE + PAGING_PAGES - 1);
    return &rig->pages[page - PAGING_BASE];
}

static bool place(void *context, uint64_t page)
{
    paging_rig *rig = context;
    paging_page *p = page_at(rig, page);
    assert_false(p->placed);
    p->placed = true;
    rig->placed++;
    assert_true(rig->placed <= ww_paging_capacity(rig->paging));
    return true;
}

static uint64_t frame(void *context, uint64_t page)
{
    assert_true(page_at(context, page)->placed);
    return page << SHIFT;
}

static bool enter(void *context, uint64_t page)
{
    paging_rig *rig = context;
    paging_page *p = page_at(rig, page);
    assert_true(p->placed && !p->mapped);
    p->mapped = true;
    p->resident = ww_engine_now(rig->engine);
    p->order = ++rig->arrivals;
    p->times++;
    return true;
}

static void unmap(void *context, uint64_t page)
{
    paging_rig *rig = context;
    paging_page *p = page_at(rig, page);
    assert_true(p->mapped);
    p->mapped = false;
    p->left = ww_engine_now(rig->engine);
}

static void release(void *context, uint64_t page)
{
    paging_rig *rig = context;
    paging_page *p = page_at(rig, page);
    assert_true(p->placed);
    p->placed = p->mapped = false;
    rig->placed--;
}

static void end_shoot_down(void *context)
{
    const paging_rig *rig = context;
    rig->shot(rig->shot_owner);
}

static void shoot_down(void *context, const uint64_t *pages, uint32_t count,
                       void (*done)(void *owner), void *owner)
{
    paging_rig *rig = context;
    for (uint32_t i = 0; i < count; i++)
        assert_true(!page_at(rig, pages[i])->mapped && (!i || pages[i - 1] < pages[i]));
    rig->shot = done;
    rig->shot_owner = owner;
    ww_wake(rig->engine, &rig->shoot, ww_engine_now(rig->engine) + PAGING_SHOOT);
}

static void drop_lines(void *context, uint64_t physical)
{
    assert_true(page_at(context, physical >> SHIFT)->placed);
}

static void flush(void *context, void (*done)(void *owner), void *owner)
{
    (void)context;
    done(owner);
}

static void out_of_memory(void *context)
{
    (void)context;
    fail_msg("out of memory");
}

static void take_line(void *context)
{
    paging_rig *rig = context;
    ww_tick now = ww_engine_now(rig->engine);
    ww_request *r = ww_port_peek(&rig->network);
    if (r) {
        ww_port_pop(&rig->network);
        ww_port_send(ww_paging_replies(rig->paging), r, now + LINE_LATENCY);
    }
    ww_tick next = ww_port_next(&rig->network);
    if (next != WW_NEVER)
        ww_wake(rig->engine, &rig->memory, next > now ? next : now + 1);
}

/* ---- compute units ---- */

static void request(void *context)
{
    paging_access *a = context;
    paging_rig *rig = a->rig;
    ww_fault_handler handler = ww_paging_handler(rig->paging, a->cu);
    uint64_t page = PAGING_BASE + a->page;
    ww_instruction_id instruction = {.number = a->instruction};
    assert_true(a->faulted || !rig->blocked[a->cu]);
    if (!rig->pages[a->page].mapped) {
        a->faulted = true;
        ww_page_fault fault = {
            .instruction = instruction, .page = page, .writes = a->writes, .status = WW_FAR_FAULT};
        assert_int_equal(handler.fault(handler.context, &fault), WW_FAULT_PARK);
        return;
    }
    ww_translation t = {.instruction = instruction, .page = page, .writes = a->writes};
    a->done = ww_engine_now(rig->engine);
    handler.translated(handler.context, &t);
    if (a->faulted)
        handler.completed(handler.context, &instruction);
}

static bool replay(void *context, unsigned cu, uint64_t page)
{
    paging_rig *rig = context;
    bool any = false;
    for (unsigned i = 0; i < rig->access_count; i++) {
        paging_access *a = &rig->accesses[i];
        if (a->cu != cu || PAGING_BASE + a->page != page || !a->faulted || a->done)
            continue;
        ww_wake(rig->engine, &a->task, ww_engine_now(rig->engine) + PAGING_WALK);
        any = true;
    }
    assert_true(any);
    return any;
}

static void block(void *context, unsigned cu, bool blocked)
{
    paging_rig *rig = context;
    assert_true(rig->blocked[cu] != blocked);
    rig->blocked[cu] = blocked;
}

paging_access *paging_rig_access(paging_rig *rig, ww_tick at, unsigned cu, unsigned page)
{
    assert_true(rig->access_count < PAGING_ACCESSES);
    paging_access *a = &rig->accesses[rig->access_count++];
    *a = (paging_access){.rig = rig, .cu = cu, .page = page, .instruction = rig->access_count};
    ww_task_init(rig->engine, &a->task, WW_PHASE_LOAD_STORE, request, a);
    ww_wake(rig->engine, &a->task, at);
    return a;
}

/* ---- life ---- */

static void end_launch(void *context)
{
    const paging_rig *rig = context;
    ww_paging_end_launch(rig->paging);
}

static ww_config *configure(const char *settings)
{
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_errors *errors = ww_errors_create();
    char *rest = ww_strdup(settings), *next = rest;
    ww_config_set(config, "translation=full", errors);
    ww_config_set(config, "paging.mode=demand", errors);
    ww_config_set(config, "paging.link_bandwidth=16.384GB/s", errors);
    for (char *one; (one = strtok_r(next, " ", &next)) != NULL;) {
        char key[128];
        snprintf(key, sizeof(key), "paging.%s", one);
        ww_config_set(config, key, errors);
    }
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
    free(rest);
    return config;
}

paging_rig *paging_rig_create(const char *settings, unsigned pages, const uint64_t *order,
                              size_t order_count)
{
    paging_rig *rig = ww_calloc(1, sizeof(*rig));
    rig->config = configure(settings);
    rig->engine = ww_engine_create();
    rig->pool = ww_request_pool_create();
    ww_task_init(rig->engine, &rig->memory, WW_PHASE_L2, take_line, rig);
    ww_task_init(rig->engine, &rig->shoot, WW_PHASE_TRANSLATION, end_shoot_down, rig);
    ww_task_init(rig->engine, &rig->pause, WW_PHASE_ISSUE, end_launch, rig);
    ww_port_init(&rig->network, rig->engine, 64, 1);
    ww_port_connect(&rig->network, &rig->memory);
    rig->paging = ww_paging_create(
        rig->config,
        &(ww_paging_wiring){
            .engine = rig->engine,
            .clock = {1, 1},
            .base_hertz = 1400000000,
            .pool = rig->pool,
            .start = {.config = rig->config, .seed = 1},
            .memory = {.place = place,
                       .frame = frame,
                       .enter = enter,
                       .unmap = unmap,
                       .release = release,
                       .shoot_down = shoot_down,
                       .drop_lines = drop_lines,
                       .flush = flush,
                       .out_of_memory = out_of_memory,
                       .context = rig},
            .hardware = {.replay = replay, .block = block, .context = rig, .cus = PAGING_CUS},
            .line = 128,
            .sector = 32,
            .page_shift = SHIFT,
            .order = order,
            .order_count = order_count});
    ww_paging_connect(rig->paging, &(ww_paging_network){.dma = &rig->network});
    if (pages)
        ww_paging_add_buffer(rig->paging, (uint64_t)PAGING_BASE << SHIFT, (uint64_t)pages << SHIFT,
                             true);
    return rig;
}

void paging_rig_destroy(paging_rig *rig)
{
    ww_paging_destroy(rig->paging);
    ww_port_clear(&rig->network);
    ww_request_pool_destroy(rig->pool);
    ww_engine_destroy(rig->engine);
    ww_config_destroy(rig->config);
    free(rig);
}

void paging_rig_launch(paging_rig *rig, ww_tick at)
{
    ww_paging_begin_launch(rig->paging, at);
}

void paging_rig_end_launch(paging_rig *rig, ww_tick at)
{
    ww_wake(rig->engine, &rig->pause, at);
}

void paging_rig_run(paging_rig *rig)
{
    paging_rig_launch(rig, 0);
    assert_false(ww_engine_run(rig->engine, WW_NEVER));
}

void paging_rig_run_until(paging_rig *rig, ww_tick limit)
{
    ww_engine_run(rig->engine, limit);
}

const ww_paging_counters *paging_rig_count(paging_rig *rig)
{
    ww_paging_collect_stats(rig->paging);
    return ww_paging_count(rig->paging);
}

void paging_rig_check(paging_rig *rig)
{
    const ww_paging_counters *c = paging_rig_count(rig);
    unsigned mapped = 0, times = 0;
    for (unsigned i = 0; i < rig->access_count; i++)
        assert_true(rig->accesses[i].done);
    for (unsigned i = 0; i < PAGING_PAGES; i++) {
        mapped += rig->pages[i].mapped;
        times += rig->pages[i].times;
        assert_int_equal(rig->pages[i].mapped, rig->pages[i].placed);
    }
    assert_int_equal(ww_paging_sample_now(rig->paging).resident, mapped);
    assert_int_equal(c->pages_in, times);
    assert_int_equal(c->pages_in, c->demanded + c->prefetched);
    assert_int_equal(c->pages_in, mapped + c->evictions);
    assert_int_equal(c->bytes_in, (c->pages_in - rig->filled) << SHIFT);
    assert_int_equal(c->bytes_out, c->written_back << SHIFT);
    assert_int_equal(c->link_busy_in, (c->pages_in - rig->filled) * PAGING_PAGE);
    assert_int_equal(c->link_busy_out, c->written_back * PAGING_PAGE);
    for (unsigned i = 0; i < PAGING_CUS; i++)
        assert_false(rig->blocked[i]);
}
