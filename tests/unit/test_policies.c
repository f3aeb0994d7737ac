/* The contract of policies in general, and of every member of every family. */
#include "config/config.h"
#include "exec/order.h"
#include "host/placement.h"
#include "sim/components.h"

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
    assert_int_equal(families, 11);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void breaches_are_found(void **state)
{
    (void)state;
    static const ww_key keys[] = {{.key = "a.b", .type = WW_KEY_U64, .initial = "x", .doc = "d"},
                                  {.key = "a.c", .type = WW_KEY_U64, .initial = "1"}};
    static const ww_policy good = {.name = "one", .doc = "fine"};
    static const ww_policy twin = {.name = "one", .doc = "two\nlines"};
    static const ww_policy loud = {.name = "Loud", .doc = "capital"};
    static const ww_policy careless = {.name = "two", .doc = "d", .keys = keys, .key_count = 2};
    static const ww_first_pass_need oracle = {"dreamer", 1}, nothing = {"one", 0},
                                    unknown = {"none", 1};
    static const ww_policy seer = {.name = "seer", .doc = "d", .first_pass = &oracle};
    static const ww_policy dreamer = {.name = "dreamer", .doc = "d", .first_pass = &nothing};
    static const ww_policy sleeper = {.name = "sleeper", .doc = "d", .first_pass = &unknown};
    static const ww_policy *const members[] = {&good, &twin,    &loud,   &careless,
                                               &seer, &dreamer, &sleeper};
    static const ww_policy_family family = {"f", "a.policy", "d", members, 7};
    static const ww_policy_family empty = {"e", "a.policy", "d", members, 0};
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_policy_check_family(&family, errors), WW_FAILED);
    assert_int_equal(ww_errors_count(errors), 8);
    assert_int_equal(ww_policy_check_family(&empty, errors), WW_FAILED);
    ww_errors_destroy(errors);
}

static const ww_order *order_named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_order_family, name);
    assert_non_null(policy);
    return (const ww_order *)(const void *)policy;
}

/* Takes all `count` elements and records the order. */
static void run_order(const ww_order *order, uint64_t seed, size_t count, size_t *picks)
{
    void *policy_state = calloc(1, order->policy.state_size + 1);
    order->start(policy_state, seed);
    for (size_t left = count; left > 0; left--) {
        picks[count - left] = order->next(policy_state, left);
        assert_true(picks[count - left] < left);
    }
    free(policy_state);
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
            uint64_t address = placement->place(end, sizes[i]);
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
    return ((const ww_placement *)(const void *)policy)->place(end, size);
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
        cmocka_unit_test(orders_pick_ready_ones_and_repeat),
        cmocka_unit_test(orders_are_what_they_say),
        cmocka_unit_test(placements_keep_buffers_apart),
        cmocka_unit_test(placements_are_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
