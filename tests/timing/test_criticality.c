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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
