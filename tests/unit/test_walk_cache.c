/* Walk caches: where a walk starts, which entry is evicted, and what an estimate protects.
 *
 * Tables of an array show its entries in order, with a * for the bit of recent use. */
#include "base/rng.h"
#include "vm/walk_cache.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ROOT 0

/* The address of the n-th entry of a level. */
static uint64_t at(unsigned level, uint64_t n)
{
    return n << ww_level_shift(level);
}

static ww_walk_cache *create(ww_walk_cache_kind kind, uint32_t entries, bool protect, unsigned leaf)
{
    return ww_walk_cache_create(&(ww_walk_cache_config){
        .kind = kind, .entries = entries, .protect = protect, .leaf_level = leaf});
}

static void check_start(ww_walk_cache *cache, uint64_t address, unsigned level, uint64_t node)
{
    static const ww_walk_lookup ways[] = {WW_LOOKUP_PEEK, WW_LOOKUP_ESTIMATE, WW_LOOKUP_SELECTED,
                                          WW_LOOKUP_AT_ONCE};
    for (size_t i = 0; i < 4; i++) {
        ww_walk_start start = ww_walk_cache_lookup(cache, address, ways[i]);
        assert_int_equal(start.level, level);
        assert_int_equal(start.node, node);
    }
}

static bool has(const ww_walk_cache *cache, unsigned level, uint64_t n)
{
    return ww_walk_cache_protection(cache, at(level, n), level) >= 0;
}

static void put(ww_walk_cache *cache, unsigned level, uint64_t n)
{
    ww_walk_cache_put(cache, at(level, n), level, n << 12);
}

static void look(ww_walk_cache *cache, uint64_t n, ww_walk_lookup why)
{
    ww_walk_cache_lookup(cache, at(2, n), why);
}

static void the_lowest_level_that_is_there_decides(void **state)
{
    static const ww_walk_cache_kind kinds[] = {WW_WALK_CACHE_LEVELS, WW_WALK_CACHE_UNIFIED};
    const uint64_t a = 0x123456789000;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        ww_walk_cache *cache = create(kinds[k], 8, true, 1);
        check_start(cache, a, 4, ROOT);
        ww_walk_cache_put(cache, a, 4, 0x4000);
        check_start(cache, a, 3, 0x4000);
        ww_walk_cache_put(cache, a, 3, 0x3000);
        check_start(cache, a, 2, 0x3000);
        ww_walk_cache_put(cache, a, 2, 0x2000);
        check_start(cache, a, 1, 0x2000);
        /* Others share as much of the way as of their address. */
        check_start(cache, a ^ 1ull << 12, 1, 0x2000);
        check_start(cache, a ^ 1ull << 20, 1, 0x2000);
        check_start(cache, a ^ 1ull << 21, 2, 0x3000);
        check_start(cache, a ^ 1ull << 29, 2, 0x3000);
        check_start(cache, a ^ 1ull << 30, 3, 0x4000);
        check_start(cache, a ^ 1ull << 38, 3, 0x4000);
        check_start(cache, a ^ 1ull << 39, 4, ROOT);
        /* A lower one without the upper ones is enough. */
        ww_walk_cache_put(cache, 0, 2, 0x9000);
        check_start(cache, 0x1ff000, 1, 0x9000);
        ww_walk_cache_put(cache, 0, 2, 0xa000); /* a new value for what is there */
        check_start(cache, 0, 1, 0xa000);
        ww_walk_cache_destroy(cache);
    }
}

static void large_pages_have_no_entries_of_their_leaf_level(void **state)
{
    (void)state;
    ww_walk_cache *cache = create(WW_WALK_CACHE_LEVELS, 8, true, 2);
    check_start(cache, 0, 4, ROOT);
    ww_walk_cache_put(cache, 0, 4, 0x4000);
    check_start(cache, 0, 3, 0x4000);
    ww_walk_cache_put(cache, 0, 3, 0x3000);
    check_start(cache, 0, 2, 0x3000);
    ww_walk_cache_put(cache, 0, 2, 0x2000);
    check_start(cache, 0, 2, 0x3000);
    ww_walk_cache_destroy(cache);
}

static void without_a_cache_every_walk_starts_at_the_root(void **state)
{
    (void)state;
    ww_walk_cache *none = create(WW_WALK_CACHE_NONE, 8, true, 1);
    ww_walk_cache *empty = create(WW_WALK_CACHE_LEVELS, 0, true, 1);
    for (unsigned level = 2; level <= 4; level++) {
        ww_walk_cache_put(none, 0, level, 0x5000);
        ww_walk_cache_put(empty, 0, level, 0x5000);
    }
    check_start(none, 0, 4, ROOT);
    check_start(empty, 0, 4, ROOT);
    ww_walk_cache_invalidate(none, 0);
    ww_walk_cache_invalidate_space(none, 0);
    assert_int_equal(ww_walk_cache_count(none)->lookups, 0);
    assert_int_equal(ww_walk_cache_count(none)->hits[0], 0);
    ww_walk_cache_destroy(none);
    ww_walk_cache_destroy(empty);
}

/* 1* | 1* 2* | 1* 2* 3* | 1 2 3 4* (all would be set) */
static ww_walk_cache *filled(bool protect)
{
    ww_walk_cache *cache = create(WW_WALK_CACHE_LEVELS, 4, protect, 1);
    for (uint64_t n = 1; n <= 4; n++)
        put(cache, 2, n);
    return cache;
}

static void check_gone(ww_walk_cache *cache, uint64_t added, uint64_t gone)
{
    assert_true(has(cache, 2, gone));
    put(cache, 2, added);
    assert_true(has(cache, 2, added));
    assert_false(has(cache, 2, gone));
}

static void the_first_without_its_bit_goes(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(false);
    check_gone(cache, 5, 1); /* 5* 2 3 4* */
    check_gone(cache, 6, 2); /* 5* 6* 3 4* */
    check_gone(cache, 7, 3); /* 5 6 7* 4: all would be set */
    check_gone(cache, 8, 5); /* 8* 6 7* 4 */
    ww_walk_cache_destroy(cache);

    static const ww_walk_lookup uses[] = {WW_LOOKUP_SELECTED, WW_LOOKUP_AT_ONCE};
    for (size_t i = 0; i < 2; i++) {
        cache = filled(false);
        look(cache, 1, uses[i]); /* 1* 2 3 4* */
        check_gone(cache, 5, 2); /* 1* 5* 3 4* */
        check_gone(cache, 6, 3); /* 1 5 6* 4 */
        check_gone(cache, 7, 1);
        ww_walk_cache_destroy(cache);
    }
}

static void estimates_and_peeks_are_no_use(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(false);
    look(cache, 1, WW_LOOKUP_ESTIMATE);
    look(cache, 1, WW_LOOKUP_PEEK);
    check_gone(cache, 5, 1);
    assert_int_equal(ww_walk_cache_protection(cache, at(2, 2), 2), 0);
    look(cache, 2, WW_LOOKUP_ESTIMATE);
    assert_int_equal(ww_walk_cache_protection(cache, at(2, 2), 2), 0); /* no protection here */
    ww_walk_cache_destroy(cache);
}

static void levels_have_arrays_of_their_own_or_share_one(void **state)
{
    (void)state;
    ww_walk_cache *levels = create(WW_WALK_CACHE_LEVELS, 2, false, 1);
    ww_walk_cache *unified = create(WW_WALK_CACHE_UNIFIED, 2, false, 1);
    for (unsigned level = 4; level >= 2; level--) {
        put(levels, level, 9);
        put(unified, level, 9);
    }
    for (unsigned level = 4; level >= 2; level--)
        assert_true(has(levels, level, 9));
    assert_false(has(unified, 4, 9)); /* 4* | 4 3* | 2* 3 */
    assert_true(has(unified, 3, 9));
    assert_true(has(unified, 2, 9));
    /* The same number at two levels is not the same entry. */
    assert_true(has(unified, 3, 9));
    assert_false(has(unified, 2, 0));
    ww_walk_cache_destroy(levels);
    ww_walk_cache_destroy(unified);
}

static void counts_go_up_with_estimates_and_down_with_selections(void **state)
{
    (void)state;
    ww_walk_cache *cache = create(WW_WALK_CACHE_LEVELS, 4, true, 1);
    for (unsigned level = 2; level <= 4; level++)
        ww_walk_cache_put(cache, 0, level, 0x1000 * level);
    static const int up[] = {1, 2, 3, 3, 3}, down[] = {2, 1, 0, 0};
    for (size_t i = 0; i < 5; i++) {
        ww_walk_cache_lookup(cache, 0, WW_LOOKUP_ESTIMATE);
        for (unsigned level = 2; level <= 4; level++) /* all that are there, not the lowest alone */
            assert_int_equal(ww_walk_cache_protection(cache, 0, level), up[i]);
    }
    ww_walk_cache_lookup(cache, 0, WW_LOOKUP_AT_ONCE);
    ww_walk_cache_lookup(cache, 0, WW_LOOKUP_PEEK);
    assert_int_equal(ww_walk_cache_protection(cache, 0, 2), 3);
    for (size_t i = 0; i < 4; i++) {
        ww_walk_cache_lookup(cache, 0, WW_LOOKUP_SELECTED);
        assert_int_equal(ww_walk_cache_protection(cache, 0, 2), down[i]);
    }
    /* One that shares only the upper levels counts only there. */
    ww_walk_cache_lookup(cache, at(2, 1), WW_LOOKUP_ESTIMATE);
    assert_int_equal(ww_walk_cache_protection(cache, 0, 2), 0);
    assert_int_equal(ww_walk_cache_protection(cache, 0, 3), 1);
    assert_int_equal(ww_walk_cache_protection(cache, at(2, 1), 2), -1);
    ww_walk_cache_put(cache, 0, 3, 0x3000); /* filled again, it keeps its count */
    assert_int_equal(ww_walk_cache_protection(cache, 0, 3), 1);
    ww_walk_cache_destroy(cache);
}

static void protected_entries_are_passed_over(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(true); /* 1 2 3 4* */
    look(cache, 1, WW_LOOKUP_ESTIMATE);
    check_gone(cache, 5, 2); /* 1+1 5* 3 4* */
    assert_true(has(cache, 2, 1));
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 1);
    look(cache, 3, WW_LOOKUP_ESTIMATE);
    check_gone(cache, 6,
               5); /* 1+1 6* 3+1 4*: all without the bit are protected; the first with it goes */
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 2);
    look(cache, 1, WW_LOOKUP_SELECTED); /* 1* 6* 3+1 4* */
    check_gone(cache, 7, 1);
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 3);
    look(cache, 3, WW_LOOKUP_SELECTED); /* 7 6 3* 4: now nothing is protected */
    check_gone(cache, 8, 7);
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 3);
    ww_walk_cache_destroy(cache);
}

static void a_count_of_two_needs_two_selections(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(true); /* 1 2 3 4* */
    look(cache, 1, WW_LOOKUP_ESTIMATE);
    look(cache, 1, WW_LOOKUP_ESTIMATE);
    look(cache, 1, WW_LOOKUP_SELECTED); /* 1*+1 2 3 4* */
    look(cache, 2, WW_LOOKUP_SELECTED);
    look(cache, 3, WW_LOOKUP_SELECTED); /* 1+1 2 3* 4 */
    check_gone(cache, 5, 2);
    look(cache, 1, WW_LOOKUP_SELECTED); /* 1* 5* 3* 4 */
    look(cache, 4, WW_LOOKUP_SELECTED); /* 1 5 3 4* */
    check_gone(cache, 6, 1);
    ww_walk_cache_destroy(cache);
}

static void when_all_are_protected_the_bits_decide(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(true); /* 1 2 3 4* */
    for (uint64_t n = 1; n <= 4; n++)
        look(cache, n, WW_LOOKUP_ESTIMATE);
    check_gone(cache, 5, 1);
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 0);
    assert_int_equal(ww_walk_cache_protection(cache, at(2, 5), 2), 0); /* a new one is not */
    check_gone(cache, 6, 5);
    ww_walk_cache_destroy(cache);
}

static void invalidated_entries_are_free(void **state)
{
    (void)state;
    ww_walk_cache *cache = filled(true);
    ww_walk_cache_put(cache, at(2, 3), 3, 0x3000);
    look(cache, 1, WW_LOOKUP_ESTIMATE);
    ww_walk_cache_invalidate(cache, at(2, 3) + 0x5000);
    assert_false(has(cache, 2, 3));
    assert_int_equal(ww_walk_cache_protection(cache, at(2, 3), 3), -1);
    put(cache, 2, 5);
    for (uint64_t n = 1; n <= 5; n++)
        assert_int_equal(has(cache, 2, n), n != 3);
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 0);
    ww_walk_cache_invalidate_space(cache, 0);
    for (uint64_t n = 1; n <= 5; n++)
        assert_false(has(cache, 2, n));
    check_start(cache, at(2, 1), 4, ROOT);
    ww_walk_cache_destroy(cache);
}

static void lookups_are_counted_by_their_lowest_level(void **state)
{
    (void)state;
    ww_walk_cache *cache = create(WW_WALK_CACHE_LEVELS, 4, true, 1);
    ww_walk_cache_lookup(cache, 0, WW_LOOKUP_SELECTED);
    ww_walk_cache_lookup(cache, 0, WW_LOOKUP_ESTIMATE);
    for (unsigned level = 4; level >= 2; level--) {
        ww_walk_cache_put(cache, 0, level, 0);
        ww_walk_cache_lookup(cache, 0, level % 2 ? WW_LOOKUP_SELECTED : WW_LOOKUP_AT_ONCE);
        ww_walk_cache_lookup(cache, 0, WW_LOOKUP_ESTIMATE);
        ww_walk_cache_lookup(cache, 0, WW_LOOKUP_PEEK);
    }
    const ww_walk_cache_counters *c = ww_walk_cache_count(cache);
    assert_int_equal(c->lookups, 4);
    assert_int_equal(c->hits[0] + c->hits[2] + c->hits[3] + c->hits[4], 4);
    assert_int_equal(c->hits[0], 1);
    assert_int_equal(c->hits[1], 0);
    assert_int_equal(c->estimates, 4);
    assert_int_equal(c->estimate_hits, 3);
    ww_walk_cache_destroy(cache);
}

/* One entry: what was put last is there. */
static void a_single_entry_is_the_last(void **state)
{
    (void)state;
    ww_walk_cache *cache = create(WW_WALK_CACHE_LEVELS, 1, true, 1);
    for (uint64_t n = 0; n < 5; n++) {
        put(cache, 2, n);
        look(cache, n, WW_LOOKUP_ESTIMATE);
        assert_true(has(cache, 2, n));
        assert_true(n == 0 || !has(cache, 2, n - 1));
    }
    assert_int_equal(ww_walk_cache_count(cache)->protected_victims, 0);
    ww_walk_cache_destroy(cache);
}

/* Nothing is protected before its first estimate: until then both caches evict the same. */
static void without_estimates_protection_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t entries = 1; entries <= 16; entries++) {
        ww_rng rng;
        ww_rng_seed(&rng, entries);
        ww_walk_cache *with = create(WW_WALK_CACHE_LEVELS, entries, true, 1);
        ww_walk_cache *without = create(WW_WALK_CACHE_LEVELS, entries, false, 1);
        for (unsigned step = 0; step < 500; step++) {
            uint64_t n = ww_rng_below(&rng, 24), act = ww_rng_below(&rng, 8);
            ww_walk_cache *each[] = {with, without};
            for (size_t i = 0; i < 2; i++) {
                if (act == 0)
                    ww_walk_cache_invalidate(each[i], at(2, n));
                else if (act < 4)
                    look(each[i], n, WW_LOOKUP_SELECTED);
                else
                    put(each[i], 2, n);
            }
            for (uint64_t k = 0; k < 24; k++)
                assert_int_equal(has(with, 2, k), has(without, 2, k));
        }
        assert_int_equal(ww_walk_cache_count(with)->protected_victims, 0);
        assert_int_equal(ww_walk_cache_count(without)->protected_victims, 0);
        ww_walk_cache_destroy(with);
        ww_walk_cache_destroy(without);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_level_that_is_there_decides),
        cmocka_unit_test(large_pages_have_no_entries_of_their_leaf_level),
        cmocka_unit_test(without_a_cache_every_walk_starts_at_the_root),
        cmocka_unit_test(the_first_without_its_bit_goes),
        cmocka_unit_test(estimates_and_peeks_are_no_use),
        cmocka_unit_test(levels_have_arrays_of_their_own_or_share_one),
        cmocka_unit_test(counts_go_up_with_estimates_and_down_with_selections),
        cmocka_unit_test(protected_entries_are_passed_over),
        cmocka_unit_test(a_count_of_two_needs_two_selections),
        cmocka_unit_test(when_all_are_protected_the_bits_decide),
        cmocka_unit_test(invalidated_entries_are_free),
        cmocka_unit_test(lookups_are_counted_by_their_lowest_level),
        cmocka_unit_test(a_single_entry_is_the_last),
        cmocka_unit_test(without_estimates_protection_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
