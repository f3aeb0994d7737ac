/* The density prefetcher: known sequences, and a naive model on random sets of pages. */
#include "base/rng.h"
#include "paging/density_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM_CASES = 4000 };

static ww_page_mask range(uint32_t first, uint32_t end)
{
    ww_page_mask mask = {{0}};
    ww_page_mask_fill(&mask, first, end);
    return mask;
}

static void merge(ww_page_mask *into, const ww_page_mask *from)
{
    for (uint32_t w = 0; w < WW_PAGE_MASK_WORDS; w++)
        into->words[w] |= from->words[w];
}

static uint32_t count(const ww_page_mask *mask)
{
    return ww_page_mask_count(mask, 0, WW_MOST_BLOCK_PAGES);
}

static void expect_equal(const ww_page_mask *a, const ww_page_mask *b)
{
    assert_memory_equal(a, b, sizeof(*a));
}

/* One fault of a page: what it brings becomes resident. */
static ww_page_mask fault(const ww_density_tree *tree, const ww_page_mask *valid,
                          ww_page_mask *resident, uint32_t page)
{
    ww_page_mask faulted = range(page, page + 1);
    ww_page_mask bring = ww_density_tree_expand(tree, valid, resident, &faulted);
    merge(resident, &bring);
    return bring;
}

/* ---- known sequences ---- */

/* 64 KiB each for the first two; from the third fault on, what was there and its big page are more
 * than half of the next larger node: 24 of 32 big pages for the last. */
static void test_sequential_faults_double_what_they_bring(void **state)
{
    (void)state;
    static const uint32_t at[] = {0, 16, 32, 64, 128, 256};
    static const uint32_t kib[] = {64, 64, 128, 256, 512, 1024};
    ww_density_tree tree = ww_density_tree_make(4096, 51);
    ww_page_mask valid = range(0, 512), resident = {{0}};
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(ww_page_mask_count(&resident, 0, 512), at[i]);
        ww_page_mask bring = fault(&tree, &valid, &resident, at[i]), expected;
        expected = range(at[i], at[i] + kib[i] / 4);
        expect_equal(&bring, &expected);
    }
    expect_equal(&resident, &valid);
}

static uint32_t faults_to_fill(uint64_t page_bytes, uint32_t threshold)
{
    ww_density_tree tree = ww_density_tree_make(page_bytes, threshold);
    ww_page_mask valid = range(0, tree.leaves), resident = {{0}};
    uint32_t faults = 0;
    for (uint32_t page = 0; page < tree.leaves; page++)
        if (!ww_page_mask_has(&resident, page)) {
            fault(&tree, &valid, &resident, page);
            faults++;
        }
    return faults;
}

static void test_faults_that_fill_a_block(void **state)
{
    (void)state;
    static const uint32_t expected[][2] = {{1, 1},   {25, 3},  {49, 5},  {50, 6},  {51, 6},
                                           {62, 10}, {75, 20}, {90, 28}, {99, 32}, {100, 512}};
    for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_int_equal(faults_to_fill(4096, expected[i][0]), expected[i][1]);
}

/* A page of 64 KiB is a leaf and a big page: the counts are the same, but a threshold of 100
 * fetches whole pages of 64 KiB. */
static void test_larger_pages(void **state)
{
    (void)state;
    assert_int_equal(faults_to_fill(64 << 10, 51), 6);
    assert_int_equal(faults_to_fill(64 << 10, 99), 32);
    assert_int_equal(faults_to_fill(64 << 10, 100), 32);
    assert_int_equal(faults_to_fill(2 << 20, 51), 1);
    assert_int_equal(faults_to_fill(2 << 20, 100), 1);
}

/* Faults of one call help each other: nine of sixteen big pages bring their half of the block. */
static void test_faults_of_one_call(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 51);
    ww_page_mask valid = range(0, 512), resident = {{0}}, faulted = {{0}};
    for (uint32_t i = 0; i < 9; i++)
        ww_page_mask_set(&faulted, i * 16 + i);
    ww_page_mask bring = ww_density_tree_expand(&tree, &valid, &resident, &faulted);
    ww_page_mask expected = range(0, 256);
    expect_equal(&bring, &expected);
}

/* With pages 256 to 511 resident, the nodes of 32 to 256 pages above page 0 are sparse. The
 * root is dense. */
static void test_a_sparse_node_does_not_stop_the_climb(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 51);
    ww_page_mask valid = range(0, 512), resident = range(256, 512);
    ww_page_mask bring = fault(&tree, &valid, &resident, 0), expected = range(0, 256);
    expect_equal(&bring, &expected);
}

/* ---- allocations that do not fill their block ---- */

/* 40 pages: the root has 40 leaves, not 64. */
static void test_an_allocation_ends_in_the_block(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 51);
    ww_page_mask valid = range(0, 40), resident = {{0}}, expected;
    ww_page_mask bring = fault(&tree, &valid, &resident, 39);
    expected = range(32, 40);
    expect_equal(&bring, &expected);
    bring = fault(&tree, &valid, &resident, 3);
    expected = range(0, 32); /* 16 + 8 of 40 */
    expect_equal(&bring, &expected);
}

/* Pages 20 to 83: the tree begins at page 16, so 16 to 47 are one node. With its 12 pages of the
 * first big page and the 16 of the second it is dense. */
static void test_an_allocation_begins_in_the_block(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 80);
    ww_page_mask valid = range(20, 84), resident = range(20, 32);
    ww_page_mask bring = fault(&tree, &valid, &resident, 40), expected = range(32, 48);
    expect_equal(&bring, &expected);
    resident = range(32, 48);
    bring = fault(&tree, &valid, &resident, 20);
    expected = range(20, 32);
    expect_equal(&bring, &expected);
}

/* Pages 10 to 20 lie in two big pages, none of them whole: any fault brings all. */
static void test_an_allocation_without_a_whole_big_page(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 99);
    ww_page_mask valid = range(10, 21), resident = {{0}};
    ww_page_mask bring = fault(&tree, &valid, &resident, 20);
    expect_equal(&bring, &valid);
}

static void test_pages_between_allocations_do_not_come(void **state)
{
    (void)state;
    ww_density_tree tree = ww_density_tree_make(4096, 1);
    ww_page_mask valid = range(0, 100), other = range(200, 512), resident = {{0}};
    merge(&valid, &other);
    ww_page_mask bring = fault(&tree, &valid, &resident, 300);
    expect_equal(&bring, &valid);
}

/* ---- a naive model ---- */

typedef struct naive {
    uint32_t big, threshold, first, end, origin;
    bool faulted[WW_MOST_BLOCK_PAGES], filled[WW_MOST_BLOCK_PAGES], bring[WW_MOST_BLOCK_PAGES];
} naive;

/* Any fault of a big page fills what the allocation has of it. */
static void naive_fill(naive *n)
{
    bool whole = false;
    for (uint32_t page = 0; page < WW_MOST_BLOCK_PAGES; page += n->big)
        whole |= page >= n->first && page + n->big <= n->end;
    n->origin = whole ? n->first / n->big * n->big : n->first;
    for (uint32_t i = n->first; i < n->end; i++)
        for (uint32_t j = n->first; j < n->end; j++)
            if (n->faulted[i] && (!whole || i / n->big == j / n->big))
                n->filled[j] = true;
}

/* Every node of every level; a dense one with a fault in it comes as a whole. */
static void naive_expand(naive *n)
{
    naive_fill(n);
    for (uint32_t size = 1; size < 2 * (n->end - n->origin); size *= 2)
        for (uint32_t first = n->origin; first < n->end; first += size) {
            uint32_t leaves = 0, filled = 0, faults = 0;
            for (uint32_t i = first; i < first + size && i < n->end; i++) {
                leaves++;
                filled += n->filled[i];
                faults += n->faulted[i];
            }
            if (faults && filled * 100 > leaves * n->threshold)
                for (uint32_t i = first; i < first + size && i < n->end; i++)
                    n->bring[i] = i >= n->first;
        }
}

static void set_some(ww_rng *rng, ww_page_mask *mask, const naive *n, uint32_t most)
{
    for (uint64_t i = ww_rng_below(rng, most + 1); i > 0; i--) {
        uint32_t page = n->first + (uint32_t)ww_rng_below(rng, n->end - n->first);
        uint32_t end = page + 1 + (uint32_t)ww_rng_below(rng, n->big * 2);
        ww_page_mask_fill(mask, page, end < n->end ? end : n->end);
    }
}

static void compare_once(ww_rng *rng)
{
    naive n = {.threshold = (uint32_t)ww_rng_below(rng, 101)};
    ww_density_tree tree = ww_density_tree_make(4096u << ww_rng_below(rng, 10), n.threshold);
    n.big = tree.big;
    n.first = ww_rng_below(rng, 2) ? 0 : (uint32_t)ww_rng_below(rng, tree.leaves);
    n.end = ww_rng_below(rng, 2) ? tree.leaves
                                 : n.first + 1 + (uint32_t)ww_rng_below(rng, tree.leaves - n.first);
    ww_page_mask valid = range(n.first, n.end), resident = {{0}}, faulted = {{0}};
    set_some(rng, &resident, &n, 20);
    for (uint64_t i = ww_rng_below(rng, 12); i > 0; i--) {
        uint32_t page = n.first + (uint32_t)ww_rng_below(rng, n.end - n.first);
        ww_page_mask_set(&faulted, page);
        ww_page_mask_clear(&resident, page);
    }
    for (uint32_t i = 0; i < WW_MOST_BLOCK_PAGES; i++) {
        n.faulted[i] = ww_page_mask_has(&faulted, i);
        n.filled[i] = n.faulted[i] || ww_page_mask_has(&resident, i);
    }
    naive_expand(&n);
    ww_page_mask bring = ww_density_tree_expand(&tree, &valid, &resident, &faulted);
    for (uint32_t i = 0; i < WW_MOST_BLOCK_PAGES; i++)
        assert_int_equal(ww_page_mask_has(&bring, i),
                         (n.bring[i] || n.faulted[i]) && !ww_page_mask_has(&resident, i));
    assert_true(count(&bring) >= count(&faulted));
}

static void test_against_a_naive_model(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 51);
    for (int i = 0; i < RANDOM_CASES; i++)
        compare_once(&rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequential_faults_double_what_they_bring),
        cmocka_unit_test(test_faults_that_fill_a_block),
        cmocka_unit_test(test_larger_pages),
        cmocka_unit_test(test_faults_of_one_call),
        cmocka_unit_test(test_a_sparse_node_does_not_stop_the_climb),
        cmocka_unit_test(test_an_allocation_ends_in_the_block),
        cmocka_unit_test(test_an_allocation_begins_in_the_block),
        cmocka_unit_test(test_an_allocation_without_a_whole_big_page),
        cmocka_unit_test(test_pages_between_allocations_do_not_come),
        cmocka_unit_test(test_against_a_naive_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
