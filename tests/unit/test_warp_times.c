/* What a first pass remembers of warps, in memory and as bytes. */
#include "core/warp_times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ww_warp_times *make(void)
{
    ww_warp_times *times = ww_warp_times_create();
    ww_warp_times_add_launch(times, 3, 2);
    ww_warp_times_add_launch(times, 1, 4);
    ww_warp_times_set(times, 1, 0, 0, 7);
    ww_warp_times_set(times, 1, 2, 1, 8);
    ww_warp_times_set(times, 2, 0, 3, UINT64_C(5000000000));
    return times;
}

static void check(const ww_warp_times *times)
{
    assert_int_equal(ww_warp_times_launches(times), 2);
    assert_int_equal(ww_warp_times_get(times, 1, 0, 0), 7);
    assert_int_equal(ww_warp_times_get(times, 1, 2, 1), 8);
    assert_int_equal(ww_warp_times_get(times, 1, 1, 1), 0);
    assert_int_equal(ww_warp_times_get(times, 2, 0, 3), UINT32_MAX);
}

static void warps_that_do_not_exist_are_not_known(void **state)
{
    (void)state;
    ww_warp_times *times = make();
    check(times);
    assert_int_equal(ww_warp_times_get(times, 0, 0, 0), 0);
    assert_int_equal(ww_warp_times_get(times, 3, 0, 0), 0);
    assert_int_equal(ww_warp_times_get(times, 1, 3, 0), 0);
    assert_int_equal(ww_warp_times_get(times, 1, 0, 2), 0);
    assert_int_equal(ww_warp_times_get(times, 2, 1, 0), 0);
    ww_warp_times_destroy(times);
}

static void bytes_read_back(void **state)
{
    (void)state;
    ww_warp_times *times = make();
    size_t count = 0;
    char *bytes = ww_warp_times_write(times, &count);
    assert_int_equal(count, 2 * 16 + 10 * 4);
    ww_warp_times *again = ww_warp_times_read(bytes, count);
    check(again);
    ww_warp_times_destroy(again);
    for (size_t shorter = 1; shorter < count; shorter++)
        if (shorter != 16 + 6 * 4) /* the first launch alone */
            assert_null(ww_warp_times_read(bytes, shorter));
    free(bytes);
    ww_warp_times_destroy(times);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    static const uint64_t sizes[][2] = {
        {1, 2}, {UINT64_MAX, 1}, {UINT64_C(1) << 62, 4}, {1, UINT64_MAX}, {1, UINT64_C(1) << 32},
        {1, 0}, {0, 0}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char bytes[20] = {0};
        memcpy(bytes, sizes[i], 16);
        assert_null(ww_warp_times_read(bytes, sizeof(bytes)));
    }
    ww_warp_times *empty = ww_warp_times_read("", 0);
    assert_int_equal(ww_warp_times_launches(empty), 0);
    ww_warp_times_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_that_do_not_exist_are_not_known),
        cmocka_unit_test(bytes_read_back),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
