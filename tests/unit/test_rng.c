#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The first outputs of the published generator from the state 1, 2, 3, 4. */
static void is_the_published_generator(void **state)
{
    (void)state;
    static const uint64_t want[] = {11520, 0, 1509978240, 1215971899390074240, 1216172134540287360};
    ww_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < 5; i++)
        assert_true(ww_rng_next(&rng) == want[i]);
}

/* Inputs of workloads come from seeds: the stream of a seed must never change. */
static void a_seed_fixes_the_stream(void **state)
{
    (void)state;
    static const uint64_t want[] = {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1,
                                    0xecb8ad4703b360a1};
    ww_rng rng, other;
    ww_rng_seed(&rng, 42);
    ww_rng_seed(&other, 43);
    for (size_t i = 0; i < 4; i++) {
        assert_true(ww_rng_next(&rng) == want[i]);
        assert_true(ww_rng_next(&other) != want[i]);
    }
}

static void seed_zero_is_as_good_as_any(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 0);
    uint64_t any = 0, all = UINT64_MAX;
    for (int i = 0; i < 64; i++) {
        uint64_t value = ww_rng_next(&rng);
        any |= value;
        all &= value;
    }
    assert_true(any == UINT64_MAX);
    assert_true(all == 0);
}

/* 60,000 throws of a die: each face within 5 standard deviations (91) of 10,000. */
static void below_is_uniform(void **state)
{
    (void)state;
    ww_rng rng;
    int faces[6] = {0};
    ww_rng_seed(&rng, 1);
    for (int i = 0; i < 60000; i++)
        faces[ww_rng_below(&rng, 6)]++;
    for (int i = 0; i < 6; i++)
        assert_in_range(faces[i], 10000 - 456, 10000 + 456);
}

static void below_keeps_its_bound(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {
        1, 2, 3, 1000, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++)
        for (int i = 0; i < 1000; i++)
            assert_true(ww_rng_below(&rng, bounds[b]) < bounds[b]);
}

static void unit_is_in_its_interval_and_spread(void **state)
{
    (void)state;
    ww_rng rng;
    double sum = 0;
    ww_rng_seed(&rng, 3);
    for (int i = 0; i < 10000; i++) {
        double value = ww_rng_unit(&rng);
        assert_true(value >= 0 && value < 1);
        sum += value;
    }
    assert_true(sum > 4850 && sum < 5150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_published_generator),
        cmocka_unit_test(a_seed_fixes_the_stream),
        cmocka_unit_test(seed_zero_is_as_good_as_any),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(below_keeps_its_bound),
        cmocka_unit_test(unit_is_in_its_interval_and_spread),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
