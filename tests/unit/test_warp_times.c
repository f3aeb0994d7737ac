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
    assert_int_equal(count, 2 * 24 + 10 * 4);
    ww_warp_times *again = ww_warp_times_read(bytes, count);
    check(again);
    ww_warp_times_destroy(again);
    for (size_t shorter = 1; shorter < count; shorter++)
        if (shorter != 24 + 6 * 4) /* the first launch alone */
            assert_null(ww_warp_times_read(bytes, shorter));
    free(bytes);
    ww_warp_times_destroy(times);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    static const uint64_t sizes[][3] = {{1, 2},
                                        {UINT64_MAX, 1},
                                        {UINT64_C(1) << 62, 4},
                                        {1, UINT64_MAX},
                                        {1, UINT64_C(1) << 32},
                                        {1, 0},
                                        {0, 0},
                                        {1, 1, 2}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char bytes[28] = {0};
        memcpy(bytes, sizes[i], 24);
        assert_null(ww_warp_times_read(bytes, sizeof(bytes)));
    }
    ww_warp_times *empty = ww_warp_times_read("", 0);
    assert_int_equal(ww_warp_times_launches(empty), 0);
    ww_warp_times_destroy(empty);
}

static void set_group(ww_warp_times *times, uint64_t launch, uint64_t group, uint64_t a, uint64_t b)
{
    ww_warp_times_set(times, launch, group, 0, a);
    ww_warp_times_set(times, launch, group, 1, b);
}

static void expect_typical(const ww_warp_times *times, uint64_t launch, uint64_t group)
{
    size_t count = 0;
    char *bytes = ww_warp_times_write(times, &count);
    ww_warp_times *again = ww_warp_times_read(bytes, count);
    ww_typical_group found = ww_warp_times_typical(times), same = ww_warp_times_typical(again);
    assert_int_equal(found.launch, launch);
    assert_int_equal(found.group, group);
    assert_memory_equal(&found, &same, sizeof(found));
    ww_warp_times_destroy(again);
    free(bytes);
}

/* Disparities of the second launch, the heaviest: 0.5, 0.1, 0.9, 0.1, 0; not all of group 5 is
 * known, and group 6 is no first one. */
static void the_typical_group_has_the_median_disparity(void **state)
{
    (void)state;
    ww_warp_times *times = ww_warp_times_create();
    assert_int_equal(ww_warp_times_typical(times).launch, 0);
    for (unsigned launch = 1; launch <= 3; launch++)
        ww_warp_times_add_launch(times, 7, 2);
    expect_typical(times, 0, 0); /* none took any time */
    set_group(times, 1, 0, 100, 1);
    set_group(times, 2, 0, 10, 5);
    set_group(times, 2, 1, 90, 100);
    set_group(times, 2, 2, 1, 10);
    set_group(times, 2, 3, 10, 9);
    set_group(times, 2, 4, 8, 8);
    set_group(times, 2, 5, 7, 0);
    set_group(times, 2, 6, 2, 20);
    set_group(times, 3, 0, 200, 80); /* as heavy, but later */
    expect_typical(times, 0, 0);     /* no group is a first one */
    ww_warp_times_set_first(times, 2, 6);
    expect_typical(times, 2, 3);
    ww_warp_times_set_first(times, 2, 3);
    expect_typical(times, 2, 0);
    ww_warp_times_set_first(times, 2, 2); /* of two medians the smaller */
    expect_typical(times, 2, 1);
    ww_warp_times_destroy(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_that_do_not_exist_are_not_known),
        cmocka_unit_test(bytes_read_back),
        cmocka_unit_test(the_typical_group_has_the_median_disparity),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
