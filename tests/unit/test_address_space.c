/* Address spaces: what has a frame when, whose it is, and that the page table says the same. */
#include "vm/address_space.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define KIB 1024ull
#define MIB (1024 * KIB)

static ww_frames *frames;
static bool now;

static ww_address_space *space_of(uint64_t memory, uint64_t page, bool eager, const char *order)
{
    const ww_policy *policy = ww_policy_find(&ww_frame_order_family, order);
    now = eager;
    frames =
        ww_frames_create(&(ww_frames_config){.memory = memory,
                                             .frame = page,
                                             .order = (const ww_frame_order *)(const void *)policy,
                                             .start = {.seed = 3}});
    return ww_address_space_create(frames, false, 1);
}

static bool add(ww_address_space *space, uint64_t address, uint64_t bytes)
{
    return ww_address_space_add(space, address, bytes, now);
}

static void destroy(ww_address_space *space)
{
    ww_address_space_destroy(space);
    ww_frames_destroy(frames);
}

/* What the bytes of the page table say; UINT64_MAX: nothing. */
static uint64_t walk(const ww_address_space *space, uint64_t address)
{
    const ww_page_table *table = ww_address_space_table(space);
    uint64_t at = ww_page_table_root(table);
    for (unsigned level = WW_LEVELS;; level--) {
        uint64_t entry = ww_page_table_read(table, ww_pte_address(at, address, level));
        if (!(entry & WW_PTE_PRESENT))
            return UINT64_MAX;
        at = entry & WW_PTE_FRAME;
        if (ww_pte_is_leaf(entry, level))
            return at + (address & ((1ull << ww_level_shift(level)) - 1));
    }
}

/* 16 pages, aligned, get their frames at the first touch of one: in a row, before the page table's
 * nodes. Pages of no range get none. */
static void pages_get_their_frames_together(void **state)
{
    uint64_t physical, page = 4 * KIB;
    (void)state;
    destroy(space_of(64 * MIB, page, false, "contiguous"));
    frames = ww_frames_create(
        &(ww_frames_config){.memory = 64 * MIB,
                            .frame = page,
                            .order = (const ww_frame_order *)(const void *)ww_policy_find(
                                &ww_frame_order_family, "contiguous")});
    ww_address_space *space = ww_address_space_create(frames, false, 16);
    assert_true(add(space, 18 * page, 40 * page)); /* 18 to 57 */
    assert_true(ww_address_space_touch(space, 50 * page, &physical));
    assert_int_equal(ww_address_space_mapped(space), 10); /* 48 to 57 */
    uint64_t first = walk(space, 48 * page);
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(walk(space, (48 + i) * page), first + i * page);
    assert_int_equal(walk(space, 47 * page), UINT64_MAX);
    assert_int_equal(walk(space, 58 * page), UINT64_MAX);
    assert_true(ww_address_space_touch(space, 31 * page, &physical));
    assert_int_equal(ww_address_space_mapped(space), 24); /* and 18 to 31 */
    assert_int_equal(walk(space, 18 * page), physical - 13 * page);
    assert_true(ww_address_space_touch(space, 1000 * page, &physical)); /* of no range */
    assert_int_equal(ww_address_space_mapped(space), 25);
    destroy(space);
}

static void eager_ranges_have_frames_at_once(void **state)
{
    static const uint64_t pages[] = {4 * KIB, 64 * KIB, 2 * MIB};
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        uint64_t page = pages[p], start = 3 * page + 100, bytes = 2 * page;
        ww_address_space *space = space_of(64 * MIB, page, true, "random");
        assert_true(add(space, start, bytes)); /* a part of 3, 4, a part of 5 */
        assert_int_equal(ww_address_space_mapped(space), 3);
        for (uint64_t a = start; a < start + bytes; a += 509) {
            ww_mapped_address found = ww_address_space_translate(space, a);
            assert_int_equal(found.physical, walk(space, a));
            assert_int_equal(found.generation, 0);
        }
        assert_true(walk(space, 2 * page) == UINT64_MAX);
        assert_true(walk(space, 6 * page) == UINT64_MAX);
        destroy(space);
    }
}

static void a_range_ends_before_the_page_that_it_touches_not(void **state)
{
    (void)state;
    ww_address_space *space = space_of(16 * MIB, 4 * KIB, true, "contiguous");
    assert_true(add(space, 0, 4 * KIB));
    assert_int_equal(ww_address_space_mapped(space), 1);
    assert_true(add(space, 8 * KIB, 4 * KIB + 1));
    assert_int_equal(ww_address_space_mapped(space), 3);
    destroy(space);
}

static void first_touch_gives_frames_in_its_order(void **state)
{
    (void)state;
    uint64_t physical, again;
    ww_address_space *space = space_of(16 * MIB, 4 * KIB, false, "contiguous");
    assert_true(add(space, 0, 1 * MIB));
    assert_int_equal(ww_address_space_mapped(space), 0);
    assert_true(walk(space, 0x5000) == UINT64_MAX);
    assert_true(ww_address_space_touch(space, 0x5123, &physical));
    assert_int_equal(ww_address_space_mapped(space), 1);
    assert_int_equal(walk(space, 0x5123), physical);
    assert_int_equal(physical & 0xfff, 0x123);
    assert_true(ww_address_space_touch(space, 0x5fff, &again));
    assert_int_equal(again, physical - 0x123 + 0xfff);
    assert_int_equal(ww_address_space_mapped(space), 1);
    /* Frame 0 is the root; the first page had a frame before its three nodes. */
    assert_int_equal(physical >> 12, 1);
    assert_true(ww_address_space_touch(space, 0x1000, &again));
    assert_int_equal(again, 5 << 12);
    assert_int_equal(ww_address_space_translate(space, 0x5123).physical, physical);
    destroy(space);
}

static void ranges_share_a_page(void **state)
{
    (void)state;
    ww_address_space *space = space_of(16 * MIB, 4 * KIB, true, "random");
    assert_true(add(space, 0x1000, 0x800));
    uint64_t physical = walk(space, 0x1000);
    assert_true(add(space, 0x1800, 0x1000)); /* the rest of it, and half of the next */
    assert_int_equal(ww_address_space_mapped(space), 2);
    ww_address_space_remove(space, 0x1000, 0x800);
    assert_int_equal(ww_address_space_mapped(space), 2);
    assert_int_equal(walk(space, 0x1000), physical);
    ww_address_space_remove(space, 0x1800, 0x1000);
    assert_int_equal(ww_address_space_mapped(space), 0);
    assert_true(walk(space, 0x1000) == UINT64_MAX);
    assert_true(walk(space, 0x2000) == UINT64_MAX);
    destroy(space);
}

static void a_frame_that_changes_hands_has_a_new_generation(void **state)
{
    (void)state;
    ww_address_space *space = space_of(16 * MIB, 4 * KIB, true, "random");
    assert_true(add(space, 0x1000, 0x1000));
    ww_mapped_address before = ww_address_space_translate(space, 0x1000);
    ww_address_space_remove(space, 0x1000, 0x1000);
    assert_true(add(space, 0x9000, 0x1000));
    ww_mapped_address after = ww_address_space_translate(space, 0x9000);
    assert_int_equal(after.physical, before.physical);
    assert_int_equal(after.generation, before.generation + 1);
    assert_true(add(space, 0x1000, 0x1000)); /* elsewhere now */
    assert_int_not_equal(ww_address_space_translate(space, 0x1000).physical, before.physical);
    destroy(space);
}

/* 6 frames: a root, three nodes, two pages. */
static void memory_runs_out_and_comes_back(void **state)
{
    (void)state;
    uint64_t physical;
    ww_address_space *space = space_of(6 * 4 * KIB, 4 * KIB, true, "random");
    assert_true(add(space, 0, 2 * 4 * KIB));
    assert_false(ww_address_space_touch(space, 2 * 4 * KIB, &physical));
    assert_false(ww_address_space_touch(space, 1ull << 40, &physical));
    ww_address_space_remove(space, 0, 2 * 4 * KIB);
    assert_true(ww_address_space_touch(space, 2 * 4 * KIB, &physical));
    /* One is left: it is not enough for a page with nodes of its own, and not lost by trying. */
    assert_false(ww_address_space_touch(space, 1ull << 40, &physical));
    assert_true(ww_address_space_touch(space, 3 * 4 * KIB, &physical));
    assert_int_equal(walk(space, 3 * 4 * KIB), physical);
    assert_int_equal(ww_address_space_mapped(space), 2);
    destroy(space);
    assert_null(space_of(4095, 4 * KIB, true, "random"));
    ww_frames_destroy(frames);
}

/* Far apart and many: more than one chunk of the space's own table. */
static void translations_agree_with_the_page_table(void **state)
{
    (void)state;
    ww_address_space *space = space_of(256 * MIB, 4 * KIB, false, "random");
    uint64_t physical;
    for (uint64_t i = 0; i < 3000; i++) {
        uint64_t address = i * 0x7f3e1000 % (1ull << 46) + i % 4096;
        assert_true(ww_address_space_touch(space, address, &physical));
        assert_int_equal(walk(space, address), physical);
    }
    for (uint64_t i = 0; i < 3000; i++) {
        uint64_t address = i * 0x7f3e1000 % (1ull << 46) + i % 4096;
        assert_int_equal(ww_address_space_translate(space, address).physical, walk(space, address));
    }
    assert_int_equal(ww_address_space_mapped(space), 3000);
    destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eager_ranges_have_frames_at_once),
        cmocka_unit_test(pages_get_their_frames_together),
        cmocka_unit_test(a_range_ends_before_the_page_that_it_touches_not),
        cmocka_unit_test(first_touch_gives_frames_in_its_order),
        cmocka_unit_test(ranges_share_a_page),
        cmocka_unit_test(a_frame_that_changes_hands_has_a_new_generation),
        cmocka_unit_test(memory_runs_out_and_comes_back),
        cmocka_unit_test(translations_agree_with_the_page_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
