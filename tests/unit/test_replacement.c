/* Replacement policies: eviction orders worked out by hand, and what all of them must do. */
#include "base/memory.h"
#include "base/rng.h"
#include "config/config.h"
#include "mem/tags.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ALL (~0ull)

typedef struct policy {
    const ww_replace *replace;
    void *state;
} policy;

static ww_config *defaults; /* for policies with keys */

static const ww_replace *named(const char *name)
{
    const ww_policy *found = ww_policy_find(&ww_replace_l1d_family, name);
    assert_non_null(found);
    return (const ww_replace *)(const void *)found;
}

static bool is_refused(const char *name, uint64_t ways)
{
    ww_policy_start start = {.config = defaults, .prefix = "l1d", .ways = ways};
    return named(name)->refuse && named(name)->refuse(&start);
}

static policy begin(const char *name, uint32_t sets, uint32_t ways, uint64_t seed)
{
    policy p = {.replace = named(name)};
    p.state = ww_policy_create(
        &p.replace->policy,
        &(ww_policy_start){
            .config = defaults, .prefix = "l1d", .seed = seed, .sets = sets, .ways = ways});
    return p;
}

static void insert(policy p, uint32_t way)
{
    p.replace->insert(p.state, 0, way, NULL);
}

static void hit(policy p, uint32_t way)
{
    p.replace->hit(p.state, 0, way, NULL);
}

static uint32_t victim(policy p, uint64_t allowed)
{
    return p.replace->choose(p.state, 0, (ww_ways){.allowed = allowed}, NULL);
}

static policy filled(const char *name)
{
    policy p = begin(name, 1, 4, 1);
    for (uint32_t way = 0; way < 4; way++)
        insert(p, way);
    return p;
}

static void lru_gives_up_the_least_recently_used(void **state)
{
    (void)state;
    policy p = filled("lru");
    assert_int_equal(victim(p, 0xf), 0);
    hit(p, 0);
    assert_int_equal(victim(p, 0xf), 1);
    assert_int_equal(victim(p, 0xd), 2);
    insert(p, 1);
    assert_int_equal(victim(p, 0xf), 2);
    hit(p, 2);
    hit(p, 3);
    assert_int_equal(victim(p, 0xf), 0);
    free(p.state);
}

/* Root {01|23}, below it {0|1} and {2|3}. After 0..3 every node points to its lower half. */
static void plru_follows_its_tree(void **state)
{
    (void)state;
    policy p = filled("plru");
    assert_int_equal(victim(p, 0xf), 0);
    hit(p, 0); /* root and {0|1} now point up: LRU would say 1 */
    assert_int_equal(victim(p, 0xf), 2);
    hit(p, 2);
    assert_int_equal(victim(p, 0xf), 1);
    assert_int_equal(victim(p, 0xc), 3);
    assert_int_equal(victim(p, 0x4), 2);
    assert_int_equal(victim(p, 0x9), 0);
    free(p.state);
    assert_true(is_refused("plru", 12));
    assert_false(is_refused("plru", 16));
    assert_false(is_refused("plru", 1));
}

/* Intervals after 0..3 and a hit of 1: 2 0 2 2. */
static void srrip_predicts_intervals(void **state)
{
    (void)state;
    policy p = filled("srrip");
    hit(p, 1);
    assert_int_equal(victim(p, 0xf), 0); /* 3 1 3 3 */
    insert(p, 0);                        /* 2 1 3 3 */
    assert_int_equal(victim(p, 0xf), 2);
    insert(p, 2); /* 2 1 2 3 */
    assert_int_equal(victim(p, 0xf), 3);
    insert(p, 3);                        /* 2 1 2 2 */
    assert_int_equal(victim(p, 0xf), 0); /* 3 2 3 3 */
    hit(p, 2);                           /* 3 2 0 3 */
    assert_int_equal(victim(p, 0x6), 1); /* 3 3 1 3 */
    insert(p, 0);
    insert(p, 3); /* 2 3 1 2 */
    assert_int_equal(victim(p, 0xf), 1);
    free(p.state);
}

static void random_is_decided_by_the_seed(void **state)
{
    (void)state;
    uint32_t first[64], again[64], other[64];
    unsigned seen = 0;
    policy a = begin("random", 1, 8, 5), b = begin("random", 1, 8, 5), c = begin("random", 1, 8, 6);
    for (int i = 0; i < 64; i++) {
        first[i] = victim(a, 0xff);
        again[i] = victim(b, 0xff);
        other[i] = victim(c, 0xff);
        seen |= 1u << first[i];
    }
    assert_memory_equal(first, again, sizeof(first));
    assert_memory_not_equal(first, other, sizeof(first));
    assert_int_equal(seen, 0xff);
    free(a.state);
    free(b.state);
    free(c.state);
}

static void victims_are_allowed_and_repeat(void **state)
{
    (void)state;
    enum { SETS = 5, STEPS = 4000 };
    static const ww_request request;
    for (size_t m = 0; m < ww_replace_l1d_family.count; m++)
        for (uint32_t ways = 1; ways <= 64; ways = ways == 32 ? 48 : ways == 48 ? 64 : 2 * ways) {
            const char *name = ww_replace_l1d_family.members[m]->name;
            if (is_refused(name, ways))
                continue;
            policy a = begin(name, SETS, ways, 9), b = begin(name, SETS, ways, 9);
            ww_rng rng;
            ww_rng_seed(&rng, ways);
            for (int i = 0; i < STEPS; i++) {
                uint32_t set = (uint32_t)ww_rng_below(&rng, SETS);
                uint32_t way = (uint32_t)ww_rng_below(&rng, ways);
                uint64_t allowed = (ww_rng_next(&rng) & ALL >> (64 - ways)) | 1ull << way;
                uint32_t v =
                    a.replace->choose(a.state, set, (ww_ways){.allowed = allowed}, &request);
                assert_int_equal(
                    v, b.replace->choose(b.state, set, (ww_ways){.allowed = allowed}, &request));
                if (v == WW_NO_WAY)
                    continue; /* its part is held */
                assert_true(v < ways && (allowed >> v & 1));
                a.replace->insert(a.state, set, v, &request);
                b.replace->insert(b.state, set, v, &request);
                a.replace->hit(a.state, set, way, &request);
                b.replace->hit(b.state, set, way, &request);
            }
            free(a.state);
            free(b.state);
        }
}

static const ww_key keys[] = {
    {.key = "l2.size", .type = WW_KEY_BYTES, .initial = "64KiB", .doc = "d"},
    {.key = "l1d.line", .type = WW_KEY_BYTES, .initial = "128", .doc = "d"},
    {.key = "l2.ways", .type = WW_KEY_U64, .initial = "8", .doc = "d"},
    {.key = "l2.replacement",
     .type = WW_KEY_POLICY,
     .family = &ww_replace_l2_family,
     .initial = "lru",
     .doc = "d"},
    {.key = "l1d.replacement",
     .type = WW_KEY_POLICY,
     .family = &ww_replace_l1d_family,
     .initial = "lru",
     .doc = "d"},
};

static uint64_t bits(const ww_config *config, const char *name, const char *key)
{
    return ww_policy_storage_bits(&named(name)->policy, config, key);
}

static void storage_follows_the_geometry(void **state)
{
    (void)state;
    static const ww_schema schema = {
        .name = "mem", .doc = "d", .keys = keys, .count = sizeof(keys) / sizeof(keys[0])};
    static const ww_schema *const schemas[] = {&schema};
    static const ww_schema_set set = {schemas, 1};
    ww_config *config = ww_config_create(&set);
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_policy_check_family(&ww_replace_l2_family, errors), WW_OK);
    assert_int_equal(ww_policy_check_family(&ww_replace_l1d_family, errors), WW_OK);
    assert_int_equal(ww_policy_check_family(&ww_replace_l1i_family, errors), WW_OK);
    assert_int_equal(ww_policy_check_family(&ww_replace_l1s_family, errors), WW_OK);
    assert_int_equal(bits(config, "lru", "l2.replacement"), 64 * 8 * 3);
    assert_int_equal(bits(config, "plru", "l2.replacement"), 64 * 7);
    assert_int_equal(bits(config, "srrip", "l2.replacement"), 64 * 8 * 2);
    assert_int_equal(bits(config, "random", "l2.replacement"), 0);
    assert_int_equal(bits(config, "srrip", "l1d.replacement"), 0);
    ww_errors_destroy(errors);
    ww_config_destroy(config);
}

static ww_tags *tags_of(uint32_t sets, uint32_t ways, ww_index index, uint32_t slices,
                        uint32_t slice_lines)
{
    return ww_tags_create(&(ww_tags_config){.sets = sets,
                                            .ways = ways,
                                            .index = index,
                                            .slices = slices,
                                            .slice_lines = slice_lines,
                                            .replace = named("lru")});
}

static void lines_find_their_set(void **state)
{
    (void)state;
    ww_tags *low = tags_of(16, 1, WW_INDEX_LOW, 1, 1), *odd = tags_of(12, 1, WW_INDEX_LOW, 1, 1);
    ww_tags *hash = tags_of(16, 1, WW_INDEX_XOR, 1, 1), *slice = tags_of(16, 1, WW_INDEX_LOW, 6, 2);
    assert_int_equal(ww_tags_set(low, 0x123), 3);
    assert_int_equal(ww_tags_set(odd, 31), 7);
    assert_int_equal(ww_tags_set(hash, 0x123), 0x1 ^ 0x2 ^ 0x3);
    /* Lines 8, 9, 20, 21, 32, ... are those of the slice, in rounds of 12. */
    assert_int_equal(ww_tags_set(slice, 8), 0);
    assert_int_equal(ww_tags_set(slice, 9), 1);
    assert_int_equal(ww_tags_set(slice, 20), 2);
    assert_int_equal(ww_tags_set(slice, 33), 5);
    ww_tags_destroy(low);
    ww_tags_destroy(odd);
    ww_tags_destroy(hash);
    ww_tags_destroy(slice);
}

static void free_ways_come_first_and_reserved_ones_never(void **state)
{
    (void)state;
    ww_tags *tags = tags_of(2, 3, WW_INDEX_LOW, 1, 1);
    for (uint32_t i = 0; i < 3; i++) {
        ww_tags_entry entry = ww_tags_choose(tags, 1, ALL, NULL);
        assert_int_equal(entry.way, i);
        ww_tags_insert(tags, entry, 2 * i + 1, NULL);
    }
    assert_int_equal(ww_tags_find(tags, 5).way, 2);
    assert_true(ww_tags_find(tags, 4).way == WW_NO_WAY);
    ww_tags_reserve(tags, (ww_tags_entry){1, 0});
    assert_int_equal(ww_tags_choose(tags, 1, ALL, NULL).way, 1);
    assert_int_equal(ww_tags_choose(tags, 1, ~2ull, NULL).way, 2);
    ww_tags_reserve(tags, (ww_tags_entry){1, 1});
    assert_true(ww_tags_choose(tags, 1, 3, NULL).way == WW_NO_WAY);
    ww_tags_release(tags, (ww_tags_entry){1, 0});
    assert_int_equal(ww_tags_choose(tags, 1, 3, NULL).way, 0);
    ww_tags_remove(tags, (ww_tags_entry){1, 2});
    assert_int_equal(ww_tags_choose(tags, 1, ALL, NULL).way, 2);
    ww_tags_destroy(tags);
}

static void visit(void *owner, ww_tags_entry entry)
{
    ww_tags *tags = owner;
    if (ww_tags_number(tags, entry) != 9) /* stays */
        ww_tags_remove(tags, entry);
    assert_int_equal(entry.set, 1);
}

static void only_used_sets_are_visited(void **state)
{
    (void)state;
    ww_tags *tags = tags_of(8, 2, WW_INDEX_LOW, 1, 1);
    ww_tags_each(tags, visit, tags);
    ww_tags_insert(tags, (ww_tags_entry){1, 0}, 1, NULL);
    ww_tags_insert(tags, (ww_tags_entry){1, 1}, 9, NULL);
    assert_int_equal(tags->used_count, 1);
    ww_tags_each(tags, visit, tags);
    assert_int_equal(tags->used_count, 1);
    assert_true(ww_tags_find(tags, 1).way == WW_NO_WAY);
    ww_tags_remove(tags, ww_tags_find(tags, 9));
    ww_tags_each(tags, visit, tags);
    assert_int_equal(tags->used_count, 0);
    ww_tags_insert(tags, (ww_tags_entry){1, 0}, 17, NULL);
    ww_tags_each(tags, visit, tags);
    assert_true(ww_tags_find(tags, 17).way == WW_NO_WAY);
    ww_tags_destroy(tags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_gives_up_the_least_recently_used),
        cmocka_unit_test(plru_follows_its_tree),
        cmocka_unit_test(srrip_predicts_intervals),
        cmocka_unit_test(random_is_decided_by_the_seed),
        cmocka_unit_test(victims_are_allowed_and_repeat),
        cmocka_unit_test(storage_follows_the_geometry),
        cmocka_unit_test(lines_find_their_set),
        cmocka_unit_test(free_ways_come_first_and_reserved_ones_never),
        cmocka_unit_test(only_used_sets_are_visited),
    };
    defaults = ww_config_create(&ww_all_schemas);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ww_config_destroy(defaults);
    return failed;
}
