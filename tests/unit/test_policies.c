/* The contract of policies in general, and of every member of every family. */
#include "config/config.h"
#include "exec/order.h"
#include "host/placement.h"
#include "sim/components.h"
#include "stats/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void families_are_well_formed(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    size_t families = 0;
    for (size_t i = 0; i < ww_config_count(config); i++) {
        const ww_key *key = ww_config_setting(config, i)->key;
        if (key->type != WW_KEY_POLICY)
            continue;
        families++;
        ww_policy_check_family(key->family, errors);
        assert_string_equal(key->key, key->family->key);
        for (size_t m = 0; m < key->family->count; m++)
            ww_policy_storage_bits(key->family->members[m], config, key->key);
    }
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    assert_int_equal(families, 18);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void breaches_are_found(void **state)
{
    (void)state;
    static const ww_key keys[] = {{.key = "b", .type = WW_KEY_U64, .initial = "x", .doc = "d"},
                                  {.key = "c", .type = WW_KEY_U64, .initial = "1"}};
    static const ww_policy good = {.name = "one", .doc = "fine"};
    static const ww_policy same_name = {.name = "one", .doc = "two\nlines"};
    static const ww_policy loud = {.name = "Loud", .doc = "capital"};
    static const ww_policy careless = {.name = "two", .doc = "d", .keys = keys, .key_count = 2};
    static const ww_first_pass_need oracle = {.instead = "dreamer", .records = 1},
                                    nothing = {.instead = "one"},
                                    unknown = {.instead = "none", .records = 1};
    static const ww_policy seer = {.name = "seer", .doc = "d", .first_pass = &oracle};
    static const ww_policy dreamer = {.name = "dreamer", .doc = "d", .first_pass = &nothing};
    static const ww_policy sleeper = {.name = "sleeper", .doc = "d", .first_pass = &unknown};
    static const ww_policy *const members[] = {&good, &same_name, &loud,   &careless,
                                               &seer, &dreamer,   &sleeper};
    static const ww_policy_family family = {"f", "a.policy", "d", members, 7, NULL};
    static const ww_policy_family empty = {"e", "a.policy", "d", members, 0, NULL};
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_policy_check_family(&family, errors), WW_FAILED);
    assert_int_equal(ww_errors_count(errors), 8);
    assert_int_equal(ww_policy_check_family(&empty, errors), WW_FAILED);
    ww_errors_destroy(errors);
}

/* ---- keys and statistics of a policy, under the prefix of each family that it is a member of ----
 */

typedef struct counting {
    uint64_t step; /* a key */
    uint64_t calls;
    double weight;
} counting;

static const ww_key counting_keys[] = {
    {.key = "step", .type = WW_KEY_U64, .initial = "2", .doc = "added by a call"},
};

static double weight_of_a_call(const void *counters, const ww_config *config)
{
    const counting *c = counters;
    (void)config;
    return ww_ratio(c->weight, (double)c->calls);
}

static const ww_stat counting_stats[] = {
    {"calls", "calls", "so far", WW_STAT_COUNTER, offsetof(counting, calls), NULL, false},
    {"weight", "kg", "of all", WW_STAT_GAUGE, offsetof(counting, weight), NULL, false},
    {"mean", "kg", "of a call", WW_STAT_DERIVED, 0, weight_of_a_call, false},
};

static void start_counting(void *state, const ww_policy_start *start)
{
    ((counting *)state)->step = ww_policy_u64(start, "step");
}

static uint64_t counting_bits(const ww_policy_start *start)
{
    return ww_policy_u64(start, "step") * start->entries;
}

static const ww_policy plain = {.name = "plain", .doc = "does nothing"};
static const ww_policy counter = {.name = "counter",
                                  .doc = "counts",
                                  WW_POLICY_KEYS(counting_keys),
                                  WW_POLICY_STATS(counting_stats),
                                  .state_size = sizeof(counting),
                                  .start = start_counting,
                                  .storage_bits = counting_bits};
/* Shares the key and the statistics of the other. */
static const ww_policy twin = {.name = "twin",
                               .doc = "counts as well",
                               WW_POLICY_KEYS(counting_keys),
                               WW_POLICY_STATS(counting_stats),
                               .state_size = sizeof(counting),
                               .start = start_counting};
static const ww_policy *const counters[] = {&plain, &counter, &twin};

static void ten_entries(ww_policy_start *start)
{
    start->entries = 10;
}

static const ww_policy_family big = {"big", "big.way", "d", counters, 3, ten_entries};
static const ww_policy_family small = {"small", "small.way", "d", counters, 3, NULL};
static const ww_key way_keys[] = {
    {.key = "big.way", .type = WW_KEY_POLICY, .family = &big, .initial = "plain", .doc = "d"},
    {.key = "small.way", .type = WW_KEY_POLICY, .family = &small, .initial = "plain", .doc = "d"},
};
static const ww_schema way_schema = {.name = "ways", .doc = "d", .keys = way_keys, .count = 2};
static const ww_schema *const way_schemas[] = {&way_schema};
static const ww_schema_set way_set = {way_schemas, 1};

static void keys_of_a_policy_have_the_prefix_of_its_family(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&way_set);
    assert_int_equal(ww_config_count(config), 4);
    assert_int_equal(ww_policy_check_family(&big, errors), WW_OK);
    assert_int_equal(ww_config_set(config, "big.way=counter", errors), WW_OK);
    assert_int_equal(ww_config_set(config, "big.step=5", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_OK);
    assert_int_equal(ww_config_u64(config, "small.step"), 2);
    assert_int_equal(ww_policy_storage_bits(&counter, config, "big.way"), 5 * 10);
    assert_int_equal(ww_policy_storage_bits(&counter, config, "small.way"), 0);
    assert_int_equal(ww_policy_storage_bits(&plain, config, "big.way"), 0);
    assert_int_equal(ww_config_set(config, "small.step=5", errors), WW_OK);
    assert_int_equal(ww_config_check(config, errors), WW_BAD_INPUT);
    assert_string_equal(ww_errors_line(errors, 0),
                        "-s small.step=5: has no effect while small.way is plain");
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static counting *create_counting(const ww_config *config, const char *prefix, ww_policies *all)
{
    return ww_policy_create(
        &counter, &(ww_policy_start){.config = config, .prefix = prefix, .instances = all});
}

static void assert_reading(const ww_stats *stats, const char *name, double value)
{
    const ww_reading *reading = ww_stats_find(stats, name);
    assert_non_null(reading);
    assert_true((reading->whole ? (double)reading->count : reading->real) == value);
}

static void statistics_of_a_policy_are_summed_over_its_instances(void **state)
{
    (void)state;
    ww_config *config = ww_config_create(&way_set);
    ww_policies *all = ww_policies_create();
    counting *one = create_counting(config, "big", all), *two = create_counting(config, "big", all);
    counting *other = create_counting(config, "small", all);
    ww_policy_start start = {.config = config, .prefix = "small", .instances = all};
    void *silent = ww_policy_create(&plain, &start);
    assert_int_equal(one->step, 2);
    *one = (counting){.calls = 3, .weight = 4};
    *two = (counting){.calls = 5, .weight = 8};
    other->calls = 7;
    ww_stats *stats = ww_stats_create(config);
    ww_stats_add_policies(stats, all);
    assert_int_equal(ww_stats_count(stats), 2 * 3);
    ww_stats_mark(stats);
    one->calls += 10;
    ww_policy_destroy(&plain, &start, silent);
    ww_policy_destroy(&counter, &start, other); /* its statistics stay */
    ww_stats_read(stats);
    assert_reading(stats, "big.calls", 10);
    assert_reading(stats, "big.weight", 0);
    assert_reading(stats, "small.calls", 0);
    ww_stats_destroy(stats);
    stats = ww_stats_create(config);
    ww_stats_add_policies(stats, all);
    ww_stats_read(stats);
    assert_reading(stats, "big.calls", 18);
    assert_reading(stats, "big.mean", 12. / 18);
    assert_reading(stats, "small.calls", 7);
    ww_stats_destroy(stats);
    ww_policies_destroy(all);
    ww_config_destroy(config);
}

static void policies_that_share_a_statistic_declare_it_once(void **state)
{
    (void)state;
    ww_config *config = ww_config_create(&way_set);
    ww_stats *stats = ww_stats_create(config);
    for (size_t i = 0; i < big.count; i++)
        ww_stats_add_policy(stats, big.members[i], "big", NULL);
    assert_int_equal(ww_stats_count(stats), 3);
    ww_stats_read(stats);
    assert_reading(stats, "big.mean", 0);
    ww_stats_destroy(stats);
    ww_config_destroy(config);
}

/* ---- families ---- */

static const ww_order *order_named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_order_family, name);
    assert_non_null(policy);
    return (const ww_order *)(const void *)policy;
}

/* Takes all `count` elements and records the order. */
static void run_order(const ww_order *order, uint64_t seed, size_t count, size_t *picks)
{
    ww_policy_start start = {.prefix = "exec", .seed = seed};
    void *policy_state = ww_policy_create(&order->policy, &start);
    for (size_t left = count; left > 0; left--) {
        picks[count - left] = order->next(policy_state, left);
        assert_true(picks[count - left] < left);
    }
    ww_policy_destroy(&order->policy, &start, policy_state);
}

static void orders_pick_ready_ones_and_repeat(void **state)
{
    (void)state;
    for (size_t m = 0; m < ww_order_family.count; m++) {
        const ww_order *order = order_named(ww_order_family.members[m]->name);
        size_t first[200], again[200];
        run_order(order, 7, 200, first);
        run_order(order, 7, 200, again);
        assert_memory_equal(first, again, sizeof(first));
    }
}

static void orders_are_what_they_say(void **state)
{
    (void)state;
    size_t picks[200], other[200];
    run_order(order_named("in_order"), 1, 200, picks);
    assert_int_equal(picks[0], 0);
    assert_int_equal(picks[100], 0);
    run_order(order_named("reverse"), 1, 200, picks);
    assert_int_equal(picks[0], 199);
    assert_int_equal(picks[100], 99);
    run_order(order_named("random"), 1, 200, picks);
    run_order(order_named("random"), 2, 200, other);
    assert_memory_not_equal(picks, other, sizeof(picks));
}

static void placements_keep_buffers_apart(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 65536, 2 << 20, (2 << 20) + 1, UINT64_C(5) << 30, 4};
    for (size_t m = 0; m < ww_placement_family.count; m++) {
        const ww_placement *placement =
            (const ww_placement *)(const void *)ww_placement_family.members[m];
        uint64_t end = 4096;
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            uint64_t address = placement->place(NULL, end, sizes[i]);
            assert_true(address >= UINT64_C(0x100000000));
            assert_true(address >= (i ? end + 65536 : end));
            assert_int_equal(address % 65536, 0);
            end = address + sizes[i] + 1; /* as in exec/memory.c, for empty buffers too */
        }
    }
}

static uint64_t place_with(const char *name, uint64_t end, uint64_t size)
{
    const ww_policy *policy = ww_policy_find(&ww_placement_family, name);
    assert_non_null(policy);
    return ((const ww_placement *)(const void *)policy)->place(NULL, end, size);
}

static void placements_are_what_they_say(void **state)
{
    (void)state;
    assert_int_equal(place_with("packed", 0x100000001, 4096), 0x100020000);
    assert_int_equal(place_with("packed", 0x100000001, 2 << 20), 0x100200000);
    assert_int_equal(place_with("packed", 0x1001f0000, 2 << 20), 0x100200000);
    assert_int_equal(place_with("packed", 0x1001f0001, 2 << 20), 0x100400000);
    assert_int_equal(place_with("guarded", 0x100000001, 4), UINT64_C(0x300000000));
    assert_int_equal(place_with("guarded", 0x200000000, 4), UINT64_C(0x300000000));
    assert_int_equal(place_with("guarded", UINT64_C(1) << 46, 4), (UINT64_C(1) << 46) + 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_well_formed),
        cmocka_unit_test(breaches_are_found),
        cmocka_unit_test(keys_of_a_policy_have_the_prefix_of_its_family),
        cmocka_unit_test(statistics_of_a_policy_are_summed_over_its_instances),
        cmocka_unit_test(policies_that_share_a_statistic_declare_it_once),
        cmocka_unit_test(orders_pick_ready_ones_and_repeat),
        cmocka_unit_test(orders_are_what_they_say),
        cmocka_unit_test(placements_keep_buffers_apart),
        cmocka_unit_test(placements_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
