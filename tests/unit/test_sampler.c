/* The sampler: which launches are alike, which are chosen, and what follows from their times. */
#include "sim/sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const ww_sample usual = {.error = 0.03, .confidence = 0.95};

static ww_launch launch_of(const char *entry)
{
    return (ww_launch){.entry = entry, .groups = {10, 1, 1}, .group = {64, 1, 1}};
}

static void plan(ww_sampler *s, const char *entry, uint64_t instructions, uint64_t fresh)
{
    ww_launch launch = launch_of(entry);
    ww_features f = {
        .counters = {.warp_instructions = instructions, .thread_instructions = 32 * instructions},
        .fresh_pages = fresh};
    ww_sampler_add(s, &launch, &f);
}

/* 20 launches of `a` and of `b` in turn; the first of each is a class of its own. */
static ww_sampler *planned(uint64_t seed)
{
    ww_sampler *s = ww_sampler_create(&usual, seed);
    for (unsigned i = 0; i < 20; i++) {
        plan(s, "a", 1000, 0);
        plan(s, "b", 1000, 0);
    }
    ww_sampler_choose(s);
    return s;
}

/* A pass; `time` of a launch by its number. Returns the sum of the weights. */
static double run_pass(ww_sampler *s, unsigned launches, double (*time)(unsigned number))
{
    double weights = 0;
    for (unsigned i = 0; i < launches; i++) {
        ww_launch launch = launch_of(i % 2 ? "b" : "a");
        double weight = ww_sampler_next(s, &launch);
        uint64_t cycles;
        if (weight > 0)
            ww_sampler_note(s, time(i));
        assert_int_equal(ww_sampler_last(s, &cycles), weight > 0);
        weights += weight;
    }
    return weights;
}

static double constant(unsigned number)
{
    return number % 2 ? 300 : 100;
}

static void launches_that_are_alike_are_a_class(void **state)
{
    (void)state;
    ww_sampler *s = ww_sampler_create(&usual, 1);
    plan(s, "a", 1000, 0);  /* the first one of its kernel */
    plan(s, "a", 1000, 50); /* its pages are fresh */
    plan(s, "a", 1000, 0);
    plan(s, "a", 1040, 0);
    plan(s, "a", 1100, 0); /* too long */
    plan(s, "b", 1000, 0);
    assert_true(ww_sampler_is_planning(s));
    ww_sampler_choose(s);
    assert_false(ww_sampler_is_planning(s));
    assert_int_equal(ww_sampler_read(s).classes, 5);
    ww_sampler_destroy(s);
}

static void equal_launches_give_an_exact_estimate(void **state)
{
    (void)state;
    ww_sampler *s = planned(1);
    assert_true(run_pass(s, 40, constant) == 40);
    ww_sampler_result r = ww_sampler_read(s);
    assert_int_equal(r.classes, 4);
    assert_int_equal(r.launches, 40);
    assert_int_equal(r.timed, 10);
    assert_true(r.cycles == 20 * 100 + 20 * 300);
    /* 15 launches of each were not timed: a percent of theirs. */
    assert_true(r.half_width > 59.999 && r.half_width < 60.001);
    assert_false(ww_sampler_refine(s));
    ww_sampler_destroy(s);
}

/* Of 19 launches of `b` after its first one, the runs of four, five, five and five have one each. */
static void chosen_launches_are_spread_and_differ_with_the_seed(void **state)
{
    static const unsigned ends[] = {1, 5, 10, 15, 20}; /* launches of b before a run's end */
    unsigned patterns[3] = {0};
    (void)state;
    for (unsigned seed = 0; seed < 3; seed++) {
        ww_sampler *s = planned(seed / 2 + 1);
        unsigned of_run[5] = {0}, run = 0;
        for (unsigned i = 0; i < 40; i++) {
            ww_launch launch = launch_of(i % 2 ? "b" : "a");
            bool timed = ww_sampler_next(s, &launch) > 0;
            run += i / 2 == ends[run];
            of_run[run] += timed && i % 2;
            patterns[seed] = patterns[seed] * 31 + timed * (i + 1);
        }
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(of_run[i], 1);
        ww_sampler_destroy(s);
    }
    assert_int_equal(patterns[0], patterns[1]);
    assert_int_not_equal(patterns[0], patterns[2]);
}

static double scattered(unsigned number)
{
    return 100 + (number * 37 % 19) * 10;
}

static void a_wide_interval_asks_for_more_samples(void **state)
{
    (void)state;
    ww_sampler *s = planned(1);
    run_pass(s, 40, scattered);
    ww_sampler_result before = ww_sampler_read(s);
    assert_true(before.half_width > 0.03 * before.cycles);
    assert_true(ww_sampler_refine(s));
    run_pass(s, 40, scattered);
    ww_sampler_result after = ww_sampler_read(s);
    assert_int_equal(after.passes, 2);
    assert_true(after.timed > before.timed && after.half_width < before.half_width);
    ww_sampler_destroy(s);
}

static void launches_that_were_not_planned_are_timed(void **state)
{
    (void)state;
    ww_sampler *s = planned(1);
    assert_true(run_pass(s, 42, constant) == 42);
    assert_true(ww_sampler_read(s).cycles == 21 * 100 + 21 * 300);
    ww_sampler_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_that_are_alike_are_a_class),
        cmocka_unit_test(equal_launches_give_an_exact_estimate),
        cmocka_unit_test(chosen_launches_are_spread_and_differ_with_the_seed),
        cmocka_unit_test(a_wide_interval_asks_for_more_samples),
        cmocka_unit_test(launches_that_were_not_planned_are_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
