/* The driver: which pages get frames when, in which order, for several address spaces in one
 * memory.
 */
#include "vm/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PAGE 4096ull

static ww_driver *driver_of(uint64_t frames, bool eager)
{
    const ww_policy *policy = ww_policy_find(&ww_frame_order_family, "contiguous");
    return ww_driver_create(
        &(ww_driver_config){.frames = {.memory = frames * PAGE,
                                       .frame = PAGE,
                                       .order = (const ww_frame_order *)(const void *)policy},
                            .eager = eager});
}

static uint64_t frame_of(ww_driver *driver, uint16_t asid, uint64_t page)
{
    uint64_t physical;
    assert_true(ww_driver_touch(driver, asid, page * PAGE, &physical));
    ww_mapping mapping = ww_driver_mapping(driver);
    assert_int_equal(mapping.translate(mapping.context, asid, page * PAGE).physical, physical);
    return physical / PAGE;
}

/* Frame 0 is the root. The first page takes a frame, then three nodes. */
static void an_eager_range_gets_frames_when_it_comes(void **state)
{
    (void)state;
    ww_driver *driver = driver_of(64, true);
    assert_true(ww_driver_add_space(driver, 0));
    assert_true(ww_driver_add(driver, 0, 8 * PAGE, 2 * PAGE));
    assert_int_equal(ww_driver_bytes(driver), 6 * PAGE);
    assert_int_equal(frame_of(driver, 0, 9), 5);
    assert_int_equal(frame_of(driver, 0, 8), 1);
    assert_int_equal(ww_driver_bytes(driver), 6 * PAGE);
    assert_int_equal(frame_of(driver, 0, 100), 6); /* of no range: at the touch */
    ww_driver_destroy(driver);
}

static void first_touch_decides_the_order(void **state)
{
    (void)state;
    ww_driver *driver = driver_of(64, false);
    assert_true(ww_driver_add_space(driver, 0));
    assert_true(ww_driver_add(driver, 0, 8 * PAGE, 3 * PAGE));
    assert_int_equal(ww_driver_bytes(driver), 1 * PAGE);
    assert_int_equal(frame_of(driver, 0, 9), 1);
    assert_true(ww_driver_map(driver, 0, 20 * PAGE + 5, PAGE)); /* code: two pages, now */
    assert_int_equal(frame_of(driver, 0, 8), 7);
    assert_int_equal(frame_of(driver, 0, 21), 6);
    ww_driver_destroy(driver);
}

/* The same pages of three spaces are in frames of their own. */
static void spaces_share_the_memory_and_nothing_else(void **state)
{
    (void)state;
    static const uint16_t spaces[] = {0, 7, 65535};
    ww_driver *driver = driver_of(18, true);
    for (unsigned i = 0; i < 3; i++)
        assert_true(ww_driver_add_space(driver, spaces[i]));
    for (unsigned i = 0; i < 3; i++)
        assert_true(ww_driver_add(driver, spaces[i], 0, 2 * PAGE));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(frame_of(driver, spaces[i], 0), 3 + 5 * i);
        assert_int_equal(frame_of(driver, spaces[i], 1), 7 + 5 * i);
    }
    uint64_t physical;
    assert_false(ww_driver_touch(driver, 7, 2 * PAGE, &physical)); /* 18 frames are used */
    ww_driver_remove(driver, 0, 0, 2 * PAGE);
    assert_int_equal(frame_of(driver, 7, 2), 7);
    assert_int_equal(frame_of(driver, 7, 1), 12);
    ww_driver_destroy(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_range_gets_frames_when_it_comes),
        cmocka_unit_test(first_touch_decides_the_order),
        cmocka_unit_test(spaces_share_the_memory_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
