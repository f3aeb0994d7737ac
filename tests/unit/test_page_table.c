/* Page tables, walked by hand: the bits of an address as x86-64 has them, the bytes where the
 * entries say. */
#include "base/memory.h"
#include "base/rng.h"
#include "vm/page_table.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)

static const uint64_t page_sizes[] = {4 * KIB, 64 * KIB, 2 * MIB};

static const ww_frame_order *order_named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_frame_order_family, name);
    assert_non_null(policy);
    return (const ww_frame_order *)(const void *)policy;
}

static ww_frames *random_frames(uint64_t memory, uint64_t frame)
{
    return ww_frames_create(&(ww_frames_config){
        .memory = memory, .frame = frame, .order = order_named("random"), .start = {.seed = 5}});
}

/* Where an address is, entry by entry; UINT64_MAX: an entry is not there. The 9 bits of each level
 * are written out. */
static uint64_t walk(const ww_page_table *table, uint64_t page, uint64_t address, unsigned *reads)
{
    const uint64_t index[] = {address >> 39 & 0x1ff, address >> 30 & 0x1ff, address >> 21 & 0x1ff,
                              address >> 12 & 0x1ff};
    uint64_t node = ww_page_table_root(table);
    *reads = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t entry = ww_page_table_read(table, node + index[i] * 8);
        ++*reads;
        if (!(entry & 1))
            return UINT64_MAX;
        bool is_large = entry >> 7 & 1, is_contiguous = entry >> 52 & 1;
        uint64_t next = entry & 0xffffffffff000;
        assert_int_equal(is_large, page == 2 * MIB && i == 2);
        assert_int_equal(is_contiguous, page == 64 * KIB && i == 3);
        if (is_large)
            return next + (address & 0x1fffff);
        if (i == 3)
            return next + (address & 0xfff);
        node = next;
    }
    return UINT64_MAX;
}

/* Pages at both ends of the address space, neighbours, and some that differ in one level only. */
static const uint64_t addresses[] = {0,
                                     2 * MIB,
                                     4 * MIB,
                                     1 * GIB,
                                     1 * GIB + 2 * MIB,
                                     512 * GIB,
                                     200 * TIB + 30 * GIB + 12 * MIB,
                                     256 * TIB - 2 * MIB};
enum { ADDRESSES = sizeof(addresses) / sizeof(addresses[0]) };

static void a_walk_by_hand_finds_the_frame(void **state)
{
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        uint64_t page = page_sizes[p], physical[ADDRESSES];
        unsigned reads;
        ww_frames *frames = random_frames(256 * MIB, page);
        ww_page_table *table = ww_page_table_create(frames, page);
        assert_int_equal(ww_page_table_leaf_level(table), page == 2 * MIB ? 2 : 1);
        for (size_t i = 0; i < ADDRESSES; i++) {
            assert_true(walk(table, page, addresses[i], &reads) == UINT64_MAX);
            physical[i] = ww_frames_allocate(frames);
            assert_true(ww_page_table_map(table, addresses[i], physical[i]));
        }
        for (size_t i = 0; i < ADDRESSES; i++)
            for (uint64_t offset = 0; offset < page; offset += offset < 4096 ? 1365 : 4096 - 1) {
                assert_int_equal(walk(table, page, addresses[i] + offset, &reads),
                                 physical[i] + offset);
                assert_int_equal(reads, page == 2 * MIB ? 3 : 4);
            }
        ww_page_table_unmap(table, addresses[3]);
        for (size_t i = 0; i < ADDRESSES; i++)
            for (uint64_t offset = 0; offset < page; offset += 4096)
                assert_true(walk(table, page, addresses[i] + offset, &reads) ==
                            (i == 3 ? UINT64_MAX : physical[i] + offset));
        ww_page_table_unmap(table, 100 * TIB); /* nothing is there, not even a node */
        ww_page_table_destroy(table);
        ww_frames_destroy(frames);
    }
}

static void neighbours_of_a_small_page_are_not_there(void **state)
{
    (void)state;
    unsigned reads;
    ww_frames *frames = random_frames(16 * MIB, 4 * KIB);
    ww_page_table *table = ww_page_table_create(frames, 4 * KIB);
    assert_true(ww_page_table_map(table, 5 * 4 * KIB, 0x123000));
    assert_true(walk(table, 4 * KIB, 4 * 4 * KIB, &reads) == UINT64_MAX);
    assert_true(walk(table, 4 * KIB, 6 * 4 * KIB, &reads) == UINT64_MAX);
    assert_int_equal(walk(table, 4 * KIB, 5 * 4 * KIB, &reads), 0x123000);
    ww_page_table_destroy(table);
    ww_frames_destroy(frames);
}

/* Nodes and pages are different frames: with 9 of 4 KiB, one page takes a root, 3 nodes and a
 * frame; each page that differs in its top bits takes 3 nodes more. */
static void nodes_are_in_frames(void **state)
{
    (void)state;
    unsigned reads;
    bool used[9] = {false};
    ww_frames *frames = random_frames(9 * 4 * KIB, 4 * KIB);
    ww_page_table *table = ww_page_table_create(frames, 4 * KIB);
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t frame = ww_frames_allocate(frames);
        assert_true(ww_page_table_map(table, i * 512 * GIB, frame));
        used[frame / 4096] = true;
        uint64_t node = ww_page_table_root(table);
        for (unsigned level = 4; level > 1; level--) {
            node = ww_page_table_read(table, node + (level == 4 ? i * 8 : 0)) & WW_PTE_FRAME;
            assert_true(node < 9 * 4 * KIB);
            assert_false(used[node / 4096]);
            used[node / 4096] = true;
        }
        assert_int_equal(walk(table, 4 * KIB, i * 512 * GIB, &reads), frame);
    }
    used[ww_page_table_root(table) / 4096] = true;
    for (int i = 0; i < 9; i++)
        assert_true(used[i]);
    assert_true(ww_frames_allocate(frames) == WW_NO_FRAME);
    ww_page_table_destroy(table);
    ww_frames_destroy(frames);
}

static void without_a_frame_for_a_node_nothing_is_mapped(void **state)
{
    (void)state;
    unsigned reads;
    for (uint64_t count = 1; count <= 4; count++) {
        ww_frames *frames = random_frames(count * 4 * KIB, 4 * KIB);
        ww_page_table *table = ww_page_table_create(frames, 4 * KIB);
        assert_int_equal(ww_page_table_map(table, 0, 0x5000), count == 4);
        assert_true(walk(table, 4 * KIB, 0, &reads) == (count == 4 ? 0x5000 : UINT64_MAX));
        assert_int_equal(ww_page_table_map(table, 4 * KIB, 0x6000), count == 4);
        assert_false(ww_page_table_map(table, 512 * GIB, 0x7000));
        ww_page_table_destroy(table);
        ww_frames_destroy(frames);
    }
    ww_frames *none = random_frames(0, 4 * KIB);
    assert_null(ww_page_table_create(none, 4 * KIB));
    ww_frames_destroy(none);
}

static void many_pages_against_a_list(void **state)
{
    (void)state;
    enum { PAGES = 500 };
    for (size_t p = 0; p < 3; p++) {
        uint64_t page = page_sizes[p], physical[PAGES];
        ww_rng rng;
        unsigned reads;
        ww_rng_seed(&rng, p + 1);
        ww_frames *frames = random_frames((uint64_t)PAGES * 8 * page, page);
        ww_page_table *table = ww_page_table_create(frames, page);
        for (int i = 0; i < PAGES; i++)
            physical[i] = UINT64_MAX;
        for (int step = 0; step < 5000; step++) {
            uint64_t i = ww_rng_below(&rng, PAGES);
            uint64_t address = i * page * 37;
            if (physical[i] == UINT64_MAX) {
                physical[i] = ww_frames_allocate(frames);
                assert_true(ww_page_table_map(table, address, physical[i]));
            } else {
                ww_page_table_unmap(table, address);
                ww_frames_free(frames, physical[i]);
                physical[i] = UINT64_MAX;
            }
            uint64_t j = ww_rng_below(&rng, PAGES);
            assert_true(walk(table, page, j * page * 37, &reads) == physical[j]);
        }
        ww_page_table_destroy(table);
        ww_frames_destroy(frames);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_by_hand_finds_the_frame),
        cmocka_unit_test(neighbours_of_a_small_page_are_not_there),
        cmocka_unit_test(nodes_are_in_frames),
        cmocka_unit_test(without_a_frame_for_a_node_nothing_is_mapped),
        cmocka_unit_test(many_pages_against_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
