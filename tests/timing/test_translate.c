/* What the load/store unit does with pages: finds them, requests them in order, and sends an
 * instruction's lines when it has all of them. A TLB that hits costs its latency: requested in the
 * cycle after issue, it answers that much later, and lines leave then. Frames are turned
 * (tlb_mock.h): what is in page 0 of the buffer goes to 0xf000. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static core_rig r;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.config.page_shift = 12;
    r.tlb.link = (ww_tlb_link){.latency = 1, .lookups = 4};
    return 0;
}

static void expect_text(const char *wanted, const char *format, unsigned a, unsigned b)
{
    char text[64];
    snprintf(text, sizeof(text), format, a, b);
    assert_string_equal(wanted, text);
}

/* Issued at tick 5, requested at 6. */
#define ONE_LOAD \
    CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;")

/* %d1: eight lanes each in pages 0 to 3; the load issues at tick 22, and its pages are at the TLB
 * at 24. */
#define FOUR_PAGES                                                                           \
    "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 3; shl.b32 %r1, %r1, 12;" \
    "cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;"
#define LOAD_FOUR CORE_RIG_KERNEL(FOUR_PAGES "ld.global.u32 %r2, [%d1];")

static void a_hit_takes_its_latency(void **state)
{
    (void)state;
    for (unsigned latency = 1; latency < 30; latency += 19) {
        begin(NULL);
        r.tlb.link.latency = latency;
        core_rig_play(&r, ONE_LOAD);
        expect_text(r.log, "0:a0 4:a1 %u:a2 %u:a3", 16 + latency, 17 + latency);
        expect_text(r.data.log, "%u:Rf000:1", 7 + latency, 0);
        assert_int_equal(r.counters.translations, 1);
        assert_int_equal(r.counters.stages[WW_STAGE_TRANSLATE], 1 + latency);
        core_rig_end(&r);
    }
}

/* Lane i is in page 5i mod 16, lanes 16 to 31 one line further: 32 lines, 16 pages, each requested
 * once. */
static void pages_are_requested_once_in_the_order_of_lanes(void **state)
{
    (void)state;
    r.tlb.link.lookups = 2;
    core_rig_play(
        &r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, 5;"
                            "and.b32 %r1, %r1, 15; shl.b32 %r1, %r1, 12; shr.u32 %r2, %r0, 4;"
                            "shl.b32 %r2, %r2, 7; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d1, %r1;"
                            "add.u64 %d1, %d0, %d1; ld.global.u32 %r3, [%d1];"));
    assert_string_equal(
        r.tlb.log,
        "37v0 37v5 37^0 37^5 38v10 38v15 38^10 38^15 39v4 39v9 39^4 39^9 40v14 40v3 40^14 40^3 "
        "41v8 41v13 41^8 41^13 42v2 42v7 42^2 42^7 43v12 43v1 43^12 43^1 44v6 44v11 44^6 44^11");
    char wanted[1024];
    size_t used = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        used +=
            (size_t)snprintf(wanted + used, sizeof(wanted) - used, "%s%u:R%x:1", lane ? " " : "",
                             45 + lane, (15 - lane * 5 % 16) * 0x1000 + lane / 16 * 0x80);
    assert_string_equal(r.data.log, wanted);
    assert_int_equal(r.counters.translations, 16);
    assert_int_equal(r.counters.lines, 32);
    core_rig_end(&r);
}

/* Answers come in another order than requests; every line waits for the last. */
static void lines_wait_for_all_pages(void **state)
{
    (void)state;
    r.tlb.time[0] = 5;
    r.tlb.time[1] = 50;
    r.tlb.time[3] = 20;
    core_rig_play(&r, LOAD_FOUR);
    assert_string_equal(r.tlb.log, "24v0 24v1 24v2 24v3 24^2 29^0 44^3 74^1");
    assert_string_equal(r.data.log, "75:Rf000:1 76:Re000:1 77:Rd000:1 78:Rc000:1");
    assert_int_equal(r.counters.stages[WW_STAGE_TRANSLATE], 4 * (74 - 22));
    core_rig_end(&r);
}

/* Two instructions, one after the other: three pages of the first, then its last and two of the
 * second. */
static void instructions_ask_one_after_the_other(void **state)
{
    (void)state;
    r.tlb.link = (ww_tlb_link){.latency = 2, .lookups = 3};
    core_rig_play(&r,
                  CORE_RIG_KERNEL(FOUR_PAGES
                                  "shr.u32 %r2, %r0, 4; shl.b32 %r2, %r2, 12; cvt.u64.u32 %d2, %r2;"
                                  "add.u64 %d2, %d0, %d2; mov.u32 %r3, 0; mov.u32 %r5, 0;"
                                  "mov.u32 %r6, 0; mov.u32 %r7, 0;"
                                  "ld.global.u32 %r4, [%d1]; st.global.u32 [%d2+32768], %r0;"));
    assert_string_equal(r.tlb.log, "39v0 39v1 39v2 39^0 39^1 39^2 40v3 40v8 40v9 40^3 40^8 40^9");
    assert_string_equal(r.data.log, "41:Rf000:1 42:Re000:1 43:Rd000:1 44:Rc000:1 45:w7000:1 "
                                    "46:w6000:1");
    assert_int_equal(r.counters.translations, 6);
    core_rig_end(&r);
}

/* Warp b's page is known long before that of a, whose load is the older one. */
static void another_warp_overtakes(void **state)
{
    (void)state;
    r.group = 64;
    r.tlb.time[0] = 100;
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x;"
                                      "shr.u32 %r1, %r0, 5; shl.b32 %r1, %r1, 12;"
                                      "cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;"
                                      "ld.global.u32 %r2, [%d1]; add.u32 %r3, %r2, 1;"));
    core_rig_expect(&r, "0:a0 1:b0 2:a1 3:b1 6:a2 7:b2 10:a3 11:b3 14:a4 15:b4 18:a5 19:b5 "
                        "22:a6 23:b6 36:b7 37:b8 135:a7 136:a8");
    assert_string_equal(r.tlb.log, "25v0 26v1 26^1 125^0");
    assert_string_equal(r.data.log, "27:Re000:1 126:Rf000:1");
    core_rig_end(&r);
}

/* The same, where results return in order: b's load has its data at tick 37 and completes with a's,
 * at 136. */
static void in_order_a_result_waits_for_older_ones(void **state)
{
    (void)state;
    r.group = 64;
    r.config.in_order = true;
    r.tlb.time[0] = 100;
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x;"
                                      "shr.u32 %r1, %r0, 5; shl.b32 %r1, %r1, 12;"
                                      "cvt.u64.u32 %d1, %r1; add.u64 %d1, %d0, %d1;"
                                      "ld.global.u32 %r2, [%d1]; add.u32 %r3, %r2, 1;"));
    core_rig_expect(&r, "0:a0 1:b0 2:a1 3:b1 6:a2 7:b2 10:a3 11:b3 14:a4 15:b4 18:a5 19:b5 "
                        "22:a6 23:b6 135:a7 136:b7 137:a8 138:b8");
    assert_string_equal(r.data.log, "27:Re000:1 126:Rf000:1");
    core_rig_end(&r);
}

/* An older store holds a load's result back, too. */
static void in_order_a_result_waits_for_older_stores(void **state)
{
    (void)state;
    r.config.in_order = true;
    r.tlb.time[0] = 100;
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r1, 1;"
                                      "st.global.u32 [%d0], %r1;"
                                      "ld.global.u32 %r2, [%d0+4096]; add.u32 %r3, %r2, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 5:a2 6:a3 118:a4 119:a5");
    assert_string_equal(r.data.log, "10:Re000:1 109:wf000:1");
    core_rig_end(&r);
}

/* Pages 2, 0, 3 and 1 are known one after the other; each page's line leaves then. */
static void lines_can_leave_with_their_own_page(void **state)
{
    (void)state;
    r.config.own_page = true;
    r.tlb.time[0] = 5;
    r.tlb.time[1] = 50;
    r.tlb.time[3] = 20;
    core_rig_play(&r, LOAD_FOUR);
    assert_string_equal(r.tlb.log, "24v0 24v1 24v2 24v3 24^2 29^0 44^3 74^1");
    assert_string_equal(r.data.log, "25:Rd000:1 30:Rf000:1 45:Rc000:1 75:Re000:1");
    assert_int_equal(r.counters.stages[WW_STAGE_TRANSLATE], 2 + 7 + 22 + 52);
    core_rig_end(&r);
}

static void a_later_load_of_the_warp_overtakes(void **state)
{
    (void)state;
    r.tlb.time[0] = 100;
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "ld.global.u32 %r2, [%d0+4096]; add.u32 %r3, %r2, 1;"
                                      "add.u32 %r4, %r1, 1;"));
    core_rig_expect(&r, "0:a0 4:a1 5:a2 18:a3 117:a4 118:a5");
    assert_string_equal(r.tlb.log, "7v0 8v1 8^1 107^0");
    assert_string_equal(r.data.log, "9:Re000:1 108:Rf000:1");
    core_rig_end(&r);
}

/* The TLB's queue holds two requests, and it accepts none before tick 50; an entry that it frees is
 * used in the same tick. */
static void a_full_tlb_holds_requests_up(void **state)
{
    (void)state;
    r.tlb.queue = 2;
    r.tlb.hold = 50;
    core_rig_play(&r, LOAD_FOUR);
    assert_string_equal(r.tlb.log, "50v0 50v1 50^0 50^1 51v2 51v3 51^2 51^3");
    assert_string_equal(r.data.log, "52:Rf000:1 53:Re000:1 54:Rd000:1 55:Rc000:1");
    core_rig_end(&r);
}

/* The same lines in pages of 8 KiB: two pages. */
static void larger_pages_are_fewer(void **state)
{
    (void)state;
    r.config.page_shift = 13;
    core_rig_play(&r, LOAD_FOUR);
    assert_string_equal(r.tlb.log, "24v0 24v1 24^0 24^1");
    assert_string_equal(r.data.log, "25:Re000:1 26:Rf000:1 27:Rc000:1 28:Rd000:1");
    assert_int_equal(r.counters.translations, 2);
    core_rig_end(&r);
}

/* An instruction keeps its entry of the load/store unit while it waits for pages: with one entry,
 * the next load issues when the lines of the first are sent, at tick 57. */
static void a_waiting_instruction_keeps_its_entry(void **state)
{
    (void)state;
    r.config.memory_queue = 1;
    r.tlb.time[0] = 50;
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0];"
                                      "ld.global.u32 %r2, [%d0+4096];"));
    core_rig_expect(&r, "0:a0 4:a1 56:a2 57:a3");
    assert_string_equal(r.tlb.log, "7v0 57^0 59v1 59^1");
    core_rig_end(&r);
}

/* 700 MHz beside 924 MHz: 25 cycles in 33 ticks. Asked for in cycle 6, at tick 8; a lookup ends
 * with cycle 7, at tick 10. The answer is there at once, or at 13, which cycle 10 sees at 14. */
static void a_slow_clock_takes_answers_at_its_edges(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        begin(NULL);
        r.config.clock = ww_clock_make(700000000, 924000000);
        r.tlb.time[0] = late ? 3 : 0;
        core_rig_play(&r, ONE_LOAD);
        assert_string_equal(r.tlb.log, late ? "10v0 13^0" : "10v0 10^0");
        assert_string_equal(r.data.log, late ? "15:Rf000:1" : "11:Rf000:1");
        core_rig_expect(&r, late ? "0:a0 4:a1 18:a2 19:a3" : "0:a0 4:a1 15:a2 16:a3");
        core_rig_end(&r);
    }
}

static void scalars_have_a_tlb_of_their_own(void **state)
{
    (void)state;
    r.config.scalar_unit = true;
    r.scalar_tlb.link = (ww_tlb_link){.latency = 3, .lookups = 1, .source = 5, .unit = 2};
    core_rig_play(&r,
                  CORE_RIG_KERNEL(
                      "ld.param.u64 %d0, [p]; ld.global.nc.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;"));
    core_rig_expect(&r, "0:a0 4:a1 19:a2 20:a3");
    assert_string_equal(r.scalar_tlb.log, "9v0 9^0");
    assert_string_equal(r.tlb.log, "");
    assert_string_equal(r.scalar.log, "10:Rf000:1");
    core_rig_end(&r);
}

static void a_wrong_frame_is_found_out(void **state)
{
    (void)state;
    r.tlb.spoil = 1 << 16;
    core_rig_fail(&r, ONE_LOAD, "(it is at 0x");
}

/* ---- physical addresses ---- */

/* A store to a physical address comes before an older load that waits for its translation, goes
 * where it says, and is not looked up. */
static void a_physical_address_is_not_translated(void **state)
{
    (void)state;
    static ww_access access = {.space = WW_SPACE_GLOBAL, .bytes = 4, .lanes = 1, .physical = true};
    static const ww_timed_op store = {.unit = WW_UNIT_MEMORY, .flags = WW_TIMED_STORE};
    r.tlb.time[0] = 20;
    core_rig_load(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r0, [%d0];"
                                      "add.u32 %r1, %r0, 1;"));
    core_rig_step(&r, 7);
    access.address[0] = r.params[0] + 0x4000;
    ww_load_store_add(&r.cu->memory, 0, &store, &access, 7);
    core_rig_run(&r);
    assert_string_equal(r.tlb.log, "7v0 27^0");
    assert_string_equal(r.data.log, "9:w4000:1 28:Rf000:1");
    assert_int_equal(r.counters.translations, 1);
    assert_int_equal(r.counters.memory_instructions, 2);
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_hit_takes_its_latency, begin),
        cmocka_unit_test_setup(pages_are_requested_once_in_the_order_of_lanes, begin),
        cmocka_unit_test_setup(lines_wait_for_all_pages, begin),
        cmocka_unit_test_setup(instructions_ask_one_after_the_other, begin),
        cmocka_unit_test_setup(another_warp_overtakes, begin),
        cmocka_unit_test_setup(in_order_a_result_waits_for_older_ones, begin),
        cmocka_unit_test_setup(in_order_a_result_waits_for_older_stores, begin),
        cmocka_unit_test_setup(lines_can_leave_with_their_own_page, begin),
        cmocka_unit_test_setup(a_later_load_of_the_warp_overtakes, begin),
        cmocka_unit_test_setup(a_full_tlb_holds_requests_up, begin),
        cmocka_unit_test_setup(larger_pages_are_fewer, begin),
        cmocka_unit_test_setup(a_waiting_instruction_keeps_its_entry, begin),
        cmocka_unit_test_setup(a_slow_clock_takes_answers_at_its_edges, begin),
        cmocka_unit_test_setup(scalars_have_a_tlb_of_their_own, begin),
        cmocka_unit_test_setup(a_wrong_frame_is_found_out, begin),
        cmocka_unit_test_setup(a_physical_address_is_not_translated, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
