/* The driver: which pages get frames when, in which order, for several address spaces in one
 * memory.
 */
#include "vm/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PAGE 4096ull

static ww_driver *driver_of_kind(uint64_t frames, bool eager, bool managed)
{
    const ww_policy *policy = ww_policy_find(&ww_frame_order_family, "contiguous");
    return ww_driver_create(
        &(ww_driver_config){.frames = {.memory = frames * PAGE,
                                       .frame = PAGE,
                                       .order = (const ww_frame_order *)(const void *)policy},
                            .eager = eager,
                            .managed = managed});
}

static ww_driver *driver_of(uint64_t frames, bool eager)
{
    return driver_of_kind(frames, eager, false);
}

/* The frame that a walk finds; WW_NO_FRAME: it faults. */
static uint64_t walk(const ww_driver *driver, uint16_t asid, uint64_t page)
{
    const ww_page_table *table = ww_driver_table(driver, asid);
    uint64_t node = ww_page_table_root(table);
    for (unsigned level = WW_LEVELS;; level--) {
        uint64_t entry = ww_page_table_read(table, ww_pte_address(node, page * PAGE, level));
        if (!(entry & WW_PTE_PRESENT))
            return WW_NO_FRAME;
        node = entry & WW_PTE_FRAME;
        if (ww_pte_is_leaf(entry, level))
            return node;
    }
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

/* Frame 0 is the root. Code takes frame 1 and three nodes, and is mapped at once. */
static void managed_pages_get_frames_when_they_are_placed(void **state)
{
    (void)state;
    uint64_t physical = 0;
    ww_driver *driver = driver_of_kind(64, true, true);
    assert_true(ww_driver_add_space(driver, 0));
    assert_true(ww_driver_add(driver, 0, 8 * PAGE, 2 * PAGE));
    assert_int_equal(ww_driver_bytes(driver), PAGE);
    assert_true(ww_driver_touch(driver, 0, 8 * PAGE, &physical));
    assert_true(physical == WW_NO_FRAME);
    assert_true(ww_driver_map(driver, 0, 20 * PAGE, PAGE));
    assert_int_equal(walk(driver, 0, 20), 1 * PAGE);
    assert_int_equal(frame_of(driver, 0, 100), 5); /* of no range: at the touch */

    assert_true(ww_driver_place(driver, 0, 8 * PAGE + 7));
    assert_true(ww_driver_place(driver, 0, 8 * PAGE)); /* it has one */
    assert_int_equal(ww_driver_frame(driver, 0, 8 * PAGE + 100), 6 * PAGE);
    assert_true(ww_driver_frame(driver, 0, 9 * PAGE) == WW_NO_FRAME);
    assert_true(walk(driver, 0, 8) == WW_NO_FRAME);
    assert_true(ww_driver_enter(driver, 0, 8 * PAGE + 7));
    assert_int_equal(walk(driver, 0, 8), 6 * PAGE);
    assert_int_equal(frame_of(driver, 0, 8), 6);

    ww_driver_unmap(driver, 0, 8 * PAGE);
    assert_true(walk(driver, 0, 8) == WW_NO_FRAME);
    assert_int_equal(ww_driver_frame(driver, 0, 8 * PAGE), 6 * PAGE);
    ww_driver_release(driver, 0, 8 * PAGE);
    assert_true(ww_driver_frame(driver, 0, 8 * PAGE) == WW_NO_FRAME);
    assert_true(ww_driver_touch(driver, 0, 8 * PAGE, &physical));
    assert_true(physical == WW_NO_FRAME);
    ww_driver_destroy(driver);
}

/* One page is placed, one is entered too, one has no frame: two frames come back. */
static void a_managed_range_goes_with_its_frames(void **state)
{
    (void)state;
    ww_driver *driver = driver_of_kind(64, false, true);
    assert_true(ww_driver_add_space(driver, 0));
    assert_true(ww_driver_map(driver, 0, 20 * PAGE, PAGE));
    uint64_t before = ww_driver_bytes(driver);
    assert_true(ww_driver_add(driver, 0, 8 * PAGE, 3 * PAGE));
    assert_true(ww_driver_place(driver, 0, 8 * PAGE));
    assert_true(ww_driver_place(driver, 0, 9 * PAGE));
    assert_true(ww_driver_enter(driver, 0, 9 * PAGE));
    assert_int_equal(ww_driver_bytes(driver), before + 2 * PAGE);
    ww_driver_remove(driver, 0, 8 * PAGE, 3 * PAGE);
    assert_int_equal(ww_driver_bytes(driver), before);
    assert_true(walk(driver, 0, 9) == WW_NO_FRAME);
    ww_driver_destroy(driver);
}

/* Two frames: the root, and the page's, for which the page table has no nodes. */
static void a_placed_page_may_find_no_node(void **state)
{
    (void)state;
    ww_driver *driver = driver_of_kind(2, false, true);
    assert_true(ww_driver_add_space(driver, 0));
    assert_true(ww_driver_add(driver, 0, 8 * PAGE, 2 * PAGE));
    assert_true(ww_driver_place(driver, 0, 8 * PAGE));
    assert_false(ww_driver_place(driver, 0, 9 * PAGE));
    assert_false(ww_driver_enter(driver, 0, 8 * PAGE));
    assert_int_equal(ww_driver_frame(driver, 0, 8 * PAGE), 1 * PAGE);
    ww_driver_release(driver, 0, 8 * PAGE);
    assert_true(ww_driver_place(driver, 0, 9 * PAGE));
    ww_driver_destroy(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eager_range_gets_frames_when_it_comes),
        cmocka_unit_test(first_touch_decides_the_order),
        cmocka_unit_test(managed_pages_get_frames_when_they_are_placed),
        cmocka_unit_test(a_managed_range_goes_with_its_frames),
        cmocka_unit_test(a_placed_page_may_find_no_node),
        cmocka_unit_test(spaces_share_the_memory_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
