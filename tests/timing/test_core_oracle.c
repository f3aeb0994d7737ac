/* A compute unit whose scheduler knows how long each warp took in a first pass. */
#include "core/sched/caws.h"
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static core_rig r;

/* Launch 2 is the one that runs; another one says otherwise. */
static void play(const char *text, const uint32_t *cycles, unsigned groups, unsigned warps)
{
    ww_warp_times *times = ww_warp_times_create();
    ww_warp_times_add_launch(times, groups, warps);
    ww_warp_times_add_launch(times, groups, warps);
    for (unsigned g = 0; g < groups; g++)
        for (unsigned w = 0; w < warps; w++) {
            ww_warp_times_set(times, 1, g, w, 1000 - cycles[g * warps + w]);
            ww_warp_times_set(times, 2, g, w, cycles[g * warps + w]);
        }
    core_rig_load(&r, text);
    r.cu_launch.number = 2;
    r.cu_launch.profiled = times;
    core_rig_run(&r);
    ww_warp_times_destroy(times);
}

/* Due once in 3 issues are a, later the slowest that remains, and the others once in 4. */
static void the_slowest_warp_of_a_group_goes_more_often(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {50, 10, 10, 10};
    core_rig_init(&r);
    r.group = 128;
    r.scheduler = "caws_blk";
    r.setting = "core.caws_pool=4";
    play(CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1; mov.u32 %r2, 1;"), cycles, 1, 4);
    core_rig_expect(&r, "0:a0 1:b0 2:c0 3:a1 4:d0 5:b1 6:a2 7:c1 8:d1 9:a3 10:b2 11:c2 12:d2 "
                        "13:b3 14:c3 15:d3");
    core_rig_end(&r);
}

/* Two groups of two: with one critical warp in each (b, c) or the two slowest of both (c, d). */
static void groups_and_warps_are_found_by_their_numbers(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {10, 20, 60, 50};
    static const char *const names[] = {"caws_blk", "caws_sm"};
    static const uint64_t critical[] = {0x6, 0xc};
    for (int i = 0; i < 2; i++) {
        core_rig_init(&r);
        r.group = 64;
        r.groups = 2;
        r.scheduler = names[i];
        r.setting = "core.caws_pool=4";
        ww_warp_times *times = ww_warp_times_create();
        ww_warp_times_add_launch(times, 2, 2);
        for (unsigned w = 0; w < 4; w++)
            ww_warp_times_set(times, 1, w / 2, w % 2, cycles[w]);
        core_rig_load(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1;"));
        r.cu_launch.number = 1;
        r.cu_launch.profiled = times;
        core_rig_step(&r, 1); /* both groups have come, and nothing has issued */
        const ww_caws *s = r.cu->issue.scheduler_state[0];
        assert_int_equal(s->critical, critical[i]);
        core_rig_run(&r);
        core_rig_end(&r);
        ww_warp_times_destroy(times);
    }
}

static void without_a_first_pass_all_warps_are_alike(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.group = 96;
    r.scheduler = "caws_avg";
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1;"));
    core_rig_expect(&r, "0:a0 1:b0 2:c0 3:a1 4:b1 5:c1 6:a2 7:b2 8:c2");
    core_rig_end(&r);
}

/* Of the others c took longer; a goes last. */
static void the_longest_goes_first_until_it_ends(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {10, 50, 20};
    core_rig_init(&r);
    r.group = 96;
    r.scheduler = "longest";
    play(CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1;"), cycles, 1, 3);
    core_rig_expect(&r, "0:b0 1:b1 2:b2 3:c0 4:c1 5:c2 6:a0 7:a1 8:a2");
    core_rig_end(&r);
}

/* A pool of four with two warps: half of the turns are nobody's. The group can issue from cycle 1
 * on, which is b's turn; an operand is ready 4 cycles later, just in time. */
static void a_turn_without_a_warp_is_lost(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.group = 64;
    r.scheduler = "turns";
    r.setting = "core.caws_pool=4";
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"));
    core_rig_expect(&r, "0:b0 3:a0 4:b1 7:a1 8:b2 11:a2");
    core_rig_end(&r);
}

/* As above in a pool of three: the operand comes one turn too late, and that turn is lost. */
static void a_turn_of_a_warp_that_waits_is_lost(void **state)
{
    (void)state;
    core_rig_init(&r);
    r.group = 64;
    r.scheduler = "turns";
    r.setting = "core.caws_pool=3";
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r0, 1; add.u32 %r1, %r0, 1;"));
    core_rig_expect(&r, "0:b0 2:a0 6:b1 8:a1 9:b2 11:a2");
    core_rig_end(&r);
}

/* Resets of 3 for a and 4 for the others; nothing waits. The log begins with turn 1. In turn 7 a and
 * d are due, in turn 10 a and c. */
static void the_slowest_warp_has_more_turns(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {50, 10, 10, 10};
    core_rig_init(&r);
    r.group = 128;
    r.scheduler = "turns_blk";
    r.setting = "core.caws_pool=4";
    play(CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1;"), cycles, 1, 4);
    core_rig_expect(&r, "0:b0 1:c0 2:d0 3:a0 4:b1 5:c1 6:a1 7:d1 8:b2 9:a2 10:c2 11:d2");
    core_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slowest_warp_of_a_group_goes_more_often),
        cmocka_unit_test(groups_and_warps_are_found_by_their_numbers),
        cmocka_unit_test(without_a_first_pass_all_warps_are_alike),
        cmocka_unit_test(the_longest_goes_first_until_it_ends),
        cmocka_unit_test(a_turn_without_a_warp_is_lost),
        cmocka_unit_test(a_turn_of_a_warp_that_waits_is_lost),
        cmocka_unit_test(the_slowest_warp_has_more_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
