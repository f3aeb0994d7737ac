/* The walk cache in idle local memory: where an entry is, how large the cache is, which entry wins,
 * and what a bank conflict is. */
#include "base/rng.h"
#include "vm/cuptw/lds_walk_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROW = 32 * 4 }; /* bytes */

/* Banks for levels 2, 3 and 4. */
static ww_lds_walk_cache *create(unsigned two, unsigned three, unsigned four, unsigned leaf)
{
    return ww_lds_walk_cache_create(&(ww_lds_walk_cache_config){
        .banks = 32, .group = {0, 0, two, three, four}, .leaf_level = leaf});
}

static uint64_t at(unsigned level, uint64_t n)
{
    return n << ww_level_shift(level);
}

static void check_block(const ww_lds_walk_cache *cache, unsigned level, uint32_t number,
                        uint64_t tag, unsigned bits)
{
    ww_lds_block b = ww_lds_walk_cache_block(cache, 0x123456789000, level);
    assert_int_equal(b.number, number);
    assert_int_equal(b.tag, tag);
    assert_int_equal(b.tag_bits, bits);
}

static void check_find(const ww_lds_walk_cache *cache, uint16_t asid, uint64_t address,
                       unsigned level, uint64_t node)
{
    uint64_t found = 0;
    assert_int_equal(ww_lds_walk_cache_find(cache, asid, address, &found), level);
    assert_int_equal(found, node);
}

/* Section 6.1: 24 banks of 8 rows for level 3 are 64 blocks: 6 bits of index, 12 of tag.
 *
 *     level   page number          blocks   index   tag
 *     4       a >> 39 = 0x24       1 x 8    4       0x4        9 - 3 bits
 *     3       a >> 30 = 0x48d1     8 x 8    0x11    0x123     18 - 6
 *     2       a >> 21 = 0x91a2b3   1 x 8    3       0x123456  27 - 3 */
static void the_paper_s_example(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(3, 24, 3, 1);
    assert_int_equal(ww_lds_walk_cache_resize(cache, 8 * ROW), 8);
    check_block(cache, 4, 4, 0x4, 6);
    check_block(cache, 3, 0x11, 0x123, 12);
    check_block(cache, 2, 3, 0x123456, 24);
    ww_lds_walk_cache_destroy(cache);
}

/* Addresses have 48 bits: what is above is no part of a tag. */
static void upper_bits_of_an_address_do_not_count(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, ROW);
    ww_lds_walk_cache_put(cache, 0, 0x800000000000, 4, 0x7000);
    check_find(cache, 0, 0xffff800000000000, 3, 0x7000);
    ww_lds_walk_cache_destroy(cache);
}

/* Free bytes of Table 3 and the limits of a row. */
static void rows_are_a_power_of_two(void **state)
{
    static const struct {
        uint64_t bytes;
        unsigned rows;
    } sizes[] = {{0, 0},     {127, 0},     {128, 1},     {255, 1},     {256, 2},     {511, 2},
                 {7168, 32}, {24576, 128}, {55296, 256}, {65024, 256}, {65536, 512}, {131071, 512}};
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        assert_int_equal(ww_lds_walk_cache_resize(cache, sizes[i].bytes), sizes[i].rows);
    ww_lds_walk_cache_destroy(cache);
}

static void without_rows_nothing_is_found(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    check_find(cache, 0, 0, WW_LEVELS, 0);
    ww_lds_walk_cache_resize(cache, ROW);
    ww_lds_walk_cache_put(cache, 0, 0, 2, 0x5000);
    check_find(cache, 0, 0, 1, 0x5000);
    ww_lds_walk_cache_resize(cache, 0);
    check_find(cache, 0, 0, WW_LEVELS, 0);
    ww_lds_walk_cache_resize(cache, ROW); /* what it had is gone */
    check_find(cache, 0, 0, WW_LEVELS, 0);
    ww_lds_walk_cache_destroy(cache);
}

/* 6 banks of 512 rows are 1024 blocks, and the root has 512 entries: no tag. 9 banks of a row are 3
 * blocks, of which 2 are used. */
static void blocks_that_cannot_be_used(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(9, 3, 6, 1);
    ww_lds_walk_cache_resize(cache, 65536);
    check_block(cache, 4, 0x24, 0, 0);
    ww_lds_walk_cache_resize(cache, ROW);
    check_block(cache, 2, 1, 0x91a2b3 >> 1, 26);
    check_block(cache, 3, 0, 0x48d1, 18);
    ww_lds_walk_cache_destroy(cache);
}

static void the_deepest_level_that_hits_wins(void **state)
{
    const uint64_t a = 0x123456789000;
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    check_find(cache, 0, a, 4, 0);
    ww_lds_walk_cache_put(cache, 0, a, 4, 0x4000);
    check_find(cache, 0, a, 3, 0x4000);
    ww_lds_walk_cache_put(cache, 0, a, 2, 0x2000);
    check_find(cache, 0, a, 1, 0x2000);
    ww_lds_walk_cache_put(cache, 0, a, 3, 0x3000);
    check_find(cache, 0, a, 1, 0x2000);
    check_find(cache, 0, a ^ 1ull << 21, 2, 0x3000);
    check_find(cache, 0, a ^ 1ull << 30, 3, 0x4000);
    check_find(cache, 0, a ^ 1ull << 39, 4, 0);
    ww_lds_walk_cache_destroy(cache);
}

/* With pages of 2 MiB level 2 is the leaf, which is not cached. */
static void the_leaf_is_not_looked_up(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 2);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    ww_lds_walk_cache_put(cache, 0, 0, 2, 0x2000);
    check_find(cache, 0, 0, 4, 0);
    ww_lds_walk_cache_put(cache, 0, 0, 3, 0x3000);
    check_find(cache, 0, 0, 2, 0x3000);
    ww_lds_walk_cache_destroy(cache);
}

/* 64 blocks of level 2: entries 5 and 69 have the same. */
static void the_last_writer_wins(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    ww_lds_walk_cache_put(cache, 0, at(2, 5), 2, 0x5000);
    ww_lds_walk_cache_put(cache, 0, at(2, 69), 2, 0x69000);
    check_find(cache, 0, at(2, 5), 4, 0);
    check_find(cache, 0, at(2, 69), 1, 0x69000);
    ww_lds_walk_cache_put(cache, 0, at(2, 5), 2, 0x6000);
    check_find(cache, 0, at(2, 5), 1, 0x6000);
    check_find(cache, 0, at(2, 69), 4, 0);
    ww_lds_walk_cache_destroy(cache);
}

/* Two virtual machines have the same block, of which one's entry is there. */
static void virtual_machines_are_kept_apart(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    ww_lds_walk_cache_put(cache, 1, at(2, 5), 2, 0x1000);
    check_find(cache, 1, at(2, 5), 1, 0x1000);
    check_find(cache, 2, at(2, 5), 4, 0);
    ww_lds_walk_cache_put(cache, 2, at(2, 5), 2, 0x2000);
    check_find(cache, 2, at(2, 5), 1, 0x2000);
    check_find(cache, 1, at(2, 5), 4, 0);
    ww_lds_walk_cache_destroy(cache);
}

/* ---- conflicts ---- */

static unsigned rows_of(const ww_lds_walk_cache *cache, unsigned level, const uint64_t *entries,
                        unsigned count)
{
    ww_lds_access access = {.count = count};
    for (unsigned i = 0; i < count; i++) {
        access.address[i] = at(level, entries[i]);
        access.levels[i] = (uint8_t)(1u << level);
    }
    return ww_lds_walk_cache_rows(cache, &access);
}

/* Level 2 has 8 blocks in a row: block n is in row n / 8 of the banks of n % 8. */
static void rows_of_conflicts(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    assert_int_equal(rows_of(cache, 2, NULL, 0), 1);
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){5}, 1), 1);
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){5, 5, 5}, 3), 1);                /* one block */
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8), 1); /* one row */
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){0, 9, 18, 27}, 4), 1); /* of other banks */
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){0, 8}, 2), 2);
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){0, 8, 16, 1, 9}, 5), 3); /* the busiest bank */
    assert_int_equal(rows_of(cache, 2, (uint64_t[]){0, 64}, 2), 1);          /* the same block */
    assert_int_equal(rows_of(cache, 3, (uint64_t[]){0, 1, 2}, 3), 3); /* one block in a row */
    ww_lds_walk_cache_destroy(cache);
}

/* Groups have banks of their own: three levels at once are no conflict, two threads conflict in the
 * level in which they need other rows. */
static void levels_do_not_conflict(void **state)
{
    (void)state;
    ww_lds_walk_cache *cache = create(24, 3, 3, 1);
    ww_lds_walk_cache_resize(cache, 8 * ROW);
    ww_lds_access access = {.count = 2, .address = {0, at(2, 1)}, .levels = {28, 28}};
    assert_int_equal(ww_lds_walk_cache_rows(cache, &access), 1);
    access.address[1] = at(3, 1); /* the blocks of level 2 are the same: 512 is 0 modulo 64 */
    assert_int_equal(ww_lds_walk_cache_rows(cache, &access), 2);
    access.levels[1] = 1u << 2;
    assert_int_equal(ww_lds_walk_cache_rows(cache, &access), 1);
    ww_lds_walk_cache_destroy(cache);
}

/* ---- a naive model ---- */

enum { LEVELS = 5, MOST_BLOCKS = 4096, MOST_ENTRIES = 64 };

typedef struct naive {
    unsigned blocks[LEVELS], in_row[LEVELS];
    struct {
        uint64_t number, node;
        uint16_t asid;
        bool valid;
    } entries[LEVELS][MOST_BLOCKS];
} naive;

static void naive_init(naive *n, const unsigned *group, unsigned rows)
{
    *n = (naive){.blocks = {0}};
    for (unsigned level = 2; level <= 4; level++) {
        n->in_row[level] = group[level] / 3;
        n->blocks[level] = 1;
        while (n->blocks[level] * 2 <= n->in_row[level] * rows)
            n->blocks[level] *= 2;
        if (level == 4 && n->blocks[4] > 512)
            n->blocks[4] = 512;
    }
}

static unsigned naive_find(const naive *n, uint16_t asid, uint64_t address, uint64_t *node)
{
    for (unsigned level = 2; level <= 4; level++) {
        uint64_t number = address / at(level, 1);
        unsigned i = (unsigned)(number % n->blocks[level]);
        if (n->entries[level][i].valid && n->entries[level][i].number == number &&
            n->entries[level][i].asid == asid) {
            *node = n->entries[level][i].node;
            return level - 1;
        }
    }
    return 4;
}

/* For every bank counts the different rows. */
static unsigned naive_rows(const naive *n, const ww_lds_access *access)
{
    unsigned most = 1;
    for (unsigned level = 2; level <= 4; level++)
        for (unsigned bank = 0; bank < n->in_row[level]; bank++) {
            bool used[MOST_BLOCKS] = {false};
            unsigned rows = 0;
            for (unsigned i = 0; i < access->count; i++) {
                unsigned block = (unsigned)(access->address[i] / at(level, 1) % n->blocks[level]);
                if (!(access->levels[i] >> level & 1) || block % n->in_row[level] != bank)
                    continue;
                rows += !used[block / n->in_row[level]];
                used[block / n->in_row[level]] = true;
            }
            most = rows > most ? rows : most;
        }
    return most;
}

static void step(ww_lds_walk_cache *cache, naive *n, ww_rng *rng)
{
    uint64_t address = at(2, ww_rng_below(rng, 1u << (6 + ww_rng_below(rng, 20)))) | 0x1234;
    uint16_t asid = (uint16_t)ww_rng_below(rng, 3);
    uint64_t node = 0, expected = 0;
    unsigned level = naive_find(n, asid, address, &expected);
    assert_int_equal(ww_lds_walk_cache_find(cache, asid, address, &node), level);
    assert_int_equal(node, expected);
    level = 2 + (unsigned)ww_rng_below(rng, 3);
    uint64_t number = address / at(level, 1), value = ww_rng_next(rng) & WW_PTE_FRAME;
    unsigned i = (unsigned)(number % n->blocks[level]);
    ww_lds_walk_cache_put(cache, asid, address, level, value);
    n->entries[level][i].number = number;
    n->entries[level][i].node = value;
    n->entries[level][i].asid = asid;
    n->entries[level][i].valid = true;
    assert_int_equal(ww_lds_walk_cache_block(cache, address, level).number, i);
}

static void compare_rows(const ww_lds_walk_cache *cache, const naive *n, ww_rng *rng)
{
    ww_lds_access access = {.count = (unsigned)ww_rng_below(rng, MOST_ENTRIES + 1)};
    for (unsigned i = 0; i < access.count; i++) {
        access.address[i] = at(2, ww_rng_below(rng, 1u << 20));
        access.levels[i] = (uint8_t)(ww_rng_below(rng, 8) << 2);
    }
    assert_int_equal(ww_lds_walk_cache_rows(cache, &access), naive_rows(n, &access));
}

static void a_naive_model_agrees(void **state)
{
    static naive n;
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        ww_rng rng;
        ww_rng_seed(&rng, seed);
        unsigned group[LEVELS] = {0};
        for (unsigned level = 2; level <= 4; level++)
            group[level] = 3 + 3 * (unsigned)ww_rng_below(&rng, level == 2 ? 7 : 3);
        unsigned rows = 1u << ww_rng_below(&rng, 10);
        print_message("seed %u: banks %u %u %u, rows %u\n", (unsigned)seed, group[2], group[3],
                      group[4], rows);
        ww_lds_walk_cache *cache = create(group[2], group[3], group[4], 1);
        assert_int_equal(ww_lds_walk_cache_resize(cache, rows * ROW), rows);
        naive_init(&n, group, rows);
        for (unsigned i = 0; i < 2000; i++)
            step(cache, &n, &rng);
        for (unsigned i = 0; i < 20; i++)
            compare_rows(cache, &n, &rng);
        ww_lds_walk_cache_destroy(cache);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_example),
        cmocka_unit_test(upper_bits_of_an_address_do_not_count),
        cmocka_unit_test(rows_are_a_power_of_two),
        cmocka_unit_test(without_rows_nothing_is_found),
        cmocka_unit_test(blocks_that_cannot_be_used),
        cmocka_unit_test(the_deepest_level_that_hits_wins),
        cmocka_unit_test(the_leaf_is_not_looked_up),
        cmocka_unit_test(the_last_writer_wins),
        cmocka_unit_test(virtual_machines_are_kept_apart),
        cmocka_unit_test(rows_of_conflicts),
        cmocka_unit_test(levels_do_not_conflict),
        cmocka_unit_test(a_naive_model_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
