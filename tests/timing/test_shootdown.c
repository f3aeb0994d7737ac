/* Shoot-downs: whenever a page loses its frame, no access uses the old one after the shoot-down is
 * done. The kernels keep translations of page 0 in every place where one can be, at one tick or
 * another: the shoot-down starts at each tick of a run in turn. Checked mode compares each request
 * with the frame of that time. Where a part is left out of the shoot-down, checked mode must find a
 * stale translation at some tick. */
#include "support/vm_rig.h"

#include "support/mmu_rig.h"
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static vm_rig r;

/* Six loads of page 0, each with an address from the one before; then a store. Two warps. */
#define AGAIN "cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1; ld.global.u32 %r1, [%d1];"
#define CHAIN                                                                            \
    CORE_RIG_KERNEL(                                                                     \
        "ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];" AGAIN AGAIN AGAIN AGAIN AGAIN \
        "st.global.u32 [%d0], %r1;")

/* Lanes in pages 0 to 7, four lines each, three times. */
#define SPREAD_ONCE "ld.global.u32 %r4, [%d1]; add.u32 %r5, %r4, 1; mov.u32 %r6, %r5;"
#define SPREAD                                                                            \
    CORE_RIG_KERNEL(                                                                      \
        "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 7;"                \
        "shl.b32 %r1, %r1, 12; shr.u32 %r2, %r0, 3; shl.b32 %r2, %r2, 7;"                 \
        "add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;" SPREAD_ONCE \
            SPREAD_ONCE SPREAD_ONCE)

typedef struct machine {
    const char *name;
    const char *merge, *tlb_merge; /* NULL: none */
    bool own_page, in_order, replace;
    uint32_t queue, walkers, pte_cache;
    unsigned pages; /* that are moved at once; 0: one */
    uint32_t entries[3];
} machine;

static const machine machines[] = {
    {.name = "plain", .queue = 8, .walkers = 2, .entries = {4, 8, 16}},
    {.name = "own page", .own_page = true, .queue = 8, .walkers = 2, .entries = {4, 8, 16}},
    {.name = "three pages", .queue = 8, .walkers = 2, .pages = 3, .entries = {4, 8, 16}},
    {.name = "four pages, own page",
     .own_page = true,
     .merge = "neighborhood",
     .queue = 8,
     .walkers = 2,
     .pages = 4,
     .entries = {2, 4, 8}},
    {.name = "in order, one entry",
     .in_order = true,
     .queue = 1,
     .walkers = 2,
     .entries = {2, 4, 8}},
    {.name = "merging", .merge = "neighborhood", .queue = 8, .walkers = 1, .entries = {0, 0, 0}},
    {.name = "merging, replaced",
     .merge = "neighborhood",
     .replace = true,
     .queue = 8,
     .walkers = 2,
     .entries = {0, 0, 4}},
    {.name = "batches", .merge = "mpw", .queue = 8, .walkers = 1, .entries = {0, 0, 4}},
    {.name = "batches, replaced",
     .merge = "mpw",
     .replace = true,
     .queue = 8,
     .walkers = 2,
     .pte_cache = 8,
     .entries = {2, 4, 8}},
    {.name = "merged entries",
     .tlb_merge = "snakebyte",
     .queue = 8,
     .walkers = 2,
     .pages = 3,
     .entries = {4, 8, 16}},
    {.name = "merged entries, few",
     .tlb_merge = "snakebyte",
     .own_page = true,
     .merge = "neighborhood",
     .queue = 8,
     .walkers = 2,
     .entries = {0, 1, 2}},
    {.name = "merged entries, replaced",
     .tlb_merge = "snakebyte",
     .replace = true,
     .queue = 8,
     .walkers = 1,
     .entries = {1, 2, 0}},
    {.name = "PTE cache, replaced",
     .replace = true,
     .queue = 8,
     .walkers = 2,
     .pte_cache = 8,
     .entries = {4, 8, 16}},
};

static void set_up(const machine *m, unsigned without, ww_tick at)
{
    vm_rig_init(&r);
    r.core.group = 64;
    r.core.config.own_page = m->own_page;
    r.core.config.in_order = m->in_order;
    r.core.config.memory_queue = m->queue;
    r.merge = m->merge ? m->merge : "none";
    r.tlb_merge = m->tlb_merge;
    r.mmu_config.walkers = m->walkers;
    r.mmu_config.pte_cache = (ww_lru_config){.entries = m->pte_cache};
    r.mmu_config.pte_cache_latency = 2;
    memcpy(r.entries, m->entries, sizeof(r.entries));
    r.replace = m->replace;
    r.pages = m->pages ? m->pages : 1;
    r.without = without;
    r.move_at = at;
}

/* Returns how often checked mode found a fault. `latency`: of the shoot-down, so that the page is
 * without a frame for a short or a long time. *faults: far-faults meanwhile. */
static unsigned sweep(const machine *m, const char *kernel, unsigned without, uint32_t latency,
                      unsigned *faults)
{
    unsigned found = 0;
    for (ww_tick at = 1; at < 400; at++) {
        char *line;
        set_up(m, without, at);
        r.latency = latency;
        if (!vm_rig_run(&r, kernel, &line)) {
            if (!without || strncmp(line, "checked: kernel 'k'", 19) != 0)
                fail_msg("%s, at %llu: %s", m->name, (unsigned long long)at, line);
            found++;
        }
        free(line);
        *faults += r.faults;
    }
    return found;
}

static void no_stale_translation_survives(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        unsigned faults = 0;
        assert_int_equal(sweep(&machines[i], CHAIN, 0, 1, &faults), 0);
        assert_int_equal(sweep(&machines[i], SPREAD, 0, 1, &faults), 0);
        assert_int_equal(sweep(&machines[i], SPREAD, 0, 20, &faults), 0);
        assert_true(faults > 0);
    }
}

static void expect_found(const machine *m, const char *kernel, unsigned without)
{
    unsigned faults = 0;
    assert_true(sweep(m, kernel, without, 1, &faults) > 0);
}

/* A stale entry of each TLB is used, when the levels above had to ask it. */
static void a_tlb_that_is_left_out_is_found_out(void **state)
{
    (void)state;
    machine m = {.name = "left out", .queue = 8, .walkers = 2, .entries = {4, 8, 16}};
    expect_found(&m, CHAIN, VM_RIG_L1);
    expect_found(&m, CHAIN, VM_RIG_L2);
    expect_found(&m, CHAIN, VM_RIG_IOMMU);
}

/* Its lines are sent with the old frame, or are in flight with it. */
static void a_compute_unit_that_is_left_out_is_found_out(void **state)
{
    (void)state;
    machine m = {.name = "left out", .queue = 8, .walkers = 2, .entries = {4, 8, 16}};
    expect_found(&m, SPREAD, VM_RIG_CU);
    expect_found(&m, CHAIN, VM_RIG_CU);
}

/* Walk caches point to nodes of the table that was replaced. */
static void walkers_that_are_left_out_are_found_out(void **state)
{
    (void)state;
    machine m = {.name = "left out", .replace = true, .queue = 8, .walkers = 2};
    expect_found(&m, CHAIN, VM_RIG_MMU);
}

/* ---- single steps, with exact ticks ---- */

static struct {
    ww_engine *engine;
    ww_shootdown *shootdown;
    char log[256]; /* "2:1,3" at tick 2 a message for pages 1 and 3; "6=a" at tick 6 a is done */
    size_t used;
} orders;

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    orders.used +=
        (size_t)vsnprintf(orders.log + orders.used, sizeof(orders.log) - orders.used, format, args);
    va_end(args);
}

static unsigned note_pages(void *owner, const ww_invalidation *what)
{
    (void)owner;
    note("%llu:", (unsigned long long)ww_engine_now(orders.engine));
    for (uint32_t i = 0; i < what->count; i++)
        note(i ? ",%llu" : "%llu", (unsigned long long)what->pages[i]);
    note(" ");
    return 0;
}

static void note_done(void *name)
{
    const uint64_t more[] = {8, 9};
    note("%llu=%s ", (unsigned long long)ww_engine_now(orders.engine), (const char *)name);
    if (strcmp(name, "a") == 0)
        ww_shootdown_start(orders.shootdown, 0, more, 2, false, note_done, "d");
}

/* Two cycles to the only level, two more to the end, and then to the next order. The list of the
 * caller is gone by then. */
static void orders_wait_with_their_pages(void **state)
{
    (void)state;
    uint64_t pages[] = {1, 3, 2, 5, 6, 7};
    memset(&orders, 0, sizeof(orders));
    orders.engine = ww_engine_create();
    orders.shootdown =
        ww_shootdown_create(&(ww_shootdown_config){.clock = {1, 1}, .latency = 2}, orders.engine);
    ww_shootdown_add(orders.shootdown, &(ww_shootdown_target){0, note_pages, NULL});
    ww_shootdown_start(orders.shootdown, 0, pages, 2, false, note_done, "a");
    ww_shootdown_start(orders.shootdown, 0, pages + 2, 1, false, note_done, "b");
    ww_shootdown_start(orders.shootdown, 0, pages + 3, 3, false, note_done, "c");
    memset(pages, 0, sizeof(pages));
    assert_false(ww_engine_run(orders.engine, WW_NEVER));
    assert_string_equal(orders.log, "2:1,3 4=a 6:2 8=b 10:5,6,7 12=c 14:8,9 16=d ");
    ww_shootdown_destroy(orders.shootdown);
    ww_engine_destroy(orders.engine);
}

/* Every list of some of the pages 0, 2, ... 12, and every page from 0 to 13. */
static void a_page_is_found_in_every_list(void **state)
{
    (void)state;
    for (unsigned set = 0; set < 128; set++) {
        uint64_t pages[7];
        ww_invalidation what = {.pages = pages, .asid = 3};
        for (unsigned i = 0; i < 7; i++)
            if (set >> i & 1)
                pages[what.count++] = 2 * i;
        for (uint64_t page = 0; page < 14; page++) {
            assert_int_equal(ww_invalidation_has(&what, 3, page),
                             page % 2 == 0 && (set >> page / 2 & 1));
            assert_false(ww_invalidation_has(&what, 2, page));
        }
    }
}

/* The answer of a, which comes at 16, is dropped; b has joined the miss before and c after it. */
static void an_answer_in_flight_is_asked_for_again(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        tlb_rig_config c = tlb_rig_plain();
        tlb_rig *rig = tlb_rig_create(&c, 5);
        tlb_rig_plan(rig, 5, 'a', 1);
        tlb_rig_plan(rig, 5, 'x', 2);
        tlb_rig_plan(rig, 7, 'b', 1);
        tlb_rig_plan(rig, 15, 'c', 1);
        tlb_rig_run_until(rig, 10);
        ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){OF_PAGES(1), .all = all});
        tlb_rig_expect(rig, all ? "6va 6vx 17va 17vx 27^a 27^b 27^c 27^x"
                                : "6va 6vx 16^x 17va 27^a 27^b 27^c");
        tlb_rig_destroy(rig);
    }
}

/* The walk reads level 2 when its page is invalidated: it starts again at the root. A walk of
 * another page goes on. */
static void a_walk_in_flight_starts_again(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.mmu.walkers = 2;
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 0, 1);
    mmu_rig_run_until(rig, 30);
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(0)});
    mmu_rig_expect(rig,
                   "6va4 6vb4 16va3 16vb3 26va2 26vb2 36va4 36vb1 46va3 46^b 56va2 66va1 76^a");
    mmu_rig_destroy(rig);
}

/* b is held for a's leaf line, which a does not use: b walks by itself. */
static void a_walk_that_starts_again_releases_others(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.merge = "neighborhood";
    c.mmu.walkers = 2;
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'w', 0, 8);
    mmu_rig_plan(rig, 105, 'a', 1, 0);
    mmu_rig_plan(rig, 106, 'b', 2, 1);
    mmu_rig_run_until(rig, 110);
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(0)});
    mmu_rig_expect(rig,
                   "6vw4 16vw3 26vw2 36vw1 46^w 106va1 116va4 126va3 136va2 146va1 156^b 156^a");
    mmu_rig_destroy(rig);
}

/* A compute unit between mocks, as in test_translate.c: issued at tick 5, at the TLB at 7. */
static core_rig *unit(void)
{
    core_rig *core = &r.core;
    core_rig_init(core);
    core->config.page_shift = 12;
    core->tlb.link = (ww_tlb_link){.latency = 1, .lookups = 4};
    return core;
}

static unsigned acknowledged;

static void acknowledge(void *context)
{
    (void)context;
    acknowledged++;
}

static unsigned invalidate(core_rig *core, unsigned page)
{
    uint64_t first = core->params[0] >> 12;
    acknowledged = 0;
    return ww_cu_invalidate(core->cu,
                            &(ww_invalidation){OF_PAGES(first + page), .acknowledge = acknowledge});
}

/* The answer comes at 57, is not used, and asked for again in the same tick. */
static void a_compute_unit_drops_an_answer_on_its_way(void **state)
{
    (void)state;
    core_rig *core = unit();
    core->tlb.time[0] = 50;
    core_rig_load(core, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"));
    core_rig_step(core, 30);
    assert_int_equal(invalidate(core, 1), 0); /* of another page */
    assert_int_equal(invalidate(core, 0), 0);
    core_rig_run(core);
    assert_string_equal(core->tlb.log, "7v0 57^0 58v0 108^0");
    assert_string_equal(core->data.log, "109:Rf000:1");
    core_rig_end(core);
}

#define TWO_PAGES                                                                         \
    CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1;"    \
                    "shl.b32 %r1, %r1, 12; shr.u32 %r2, %r0, 1; shl.b32 %r2, %r2, 7;"     \
                    "add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;" \
                    "ld.global.u32 %r3, [%d1];")

/* 32 lines, alternately of pages 0 and 1, one a cycle from 37 on; the L1 takes none before 100,
 * and its queue has four. Then the next two are sent with the page that is left, and all of
 * page 1 after its new translation. */
static void lines_that_are_not_sent_are_translated_again(void **state)
{
    (void)state;
    for (int own_page = 0; own_page < 2; own_page++) {
        core_rig *core = unit();
        core->config.own_page = own_page;
        core->data.hold = 100;
        core->tlb.time[1] = 20;
        core_rig_load(core, TWO_PAGES);
        core_rig_step(core, 90);
        size_t asked = core->tlb.arrived;
        assert_int_equal(asked, 2);
        assert_int_equal(invalidate(core, 1), 1); /* four are in flight */
        core_rig_step(core, 105);
        assert_int_equal(core->tlb.arrived, 3);
        assert_int_equal(core->tlb.pending_count, 1);
        /* Without own_page no line leaves before page 1 is back; with it those of page 0 do. */
        assert_true(own_page ? core->data.arrived > 4 : core->data.arrived == 4);
        assert_int_equal(acknowledged, 0);
        core_rig_run(core);
        assert_int_equal(acknowledged, 1);
        assert_int_equal(core->data.arrived, 32);
        assert_true(ww_cu_is_idle(core->cu));
        core_rig_drop(core); /* the instruction has ended twice for the walk records */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stale_translation_survives),
        cmocka_unit_test(a_tlb_that_is_left_out_is_found_out),
        cmocka_unit_test(a_compute_unit_that_is_left_out_is_found_out),
        cmocka_unit_test(walkers_that_are_left_out_are_found_out),
        cmocka_unit_test(orders_wait_with_their_pages),
        cmocka_unit_test(a_page_is_found_in_every_list),
        cmocka_unit_test(an_answer_in_flight_is_asked_for_again),
        cmocka_unit_test(a_walk_in_flight_starts_again),
        cmocka_unit_test(a_walk_that_starts_again_releases_others),
        cmocka_unit_test(a_compute_unit_drops_an_answer_on_its_way),
        cmocka_unit_test(lines_that_are_not_sent_are_translated_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
