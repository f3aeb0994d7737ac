/* Criticality of warps: what a policy is told, and how schedulers and requests get its answer. */
#include "support/core_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static core_rig r;
static char told[1024];

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(told + strlen(told), sizeof(told) - strlen(told), format, args);
    va_end(args);
}

/* ---- a policy that writes down what it is told; criticality is the number of issues ---- */

static uint64_t first_cycle;

static void warp_started(void *state, unsigned slot, const ww_started_warp *warp)
{
    (void)state;
    note("+%u:%u.%u ", slot, (unsigned)warp->group, warp->warp);
    first_cycle = warp->cycle;
}

static void issued(void *state, unsigned slot, uint64_t cycle)
{
    ((ww_warp_criticality *)state)->of_slot[slot]++;
    note("%u@%u ", slot, (unsigned)(cycle - first_cycle));
}

static void stalled(void *state, unsigned slot, uint64_t cycles)
{
    (void)state;
    note("%u~%u ", slot, (unsigned)cycles);
}

static void committed(void *state, unsigned slot, uint64_t cycle)
{
    (void)state;
    note("%u!%u ", slot, (unsigned)(cycle - first_cycle));
}

static void branched(void *state, unsigned slot, const ww_branch_outcome *branch)
{
    (void)state;
    note("%u:%u>%u%s ", slot, branch->pc, branch->next, branch->divergent ? "*" : "");
    if (branch->paths && branch->taken)
        note("T%d/%u ", (int)branch->paths->taken.inferred, branch->paths->taken.shortest);
    if (branch->paths && branch->not_taken)
        note("N%d/%u ", (int)branch->paths->fall_through.inferred,
             branch->paths->fall_through.shortest);
}

static void warp_ended(void *state, unsigned slot)
{
    ((ww_warp_criticality *)state)->of_slot[slot] = 0;
    note("-%u ", slot);
}

static const ww_criticality diary = {
    .policy = {.name = "diary", .doc = "d", .state_size = sizeof(ww_warp_criticality)},
    .warp_started = warp_started,
    .issued = issued,
    .stalled = stalled,
    .committed = committed,
    .branched = branched,
    .warp_ended = warp_ended,
};

static void begin(const ww_criticality *policy, unsigned group)
{
    core_rig_init(&r);
    r.group = group;
    r.config.criticality = policy;
    told[0] = '\0';
}

/* The second instruction needs the first one's result, the branch the second one's; the warp splits
 * at it: lanes 16 to 31 go on with 3, the others wait at 4. */
static void a_policy_is_told_what_a_warp_does(void **state)
{
    (void)state;
    begin(&diary, 32);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 16; @%q0 bra L; "
                                      "mov.u32 %r2, 1; L: mov.u32 %r3, 1;"));
    assert_string_equal(
        told, "+0:0.0 0@0 0!0 0~3 0@4 0!4 0~3 0@8 0!8 0:2>3* T3/0 N3/1 0~3 0@12 0!12 0@13 "
              "0!13 0@14 0!14 -0 ");
    core_rig_expect(&r, "0:a0 4:a1 8:a2 12:a3 13:a4 14:a5");
    core_rig_end(&r);
}

static void branches_that_do_not_split_a_warp_say_where_it_goes(void **state)
{
    (void)state;
    begin(&diary, 64);
    core_rig_play(&r, CORE_RIG_KERNEL("bra.uni L; mov.u32 %r2, 1; L: mov.u32 %r3, 1;"));
    assert_string_equal(told, "+0:0.0 +1:0.1 0@0 0!0 0:0>2 1~1 1@1 1!1 1:0>2 0~3 0@4 0!4 1~3 1@5 "
                              "1!5 0~1 0@6 0!6 -0 1~1 1@7 1!7 -1 ");
    core_rig_end(&r);
}

/* Algorithm 5 of the dissertation, with an instruction before it: the first warp takes the branch,
 * the second one does not. */
static void sides_of_branches_are_told(void **state)
{
    (void)state;
    begin(&diary, 64);
    core_rig_play(&r, CORE_RIG_KERNEL("mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 32; @%q0 bra L2; "
                                      "add.u32 %r1, %r1, 1; bra L3; L2: sub.u32 %r1, %r1, 1; "
                                      "L3: mov.u32 %r2, %r1;"));
    assert_non_null(strstr(told, " 0:2>5 T4/1 "));
    assert_non_null(strstr(told, " 1:2>3 N5/2 "));
    assert_non_null(strstr(told, " 1:4>6 "));
    assert_null(strstr(told, " 1:4>6 T")); /* it has one side */
    core_rig_end(&r);
}

static void a_load_commits_when_its_value_comes(void **state)
{
    (void)state;
    begin(&diary, 32);
    core_rig_play(&r, CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; "
                                      "mov.u32 %r3, 1; add.u32 %r2, %r1, 1;"));
    const char *load = strstr(told, " 0@4 "), *next = strstr(told, " 0@5 0!5 ");
    assert_true(load && next && load < next);
    assert_true(strstr(load + 4, "!") > next);
    assert_non_null(strstr(next + 4, " 0!1"));
    core_rig_end(&r);
}

/* ---- the answer, with times of a first pass ---- */

static const uint32_t cycles[] = {10, 50, 30, 20};

static const ww_criticality *named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_criticality_family, name);
    assert_non_null(policy);
    return (const ww_criticality *)(const void *)policy;
}

static unsigned pick_most_critical(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    (void)state;
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = view->criticality[slot] > view->criticality[best] ? slot : best;
    }
    return best;
}

static unsigned pick_first(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    (void)state;
    (void)view;
    return (unsigned)__builtin_ctzll(candidates);
}

static unsigned pick_without(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    assert_null(view->criticality);
    return pick_first(state, view, candidates);
}

static void play(const char *text, unsigned (*pick)(void *, const ww_scheduler_view *, uint64_t))
{
    ww_warp_times *times = ww_warp_times_create();
    ww_warp_times_add_launch(times, 1, 4);
    for (unsigned w = 0; w < 4; w++)
        ww_warp_times_set(times, 1, 0, w, cycles[w]);
    core_rig_load(&r, text);
    r.spy.pick = pick;
    r.cu_launch.number = 1;
    r.cu_launch.profiled = times;
    core_rig_run(&r);
    ww_warp_times_destroy(times);
}

static void schedulers_see_it(void **state)
{
    (void)state;
    begin(named("profiled"), 128);
    r.scheduler = "gcaws"; /* it needs criticality */
    play(CORE_RIG_KERNEL("mov.u32 %r0, 1; mov.u32 %r1, 1;"), pick_most_critical);
    core_rig_expect(&r, "0:b0 1:b1 2:b2 3:c0 4:c1 5:c2 6:d0 7:d1 8:d2 9:a0 10:a1 11:a2");
    for (unsigned slot = 0; slot < 4; slot++)
        assert_int_equal(r.cu->predictor.criticality[slot], 0); /* no warp is there */
    core_rig_end(&r);
    for (unsigned i = 0; i < 2; i++) {
        begin(named(i ? "profiled" : "none"), 128);
        r.scheduler = i ? "rr" : "gcaws"; /* nothing is predicted, or needed */
        play(CORE_RIG_KERNEL("mov.u32 %r0, 1;"), pick_without);
        core_rig_end(&r);
    }
}

static unsigned requests, expected_factor;
static uint64_t critical; /* slots */

static unsigned check_request(ww_request *request)
{
    requests++;
    assert_int_equal(request->criticality,
                     expected_factor * cycles[request->warp & ((1u << WW_SHARER_SHIFT) - 1)]);
    if (request->critical)
        critical |= 1ull << (request->warp & ((1u << WW_SHARER_SHIFT) - 1));
    return 1;
}

static void requests_carry_it(void **state)
{
    static const char *const names[] = {"none", "profiled"};
    (void)state;
    for (expected_factor = 0; expected_factor < 2; expected_factor++) {
        begin(named(names[expected_factor]), 128);
        r.data.spoil = check_request;
        requests = 0;
        critical = 0;
        play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; "
                             "add.u32 %r2, %r1, 1;"),
             pick_first);
        assert_int_equal(requests, 4);
        assert_int_equal(critical, expected_factor ? 0xe : 0); /* 3 of 4 more critical: not slow */
        core_rig_end(&r);
    }
}

static void the_top_one_alone_can_be_critical(void **state)
{
    (void)state;
    begin(named("profiled"), 128);
    r.setting = "core.critical_warps=top";
    r.data.spoil = check_request;
    expected_factor = 1;
    critical = 0;
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;"),
         pick_first);
    assert_int_equal(critical, 0x2);
    core_rig_end(&r);
}

/* The values come after two thousands of cycles. */
static void expect_accuracy(unsigned (*pick)(void *, const ww_scheduler_view *, uint64_t),
                            uint64_t slow)
{
    begin(named("profiled"), 128);
    r.data.latency = 2100;
    play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 1;"),
         pick);
    assert_int_equal(r.cu->predictor.state->samples, 2);
    assert_int_equal(r.cu->predictor.state->slow_samples, slow);
    core_rig_end(&r);
}

static unsigned pick_last(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    (void)state;
    (void)view;
    return 63 - (unsigned)__builtin_clzll(candidates);
}

static void accuracy_is_that_of_the_warp_that_ends_last(void **state)
{
    (void)state;
    expect_accuracy(pick_first, 2); /* slot 3: half of the warps are more critical */
    expect_accuracy(pick_last, 0);  /* slot 0 */
}

/* All load a line, d jumps over two instructions. The values come after two thousands of cycles;
 * until then stalls, and committed instructions times CPI, are, when the first slot goes first:
 *     a  issues 0 1 5 9 13 14 15       16 - 7 = 9      6 x 15/6
 *     b  2 3 7 11 16 17 18             19 - 7 = 12     6 x 18/6
 *     c  4 6 10 19 23 24 25            26 - 7 = 19     6 x 25/6
 *     d  8 12 20 26 30                 31 - 5 = 26     4 x 30/4
 * a, b and c have stalls - 6 CPI = -6, and d, which ends last, 26 - (4 + 2) x 30/4 = -19: three of
 * four are more critical, so that it is not slow. If commits are taken off the criticality, they
 * have 9 - 6, 12 - 6, 19 - 6 and 26 - 2 x 30/4 - 4 = 7: only c is more critical than d.
 *
 * When the last slot goes first, a ends last. It issues at 8 12 21 25 29 30 31 and has 25 - 31 = -6,
 * as b and c, d at 0 1 5 9 13 and has 9 - 6 x 13/4 = -10. */
static void accuracy_of_cpl(void **state)
{
    static const struct {
        unsigned (*pick)(void *, const ww_scheduler_view *, uint64_t);
        const char *setting, *log;
        uint64_t slow;
    } cases[] = {
        {pick_first, NULL,
         "0:a0 1:a1 2:b0 3:b1 4:c0 5:a2 6:c1 7:b2 8:d0 9:a3 10:c2 11:b3 12:d1 13:a4 14:a5 15:a6 "
         "16:b4 17:b5 18:b6 19:c3 20:d2 23:c4 24:c5 25:c6 26:d3 30:d6 ",
         0},
        {pick_first, "core.cpl_reading=counter", "0:a0 1:a1 2:b0 ", 2},
        {pick_last, NULL,
         "0:d0 1:d1 2:c0 3:c1 4:b0 5:d2 6:b1 7:c2 8:a0 9:d3 10:b2 11:c3 12:a1 13:d6 14:b3 15:c4 "
         "16:c5 17:c6 18:b4 19:b5 20:b6 21:a2 25:a3 29:a4 30:a5 31:a6 ",
         2},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin(named("cpl"), 128);
        r.setting = cases[i].setting;
        r.data.latency = 2100;
        play(CORE_RIG_KERNEL("ld.param.u64 %d0, [p]; mov.u32 %r1, %tid.x; "
                             "setp.ge.u32 %q0, %r1, 96; @%q0 bra L; mov.u32 %r2, 1; "
                             "mov.u32 %r3, 2; L: ld.global.u32 %r4, [%d0]; add.u32 %r5, %r4, 1;"),
             cases[i].pick);
        assert_memory_equal(r.log, cases[i].log, strlen(cases[i].log));
        assert_int_equal(r.cu->predictor.state->samples, 2);
        assert_int_equal(r.cu->predictor.state->slow_samples, cases[i].slow);
        core_rig_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_is_told_what_a_warp_does),
        cmocka_unit_test(branches_that_do_not_split_a_warp_say_where_it_goes),
        cmocka_unit_test(sides_of_branches_are_told),
        cmocka_unit_test(a_load_commits_when_its_value_comes),
        cmocka_unit_test(schedulers_see_it),
        cmocka_unit_test(requests_carry_it),
        cmocka_unit_test(the_top_one_alone_can_be_critical),
        cmocka_unit_test(accuracy_is_that_of_the_warp_that_ends_last),
        cmocka_unit_test(accuracy_of_cpl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
