/* Tallies against plain counters. */
#include "core/tally.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void random_sums_match_plain_counters(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 11);
    ww_tally tally = {{0}};
    uint64_t plain[64] = {0};
    for (unsigned step = 0; step < 300000; step++) {
        uint64_t mask = ww_rng_next(&rng) & ww_rng_next(&rng);
        uint64_t amount = ww_rng_next(&rng) >> (30 + ww_rng_below(&rng, 34));
        unsigned warp = (unsigned)ww_rng_below(&rng, 64);
        ww_tally_add(&tally, mask, amount);
        for (unsigned i = 0; i < 64; i++)
            plain[i] += mask >> i & 1 ? amount : 0;
        if (step % 4)
            continue;
        assert_int_equal(ww_tally_take(&tally, warp), plain[warp]);
        plain[warp] = 0;
    }
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(ww_tally_take(&tally, i), plain[i]);
        assert_int_equal(ww_tally_take(&tally, i), 0);
    }
}

/* Carries go through all planes: 2^39 is the largest power that fits. */
static void carries_ripple_through_all_planes(void **state)
{
    (void)state;
    ww_tally tally = {{0}};
    ww_tally_add(&tally, 1, (1ull << 39) - 1);
    ww_tally_add(&tally, 3, 1);
    assert_int_equal(ww_tally_take(&tally, 0), 1ull << 39);
    assert_int_equal(ww_tally_take(&tally, 1), 1);
}

static void nothing_added_is_nothing(void **state)
{
    (void)state;
    ww_tally tally = {{0}};
    ww_tally_add(&tally, 0, 5);
    ww_tally_add(&tally, ~0ull, 0);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(ww_tally_take(&tally, i), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sums_match_plain_counters),
        cmocka_unit_test(carries_ripple_through_all_planes),
        cmocka_unit_test(nothing_added_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
