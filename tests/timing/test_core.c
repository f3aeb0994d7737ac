/* A compute unit between mocks: the cycle of every issue, where nothing waits for memory. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static core_rig r;

static int begin(void **state)
{
    (void)state;
    core_rig_init(&r);
    return 0;
}

static void set_unit(ww_unit unit, uint32_t latency, uint32_t interval)
{
    r.config.units[unit] = (ww_unit_timing){latency, interval};
}

/* ---- units ---- */

static void a_dependent_instruction_waits_for_the_latency(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1;");
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 4:a1 8:a2 9:a3");
    core_rig_end(&r);
    begin(NULL);
    set_unit(WW_UNIT_SIMD, 1, 1);
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 1:a1 2:a2 3:a3");
    core_rig_end(&r);
    begin(NULL);
    set_unit(WW_UNIT_SIMD, 200, 1); /* longer than anything is planned ahead */
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 200:a1 400:a2 401:a3");
    assert_int_equal(r.counters.reasons[WW_REASON_DATA_HAZARD], 2 * 199);
    core_rig_end(&r);
}

static void independent_instructions_wait_for_the_interval(void **state)
{
    (void)state;
    const char *text = CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1; mov.u32 %r2, 1;");
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 1:a1 2:a2 3:a3");
    core_rig_end(&r);
    begin(NULL);
    set_unit(WW_UNIT_SIMD, 4, 3);
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 3:a1 6:a2 7:a3");
    assert_int_equal(r.counters.reasons[WW_REASON_STRUCTURAL], 4);
    assert_int_equal(r.counters.unit_busy[WW_UNIT_SIMD], 9);
    core_rig_end(&r);
}

/* The second writer of a register waits for the first. */
static void a_register_is_written_in_order(void **state)
{
    (void)state;
    set_unit(WW_UNIT_SFU, 20, 1);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.f32 %f0, 0f3f800000; rcp.approx.f32 %f1, %f0;"
                                      "mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f3f800000;"));
    core_rig_expect(&r, "0:a0 4:a1 24:a2 25:a3 26:a4");
    core_rig_end(&r);
}

static void special_functions_have_their_own_unit(void **state)
{
    (void)state;
    set_unit(WW_UNIT_SFU, 16, 4);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.f32 %f0, 0f3f800000; sqrt.approx.f32 %f1, %f0;"
                                      "sin.approx.f32 %f2, %f0; mov.u32 %r0, 1;"
                                      "ex2.approx.f32 %f3, %f1;"));
    core_rig_expect(&r, "0:a0 4:a1 8:a2 9:a3 20:a4 21:a5");
    assert_int_equal(r.counters.unit_issues[WW_UNIT_SFU], 3);
    core_rig_end(&r);
}

static void double_precision_has_its_own_unit(void **state)
{
    (void)state;
    set_unit(WW_UNIT_FP64, 8, 2);
    core_rig_play(
        &r, CORE_RIG_KERNEL("mov.u64 %d0, 0; cvt.rn.f64.u64 %g0, %d0; add.rn.f64 %g1, %g0, %g0;"
                            "mul.rn.f64 %g2, %g0, %g0; fma.rn.f64 %g3, %g2, %g2, %g1;"));
    core_rig_expect(&r, "0:a0 4:a1 12:a2 14:a3 22:a4 23:a5");
    assert_int_equal(r.counters.unit_issues[WW_UNIT_FP64], 4);
    core_rig_end(&r);
}

static void uniform_instructions_go_to_the_scalar_unit(void **state)
{
    (void)state;
    r.config.scalar_unit = true;
    set_unit(WW_UNIT_SCALAR, 2, 1);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, %ctaid.x; add.u32 %r1, %r0, 1;"
                                      "mov.u32 %r2, %tid.x; add.u32 %r3, %r2, %r1;"));
    core_rig_expect(&r, "0:a0 2:a1 3:a2 7:a3 8:a4");
    assert_int_equal(r.counters.unit_issues[WW_UNIT_SCALAR], 2);
    core_rig_end(&r);
}

/* ---- schedulers ---- */

static void warps_hide_each_others_latency(void **state)
{
    (void)state;
    r.group = 64;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"));
    core_rig_expect(&r, "0:a0 1:b0 4:a1 5:b1 6:a2 7:b2");
    core_rig_end(&r);
}

static void greedy_stays_with_a_warp(void **state)
{
    (void)state;
    r.group = 64;
    r.scheduler = "gto";
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1; add.u32 %r2, %r1, 1;"));
    core_rig_expect(&r, "0:a0 1:a1 2:b0 3:b1 5:a2 6:a3 7:b2 8:b3");
    core_rig_end(&r);
}

/* Each has its own SIMD unit; the branch unit is one for all. */
static void schedulers_issue_side_by_side(void **state)
{
    (void)state;
    r.group = 64;
    r.config.schedulers = 2;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"));
    core_rig_expect(&r, "0:a0 0:b0 4:a1 4:b1 5:a2 6:b2");
    core_rig_end(&r);
}

/* 8 warps of 60 independent instructions: the last of a scheduler's goes when it must. */
static void check_rate(unsigned schedulers, uint32_t interval)
{
    char text[2048] = "";
    for (unsigned i = 0; i < 60; i++)
        snprintf(text + strlen(text), 32, "mov.u32 %%r%u, 1;", i % 16);
    begin(NULL);
    r.group = 256;
    r.config.schedulers = schedulers;
    set_unit(WW_UNIT_SIMD, 1, interval);
    char *kernel = core_rig_kernel(text);
    core_rig_play(&r, kernel);
    uint64_t issues = 60 * 8 / schedulers;
    uint64_t took = r.last_issue - r.first_issue;
    assert_in_range(took, (issues - 1) * interval + 1, (issues - 1) * interval + 8);
    assert_int_equal(r.counters.unit_busy[WW_UNIT_SIMD], 480 * interval);
    core_rig_end(&r);
    free(kernel);
}

static void a_scheduler_issues_one_instruction_an_interval(void **state)
{
    (void)state;
    for (unsigned schedulers = 1; schedulers <= 8; schedulers *= 2)
        for (uint32_t interval = 1; interval <= 4; interval++)
            check_rate(schedulers, interval);
}

/* How schedulers share a unit. */
typedef struct sharing {
    const char *scheduler;
    bool rotates, one_pool;
    unsigned warps; /* a, b and perhaps c, which has a's scheduler */
} sharing;

/* Of the first 39 loads of warps with 40 each, those of warp b. */
static unsigned loads_of_the_second(sharing how, uint32_t interval)
{
    char text[4096] = "ld.param.u64 %d0, [p];";
    unsigned loads = 0, second = 0;
    for (unsigned i = 0; i < 40; i++)
        snprintf(text + strlen(text), 64, "ld.global.u32 %%r%u, [%%d0+%u];", i % 32, 128 * i);
    begin(NULL);
    r.group = 32 * how.warps;
    r.config.schedulers = 2;
    r.scheduler = how.scheduler;
    r.config.rotates = how.rotates;
    r.config.one_pool = how.one_pool;
    set_unit(WW_UNIT_MEMORY, 1, interval);
    char *kernel = core_rig_kernel(text);
    core_rig_play(&r, kernel);
    for (const char *at = r.log; (at = strchr(at, ':')) != NULL && loads < 39; at++) {
        bool is_load = atoi(at + 2) > 0;
        loads += is_load;
        second += is_load && at[1] == 'b';
    }
    core_rig_end(&r);
    free(kernel);
    return second;
}

/* Two schedulers want the memory unit whenever it is free, every cycle or every second, third or
 * fourth one. */
static void schedulers_get_their_share_of_a_unit(void **state)
{
    (void)state;
    for (uint32_t interval = 1; interval <= 4; interval++) {
        assert_int_equal(loads_of_the_second((sharing){"rr", false, false, 2}, interval), 0);
        assert_in_range(loads_of_the_second((sharing){"rr", true, false, 2}, interval), 14, 26);
    }
}

/* With one pool of both schedulers warps are due in turn: of three, each has a third of the loads,
 * although two of them have the same scheduler. rr does not compare warps of two schedulers, so
 * that the first scheduler goes first. */
static void schedulers_of_one_pool_go_first_as_their_warps_are_due(void **state)
{
    (void)state;
    for (uint32_t interval = 1; interval <= 4; interval++) {
        assert_int_equal(loads_of_the_second((sharing){"caws_blk", false, true, 2}, interval), 19);
        assert_int_equal(loads_of_the_second((sharing){"caws_blk", false, true, 3}, interval), 13);
        assert_int_equal(loads_of_the_second((sharing){"caws_blk", false, false, 2}, interval), 0);
        assert_int_equal(loads_of_the_second((sharing){"rr", false, true, 2}, interval), 0);
    }
}

/* As in GCN: a SIMD each, one after the other. Slot a's scheduler is active in
 * cycles 0, 4, 8; slot a starts in cycle 1. */
static void a_scheduler_is_active_every_issue_period(void **state)
{
    (void)state;
    r.group = 128;
    r.config.schedulers = r.config.issue_period = 4;
    r.config.issue_width = 5;
    set_unit(WW_UNIT_SIMD, 4, 4);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"));
    core_rig_expect(&r, "0:b0 1:c0 2:d0 3:a0 4:b1 5:c1 6:d1 7:a1 8:b2 9:c2 10:d2 11:a2");
    core_rig_end(&r);
}

/* Different warps, for different units. */
static void a_wide_turn_feeds_several_units(void **state)
{
    (void)state;
    const char *text =
        CORE_RIG_KERNEL("mov.u32 %r0, 1; sqrt.approx.f32 %f1, 0f3f800000; mov.u32 %r1, 1;");
    r.group = 64;
    r.config.issue_period = 4;
    r.config.issue_width = 5;
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 4:b0 4:a1 8:b1 8:a2 12:b2 12:a3 16:b3");
    core_rig_end(&r);
    begin(NULL);
    r.group = 64;
    r.config.issue_period = 4;
    core_rig_play(&r, text);
    core_rig_expect(&r, "0:a0 4:b0 8:a1 12:b1 16:a2 20:b2 24:a3 28:b3");
    core_rig_end(&r);
}

/* ---- control ---- */

static void a_branch_is_decided_after_its_latency(void **state)
{
    (void)state;
    set_unit(WW_UNIT_BRANCH, 7, 1);
    core_rig_play(&r, CORE_RIG_KERNEL("bra L; mov.u32 %r0, 1; L: mov.u32 %r1, 1;"));
    core_rig_expect(&r, "0:a0 7:a2 8:a3");
    assert_int_equal(r.counters.reasons[WW_REASON_CONTROL], 6);
    core_rig_end(&r);
}

static void a_branch_that_is_not_taken_waits_as_well(void **state)
{
    (void)state;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 0; setp.eq.u32 %q0, %r0, 1; @%q0 bra L;"
                                      "mov.u32 %r1, 1; L:"));
    core_rig_expect(&r, "0:a0 4:a1 8:a2 12:a3 13:a4");
    core_rig_end(&r);
}

static void both_sides_of_a_divergent_branch_run(void **state)
{
    (void)state;
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, %tid.x; setp.lt.u32 %q0, %r0, 7; @%q0 bra L;"
                                      "mov.u32 %r1, 1; bra M; L: mov.u32 %r1, 2; M:"));
    core_rig_expect(&r, "0:a0 4:a1 8:a2 12:a3 13:a4 17:a5 18:a6");
    assert_int_equal(r.counters.reasons[WW_REASON_CONTROL], 2 * 3);
    core_rig_end(&r);
}

static void a_barrier_lets_all_go_when_the_last_comes(void **state)
{
    (void)state;
    r.group = 96;
    core_rig_play(&r, CORE_RIG_KERNEL("bar.sync 0; mov.u32 %r0, 1;"));
    core_rig_expect(&r, "0:a0 1:b0 2:c0 3:a1 4:b1 5:c1 6:a2 7:b2 8:c2");
    core_rig_end(&r);
    begin(NULL); /* one comes late: its wait is not charged to scheduling */
    r.group = 64;
    r.config.schedulers = 2;
    set_unit(WW_UNIT_SIMD, 30, 1);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, %tid.x; setp.lt.u32 %q0, %r0, 32; @%q0 bra L;"
                                      "mov.u32 %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;"
                                      "L: bar.sync 0;"));
    core_rig_expect(
        &r, "0:a0 0:b0 30:a1 30:b1 60:a2 61:b2 64:a6 65:b3 95:b4 125:b5 126:b6 127:a7 128:b7");
    assert_int_equal(r.counters.reasons[WW_REASON_SYNCHRONISATION], 126 - 64);
    core_rig_end(&r);
}

/* More warps wait for others than may be active: these become inactive. */
static void a_barrier_does_not_block_two_levels(void **state)
{
    (void)state;
    r.group = 256;
    r.scheduler = "two_level";
    r.setting = "core.two_level_active=2";
    core_rig_play(&r, CORE_RIG_KERNEL("bar.sync 0; mov.u32 %r0, 1; bar.sync 0;"));
    assert_int_equal(r.issues, 8 * 4);
    core_rig_end(&r);
}

/* ---- clocks ---- */

/* 700 MHz beside 924 MHz: 25 cycles in 33 ticks. */
static void a_slow_clock_counts_its_own_cycles(void **state)
{
    (void)state;
    r.config.clock = ww_clock_make(700000000, 924000000);
    core_rig_load(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1;"));
    core_rig_run(&r);
    core_rig_expect(&r, "0:a0 4:a1 8:a2 9:a3");
    assert_int_equal(r.first_issue, 1);
    assert_int_equal(r.last_issue, 10);
    assert_int_equal(ww_engine_now(r.engine),
                     (10 * 33 + 24) / 25 + 1); /* the tick after that of cycle 10 */
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_dependent_instruction_waits_for_the_latency, begin),
        cmocka_unit_test_setup(independent_instructions_wait_for_the_interval, begin),
        cmocka_unit_test_setup(a_register_is_written_in_order, begin),
        cmocka_unit_test_setup(special_functions_have_their_own_unit, begin),
        cmocka_unit_test_setup(double_precision_has_its_own_unit, begin),
        cmocka_unit_test_setup(uniform_instructions_go_to_the_scalar_unit, begin),
        cmocka_unit_test_setup(warps_hide_each_others_latency, begin),
        cmocka_unit_test_setup(greedy_stays_with_a_warp, begin),
        cmocka_unit_test_setup(schedulers_issue_side_by_side, begin),
        cmocka_unit_test_setup(schedulers_get_their_share_of_a_unit, begin),
        cmocka_unit_test_setup(schedulers_of_one_pool_go_first_as_their_warps_are_due, begin),
        cmocka_unit_test_setup(a_scheduler_issues_one_instruction_an_interval, begin),
        cmocka_unit_test_setup(a_scheduler_is_active_every_issue_period, begin),
        cmocka_unit_test_setup(a_wide_turn_feeds_several_units, begin),
        cmocka_unit_test_setup(a_branch_is_decided_after_its_latency, begin),
        cmocka_unit_test_setup(a_branch_that_is_not_taken_waits_as_well, begin),
        cmocka_unit_test_setup(both_sides_of_a_divergent_branch_run, begin),
        cmocka_unit_test_setup(a_barrier_lets_all_go_when_the_last_comes, begin),
        cmocka_unit_test_setup(a_barrier_does_not_block_two_levels, begin),
        cmocka_unit_test_setup(a_slow_clock_counts_its_own_cycles, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
