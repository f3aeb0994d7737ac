/* Maps of numbers against a plain array, with keys that are close, far apart, or equal in their low
 * bits. */
#include "base/number_map.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { KEYS = 300, STEPS = 60000 };

static uint64_t key_of(unsigned spread, uint64_t i)
{
    static const uint64_t steps[] = {1, 4096, 1ull << 40, 0x9e3779b97f4a7c15};
    return i * steps[spread];
}

static void it_is_an_array(void **state)
{
    (void)state;
    for (unsigned spread = 0; spread < 4; spread++) {
        printf("spread %u\n", spread);
        ww_number_map map = {0};
        ww_rng rng;
        uint64_t values[KEYS];
        size_t count = 0;
        ww_rng_seed(&rng, spread + 1);
        for (int i = 0; i < KEYS; i++)
            values[i] = WW_NO_NUMBER;
        for (int step = 0; step < STEPS; step++) {
            /* Phases in which it grows, and in which it shrinks. */
            bool grows = step / 2000 % 2 == 0;
            uint64_t i = ww_rng_below(&rng, KEYS), key = key_of(spread, i);
            assert_true(ww_number_map_get(&map, key) == values[i]);
            if (ww_rng_below(&rng, 4) == 0 ? !grows : grows) {
                count += values[i] == WW_NO_NUMBER;
                values[i] = ww_rng_next(&rng) >> 1;
                ww_number_map_set(&map, key, values[i]);
            } else {
                assert_int_equal(ww_number_map_remove(&map, key), values[i] != WW_NO_NUMBER);
                count -= values[i] != WW_NO_NUMBER;
                values[i] = WW_NO_NUMBER;
            }
            assert_int_equal(map.count, count);
        }
        for (uint64_t i = 0; i < KEYS; i++)
            assert_true(ww_number_map_get(&map, key_of(spread, i)) == values[i]);
        ww_number_map_clear(&map);
        assert_true(ww_number_map_get(&map, 0) == WW_NO_NUMBER);
    }
}

static void an_empty_one_has_nothing(void **state)
{
    (void)state;
    ww_number_map map = {0};
    assert_true(ww_number_map_get(&map, 0) == WW_NO_NUMBER);
    assert_false(ww_number_map_remove(&map, 0));
    ww_number_map_set(&map, 0, 7);
    assert_int_equal(ww_number_map_get(&map, 0), 7);
    assert_true(ww_number_map_remove(&map, 0));
    assert_false(ww_number_map_remove(&map, 0));
    ww_number_map_clear(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_an_array),
        cmocka_unit_test(an_empty_one_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
