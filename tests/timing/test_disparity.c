/* Disparity of a group's warps and criticality inversion, worked out by hand from the issue log. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static core_rig r;

/* Warp a returns after the branch; b and the others execute two more instructions. A branch is
 * decided after 4 cycles. */
#define EARLY                                                        \
    CORE_RIG_KERNEL("mov.u32 %r0, %tid.x; setp.lt.u32 %q0, %r0, 32;" \
                    "@%q0 bra end; mov.u32 %r1, 1; mov.u32 %r2, 2; end:")

/* Groups of `warps` on `slots`; `profiled` by group and warp, 0: not known; NULL: no first pass. */
static void play(const uint32_t *profiled, unsigned groups, unsigned warps, unsigned slots)
{
    core_rig_init(&r);
    r.group = 32 * warps;
    r.groups = groups;
    r.config.slots = slots;
    r.config.holds_slots = true;
    core_rig_load(&r, EARLY);
    ww_warp_times *times = ww_warp_times_create();
    ww_warp_times_add_launch(times, groups, warps);
    for (unsigned i = 0; profiled && i < groups * warps; i++)
        ww_warp_times_set(times, 1, i / warps, i % warps, profiled[i]);
    r.cu_launch.number = 1;
    r.cu_launch.profiled = profiled ? times : NULL;
    core_rig_run(&r);
    ww_warp_times_destroy(times);
}

static uint64_t reason(ww_reason which)
{
    return ww_cu_disparity(r.cu)->reasons[which];
}

/* In cycles 0, 4, 8 and 12 a goes first and b is not considered. */
static void a_warp_that_returns_early_makes_a_disparity(void **state)
{
    (void)state;
    play(NULL, 1, 2, 8);
    core_rig_expect(&r, "0:a0 1:b0 4:a1 5:b1 8:a2 9:b2 12:a5 13:b3 14:b4 15:b5");
    const ww_disparity_sums *s = &ww_cu_disparity(r.cu)->all;
    assert_int_equal(s->groups, 1);
    assert_int_equal(s->slowest, 16);
    assert_int_equal(s->fastest, 13);
    assert_true(s->mean == 14.5);
    assert_true(s->disparity == 3 / 16.);
    assert_true(s->disparity_of_fastest == 3 / 13.);
    assert_true(s->instruction_disparity == 2 / 6.);
    assert_int_equal(s->compared, 0);
    assert_int_equal(reason(WW_REASON_SCHEDULING), 4);
    assert_int_equal(reason(WW_REASON_DATA_HAZARD), 4);
    assert_int_equal(reason(WW_REASON_CONTROL), 2);
    assert_int_equal(reason(WW_REASON_EXECUTION), 6);
    assert_int_equal(ww_cu_disparity(r.cu)->first_wave.slowest, 16);
    core_rig_end(&r);
}

/* b is the slowest of each group. */
static void a_slowest_warp_below_the_mean_of_the_first_pass_is_an_inversion(void **state)
{
    (void)state;
    static const uint32_t profiled[] = {10, 30, 30, 10, 30, 0};
    play(profiled, 3, 2, 8);
    const ww_disparity_sums *s = &ww_cu_disparity(r.cu)->all;
    assert_int_equal(s->groups, 3);
    assert_int_equal(s->compared, 2);
    assert_int_equal(s->inverted, 1);
    assert_int_equal(s->changed, 1);
    assert_int_equal(s->critical_profiled, 30 + 30);
    core_rig_end(&r);
}

/* c ends last. The mean is 40 and 30: another was the slowest in both groups, above the mean. */
static void another_slowest_warp_is_a_change_and_no_inversion(void **state)
{
    (void)state;
    static const uint32_t profiled[] = {10, 70, 40, 10, 49, 31};
    play(profiled, 2, 3, 8);
    const ww_disparity_sums *s = &ww_cu_disparity(r.cu)->all;
    assert_int_equal(s->compared, 2);
    assert_int_equal(s->inverted, 0);
    assert_int_equal(s->changed, 2);
    core_rig_end(&r);
}

/* As above: a takes 13 cycles, b 16. In the first pass a was the slowest, in the second case both,
 * and a is the first of them; in the third a group is not compared. */
static void the_critical_warp_is_that_of_the_first_pass(void **state)
{
    (void)state;
    static const uint32_t profiled[][2] = {{30, 10}, {30, 30}, {30, 0}, {10, 31}};
    static const uint64_t critical[] = {13, 13, 0, 16}, before[] = {30, 30, 0, 31};
    for (unsigned i = 0; i < 4; i++) {
        play(profiled[i], 1, 2, 8);
        const ww_disparity_counters *c = ww_cu_disparity(r.cu);
        assert_int_equal(c->all.slowest, 16);
        assert_int_equal(c->all.critical, critical[i]);
        assert_int_equal(c->first_wave.critical, critical[i]);
        assert_int_equal(c->all.critical_profiled, before[i]);
        core_rig_end(&r);
    }
}

/* Two groups fit; the third and the fourth follow them. */
static void groups_that_follow_others_are_not_in_the_first_wave(void **state)
{
    (void)state;
    play(NULL, 4, 2, 4);
    const ww_disparity_counters *c = ww_cu_disparity(r.cu);
    assert_int_equal(c->all.groups, 4);
    assert_int_equal(c->first_wave.groups, 2);
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_that_returns_early_makes_a_disparity),
        cmocka_unit_test(a_slowest_warp_below_the_mean_of_the_first_pass_is_an_inversion),
        cmocka_unit_test(another_slowest_warp_is_a_change_and_no_inversion),
        cmocka_unit_test(the_critical_warp_is_that_of_the_first_pass),
        cmocka_unit_test(groups_that_follow_others_are_not_in_the_first_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
