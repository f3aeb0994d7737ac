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
    ww_tally tally = {0};
    uint64_t plain[WW_TALLY_COLUMNS][64] = {{0}};
    for (unsigned step = 0; step < 300000; step++) {
        uint64_t mask = ww_rng_next(&rng) & ww_rng_next(&rng);
        uint64_t amount = step % 2 ? 1 : ww_rng_next(&rng) >> (30 + ww_rng_below(&rng, 34));
        unsigned warp = (unsigned)ww_rng_below(&rng, 64);
        unsigned column = (unsigned)ww_rng_below(&rng, WW_TALLY_COLUMNS);
        if (amount == 1)
            ww_tally_ripple(&tally, column, mask, 0);
        else
            ww_tally_add(&tally, column, mask, amount);
        for (unsigned i = 0; i < 64; i++)
            plain[column][i] += mask >> i & 1 ? amount : 0;
        assert_int_equal(ww_tally_read(&tally, column, warp), plain[column][warp]);
        if (step % 4 == 0) {
            assert_int_equal(ww_tally_read_and_clear(&tally, column, warp), plain[column][warp]);
            plain[column][warp] = 0;
        } else if (step % 64 == 1) {
            ww_tally_clear(&tally, warp);
            for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
                plain[c][warp] = 0;
        }
    }
    for (unsigned c = 0; c < WW_TALLY_COLUMNS; c++)
        for (unsigned i = 0; i < 64; i++) {
            assert_int_equal(ww_tally_read_and_clear(&tally, c, i), plain[c][i]);
            assert_int_equal(ww_tally_read_and_clear(&tally, c, i), 0);
        }
}

/* Carries go through all planes: 2^47 is the largest power that fits. */
static void carries_ripple_through_all_planes(void **state)
{
    (void)state;
    ww_tally tally = {0};
    ww_tally_add(&tally, 3, 1, (1ull << 47) - 1);
    ww_tally_add(&tally, 3, 3, 1);
    assert_int_equal(ww_tally_read_and_clear(&tally, 3, 0), 1ull << 47);
    assert_int_equal(ww_tally_read_and_clear(&tally, 3, 1), 1);
}

static void nothing_added_is_nothing(void **state)
{
    (void)state;
    ww_tally tally = {0};
    ww_tally_add(&tally, 0, 0, 5);
    ww_tally_add(&tally, 0, ~0ull, 0);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(ww_tally_read_and_clear(&tally, 0, i), 0);
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
