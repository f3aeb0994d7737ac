/* ship and cacp: insertions, hits and evictions worked out by hand. Signatures are instructions'
 * numbers; comments have the intervals of the ways, "-" for a free one. */
#include "config/config.h"
#include "mem/tags.h"
#include "sim/components.h"
#include "stats/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ww_replace *replace;
static void *state;
static ww_config *config;

static void begin(const char *name, uint32_t ways, const char *setting)
{
    ww_errors *errors = ww_errors_create();
    config = ww_config_create(&ww_all_schemas);
    assert_int_equal(ww_config_set(config, "l1d.signature=pc", errors), WW_OK);
    assert_int_equal(ww_config_set(config, setting, errors), WW_OK);
    ww_errors_destroy(errors);
    replace = (const ww_replace *)(const void *)ww_policy_find(&ww_replace_l1d_family, name);
    assert_non_null(replace);
    ww_policy_start start = {
        .config = config, .prefix = "l1d", .sets = 1, .ways = ways, .line = 128};
    state = ww_policy_create(&replace->policy, &start);
}

static void end(void)
{
    free(state);
    ww_config_destroy(config);
}

static ww_request request_of(uint16_t pc, bool critical)
{
    return (ww_request){.pc_tag = pc, .critical = critical};
}

static uint32_t choose(uint16_t pc, uint64_t allowed, uint64_t free)
{
    ww_request request = request_of(pc, false);
    return replace->choose(state, 0, (ww_ways){allowed, free}, &request);
}

static void insert(uint32_t way, uint16_t pc)
{
    ww_request request = request_of(pc, false);
    replace->insert(state, 0, way, &request);
}

static void hit(uint32_t way, bool critical)
{
    ww_request request = request_of(99, critical); /* of another instruction than the line's */
    replace->hit(state, 0, way, &request);
}

static void evict(uint32_t way, bool invalidated)
{
    ww_evicted line = {.invalidated = invalidated};
    replace->evict(state, 0, way, &line);
}

static uint64_t statistic(const char *name)
{
    for (size_t i = 0; i < replace->policy.stat_count; i++)
        if (strcmp(replace->policy.stats[i].name, name) == 0)
            return *(uint64_t *)(void *)((char *)state + replace->policy.stats[i].offset);
    fail_msg("no statistic %s", name);
    return 0;
}

static void ship_inserts_what_was_not_used_as_distant(void **unused)
{
    (void)unused;
    begin("ship", 2, "l1d.signature=pc");
    assert_int_equal(choose(1, 3, 3), 0);
    insert(0, 1); /* 2 - */
    insert(1, 2); /* 2 2 */
    hit(1, false);
    assert_int_equal(choose(1, 3, 0), 0); /* 3 1 */
    evict(0, false);                      /* instruction 1: down to 0 */
    insert(0, 1);                         /* 3 1, not 2 1 */
    assert_int_equal(statistic("distant_lines"), 1);
    hit(0, false);                        /* up to 1: 0 1 */
    assert_int_equal(choose(1, 3, 0), 1); /* 2 3 */
    evict(1, false);                      /* it was hit: instruction 2 stays at 2 */
    insert(1, 1);                         /* 2 2 */
    assert_int_equal(statistic("distant_lines"), 1);
    evict(1, true); /* invalidated: not counted */
    insert(1, 1);
    assert_int_equal(statistic("distant_lines"), 1);
    end();
}

/* Of lines 0 and 2, at 0 and 0x100, the low 8 bits of addresses are the same. */
static void signatures_are_of_lines_or_addresses(void **unused)
{
    (void)unused;
    for (int of_address = 0; of_address < 2; of_address++) {
        begin("ship", 2, of_address ? "l1d.signature=address" : "l1d.signature=line");
        ww_request zero = {.pc_tag = 1}, two = {.pc_tag = 1, .address = 0x100};
        replace->insert(state, 0, 0, &zero);
        evict(0, false);
        replace->insert(state, 0, 0, &two);
        assert_int_equal(statistic("distant_lines"), of_address);
        replace->insert(state, 0, 0, &zero);
        assert_int_equal(statistic("distant_lines"), of_address + 1);
        end();
    }
}

/* Ways 0 and 1 are for critical lines; instructions are not critical at first. */
static void fill_others(void)
{
    begin("cacp", 4, "l1d.critical_ways=2");
    assert_int_equal(choose(5, 0xf, 0xf), 2); /* ways 0 and 1 are free too */
    insert(2, 5);                             /* - - 2 - */
    assert_int_equal(choose(6, 0xf, 0xb), 3);
    insert(3, 6); /* - - 2 2 */
}

static void cacp_evicts_though_the_other_part_is_free(void **unused)
{
    (void)unused;
    fill_others();
    assert_int_equal(choose(5, 0xf, 0x3), 2); /* - - 3 3 */
    evict(2, false);                          /* nobody used it: 5 is expected to see no hit */
    insert(2, 5);                             /* - - 3 3 */
    assert_int_equal(statistic("distant_lines"), 1);
    hit(3, true); /* - - 3 0: 6 is critical */
    assert_int_equal(choose(6, 0xf, 0x3), 0);
    assert_int_equal(choose(6, 0xf, 0x2), 1);
    assert_int_equal(choose(5, 0xf, 0x3), 2);
    end();
}

/* - - 2 0, then both critical ways have lines of 6. */
static void fill_critical(void)
{
    fill_others();
    hit(3, true);
    insert(0, 6); /* 2 - 2 0 */
    insert(1, 6); /* 2 2 2 0 */
    assert_int_equal(statistic("critical_lines"), 2);
}

static void cacp_evicts_within_a_part_and_learns(void **unused)
{
    (void)unused;
    fill_critical();
    hit(0, false);                          /* 0 2 2 0 */
    assert_int_equal(choose(6, 0xf, 0), 1); /* 1 3 2 0: the other part does not grow older */
    evict(1, false);
    insert(1, 6);                           /* 1 2 2 0 */
    hit(1, false);                          /* 1 0 2 0 */
    assert_int_equal(choose(6, 0xf, 0), 0); /* 3 2 2 0 */
    evict(0, false);                        /* only others used it: 6 is not critical */
    assert_int_equal(statistic("kept_wrong"), 1);
    assert_int_equal(choose(6, 0xf, 0x1), 2); /* 3 2 3 1: way 0 stays free */
    hit(3, true);                             /* 6 is critical again: 3 2 3 0 */
    evict(3, false);                          /* in the other part nothing is learnt */
    hit(1, true);
    evict(1, false); /* both used it: that is right */
    assert_int_equal(statistic("kept_right"), 1);
    assert_int_equal(statistic("kept_wrong"), 1);
    assert_int_equal(choose(6, 0xf, 0x1), 0);
    end();
}

/* Lines that nobody used say nothing of critical warps, and invalidated ones nothing at all. */
static void cacp_learns_from_use_alone(void **unused)
{
    (void)unused;
    fill_critical();
    evict(0, false);
    hit(1, false);
    evict(1, true);
    assert_int_equal(choose(6, 0xf, 0x3), 0);
    assert_int_equal(statistic("kept_wrong"), 0);
    end();
}

static void cacp_does_not_leave_a_part_that_is_held(void **unused)
{
    (void)unused;
    fill_critical();
    assert_true(choose(5, 0x3, 0) == WW_NO_WAY); /* ways 2 and 3 are held */
    assert_true(choose(6, 0xc, 0) == WW_NO_WAY);
    assert_int_equal(choose(6, 0xe, 0), 1);
    end();
}

static void cacp_may_have_one_part(void **unused)
{
    (void)unused;
    static const char *const settings[] = {"l1d.critical_ways=0", "l1d.critical_ways=4"};
    for (int i = 0; i < 2; i++) {
        begin("cacp", 4, settings[i]);
        for (uint32_t way = 0; way < 4; way++) {
            assert_int_equal(choose(5, 0xf, 0xfu << way & 0xf), way);
            insert(way, 5);
        }
        hit(0, true);
        assert_int_equal(choose(5, 0xf, 0), 1);
        evict(0, false);
        assert_int_equal(statistic("kept_right"), i);
        end();
    }
}

static void a_threshold_needs_more_hits(void **unused)
{
    (void)unused;
    begin("cacp", 4, "l1d.critical_ways=2");
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_config_set(config, "l1d.critical_threshold=2", errors), WW_OK);
    ww_errors_destroy(errors);
    ww_policy_start start = {.config = config, .prefix = "l1d", .sets = 1, .ways = 4, .line = 128};
    free(state);
    state = ww_policy_create(&replace->policy, &start);
    insert(2, 5);
    hit(2, true);
    assert_int_equal(choose(5, 0xf, 0xb), 3);
    hit(2, true);
    assert_int_equal(choose(5, 0xf, 0xb), 0);
    end();
}

static void storage(void **unused)
{
    (void)unused;
    ww_policy_start start = {.sets = 8, .ways = 16};
    begin("ship", 2, "l1d.signature=pc");
    assert_int_equal(replace->policy.storage_bits(&start), 128 * 11 + 512);
    end();
    begin("cacp", 16, "l1d.critical_ways=8");
    assert_int_equal(replace->policy.storage_bits(&start), 128 * 12 + 1024);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ship_inserts_what_was_not_used_as_distant),
        cmocka_unit_test(signatures_are_of_lines_or_addresses),
        cmocka_unit_test(cacp_evicts_though_the_other_part_is_free),
        cmocka_unit_test(cacp_evicts_within_a_part_and_learns),
        cmocka_unit_test(cacp_learns_from_use_alone),
        cmocka_unit_test(cacp_does_not_leave_a_part_that_is_held),
        cmocka_unit_test(cacp_may_have_one_part),
        cmocka_unit_test(a_threshold_needs_more_hits),
        cmocka_unit_test(storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
