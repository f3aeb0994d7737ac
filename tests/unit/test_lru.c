/* Sets of numbers, least recently used first, against a plain list in order of use. */
#include "base/rng.h"
#include "vm/lru.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_SETS = 16, MOST_WAYS = 64, KEYS = 100, STEPS = 20000 };

/* Of each set, the keys in order of use, the last one first. */
typedef struct naive {
    ww_lru_config config;
    uint32_t sets, ways;
    uint32_t count[MOST_SETS];
    uint64_t keys[MOST_SETS][MOST_WAYS], values[MOST_SETS][MOST_WAYS];
} naive;

/* The low bits, or the exclusive or of all groups of so many bits. */
static uint32_t set_of(const naive *n, uint64_t key)
{
    if (!n->config.hashed)
        return (uint32_t)(key % n->sets);
    uint32_t set = 0;
    for (uint32_t bit = 0, bits = (uint32_t)__builtin_ctz(n->sets); bits && bit < 64; bit++)
        set ^= (uint32_t)(key >> bit & 1) << bit % bits;
    return set;
}

static uint32_t index_of(const naive *n, uint32_t set, uint64_t key)
{
    uint32_t i = 0;
    while (i < n->count[set] && n->keys[set][i] != key)
        i++;
    return i;
}

static void drop(naive *n, uint32_t set, uint32_t index)
{
    uint32_t behind = --n->count[set] - index;
    memmove(&n->keys[set][index], &n->keys[set][index + 1], behind * sizeof(uint64_t));
    memmove(&n->values[set][index], &n->values[set][index + 1], behind * sizeof(uint64_t));
}

static void add_first(naive *n, uint32_t set, uint64_t key, uint64_t value)
{
    memmove(&n->keys[set][1], &n->keys[set][0], n->count[set] * sizeof(uint64_t));
    memmove(&n->values[set][1], &n->values[set][0], n->count[set] * sizeof(uint64_t));
    n->keys[set][0] = key;
    n->values[set][0] = value;
    n->count[set]++;
}

static void find_both(naive *n, ww_lru *lru, uint64_t key)
{
    uint64_t value = 0, expected;
    uint32_t set = set_of(n, key), index = index_of(n, set, key);
    bool is_there = index < n->count[set];
    assert_int_equal(ww_lru_has(lru, key), is_there);
    assert_int_equal(ww_lru_find(lru, key, &value), is_there);
    if (!is_there)
        return;
    expected = n->values[set][index];
    assert_int_equal(value, expected);
    drop(n, set, index);
    add_first(n, set, key, expected);
}

static void put_both(naive *n, ww_lru *lru, uint64_t key, uint64_t value)
{
    uint32_t set = set_of(n, key), index = index_of(n, set, key);
    bool is_there = index < n->count[set], evicts = !is_there && n->count[set] == n->ways;
    assert_int_equal(ww_lru_put(lru, key, value), evicts);
    if (is_there)
        drop(n, set, index);
    else if (evicts)
        n->count[set]--;
    add_first(n, set, key, value);
}

static void remove_both(naive *n, ww_lru *lru, uint64_t key)
{
    uint32_t set = set_of(n, key), index = index_of(n, set, key);
    bool is_there = index < n->count[set];
    assert_int_equal(ww_lru_remove(lru, key), is_there);
    if (is_there)
        drop(n, set, index);
}

static void check_config(ww_lru_config config)
{
    naive n = {.config = config, .ways = config.ways ? config.ways : config.entries};
    ww_lru lru;
    ww_rng rng;
    n.sets = config.entries / n.ways;
    ww_lru_create(&lru, &config);
    ww_rng_seed(&rng, 7);
    for (uint64_t step = 0; step < STEPS; step++) {
        /* Page numbers that differ in low bits, or only far above. */
        uint64_t key = ww_rng_below(&rng, KEYS) * (step / 4000 % 2 ? 0x1001 : 1);
        uint64_t what = ww_rng_below(&rng, 1000);
        if (what < 500)
            find_both(&n, &lru, key);
        else if (what < 900)
            put_both(&n, &lru, key, step);
        else if (what < 998)
            remove_both(&n, &lru, key);
        else {
            ww_lru_clear(&lru);
            memset(n.count, 0, sizeof(n.count));
        }
    }
    ww_lru_destroy(&lru);
}

static void it_is_a_list_in_order_of_use(void **state)
{
    static const ww_lru_config configs[] = {
        {1, 0, false},  {1, 1, true},  {32, 0, false},  {64, 0, true},
        {8, 1, false},  {8, 1, true},  {48, 16, false}, /* 3 sets */
        {64, 4, false}, {64, 4, true}, {16, 8, true},   {6, 2, false}};
    (void)state;
    for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
        printf("%u entries, %u ways%s\n", configs[i].entries, configs[i].ways,
               configs[i].hashed ? ", hashed" : "");
        check_config(configs[i]);
    }
}

static void with_no_entries_nothing_is_kept(void **state)
{
    (void)state;
    ww_lru lru;
    uint64_t value;
    ww_lru_create(&lru, &(ww_lru_config){.ways = 16});
    assert_false(ww_lru_put(&lru, 1, 2));
    assert_false(ww_lru_find(&lru, 1, &value));
    assert_false(ww_lru_has(&lru, 1));
    assert_false(ww_lru_remove(&lru, 1));
    ww_lru_clear(&lru);
    ww_lru_destroy(&lru);
}

/* Rows of a matrix 16 KiB apart: every fourth page. 8 of them are in 2 of 8 sets by their low bits,
 * in 8 when folded. */
static void folding_spreads_rows(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++) {
        ww_lru lru;
        unsigned kept = 0;
        ww_lru_create(&lru, &(ww_lru_config){.entries = 8, .ways = 1, .hashed = hashed});
        for (uint64_t row = 0; row < 8; row++)
            ww_lru_put(&lru, row * 4, row);
        for (uint64_t row = 0; row < 8; row++)
            kept += ww_lru_has(&lru, row * 4);
        assert_int_equal(kept, hashed ? 8 : 2);
        ww_lru_destroy(&lru);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_list_in_order_of_use),
        cmocka_unit_test(with_no_entries_nothing_is_kept),
        cmocka_unit_test(folding_spreads_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
