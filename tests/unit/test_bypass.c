/* Bypass policies: decisions worked out by hand. */
#include "config/config.h"
#include "mem/bypass.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const ww_bypass *bypass;
static void *state;
static ww_config *config;

/* Up to two settings; NULL: none. */
static void begin(const char *name, const char *first, const char *second, uint64_t seed)
{
    ww_errors *errors = ww_errors_create();
    config = ww_config_create(&ww_all_schemas);
    if (first)
        assert_int_equal(ww_config_set(config, first, errors), WW_OK);
    if (second)
        assert_int_equal(ww_config_set(config, second, errors), WW_OK);
    ww_errors_destroy(errors);
    bypass = (const ww_bypass *)(const void *)ww_policy_find(&ww_bypass_family, name);
    assert_non_null(bypass);
    ww_policy_start start = {.config = config, .prefix = "l1d", .seed = seed};
    state = ww_policy_create(&bypass->policy, &start);
}

static void end(void)
{
    free(state);
    ww_config_destroy(config);
}

static bool bypasses(uint16_t pc)
{
    ww_request request = {.pc_tag = pc, .pc = pc};
    return bypass->bypasses(state, &request);
}

static void evict(uint16_t pc, int count, bool was_hit)
{
    ww_evicted line = {.pc_tag = pc, .was_hit = was_hit};
    for (int i = 0; i < count; i++)
        bypass->evict(state, &line);
}

/* As many loads bypass between two that are kept; the last decision kept one. */
static void expect_bypassed(uint16_t pc, int count)
{
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++)
            assert_true(bypasses(pc));
        assert_false(bypasses(pc));
    }
}

/* ---- ctrl_c ---- */

static void ctrl_c_walks_up_and_down(void **unused)
{
    (void)unused;
    begin("ctrl_c", NULL, NULL, 1);
    static const int periods[] = {1024, 512, 256, 128, 64, 32, 16, 8};
    expect_bypassed(5, 0);
    for (int up = 0; up < 7; up++) {
        evict(5, periods[up] - 1, false);
        expect_bypassed(5, (1 << up) - 1);
        evict(5, 1, false);
        expect_bypassed(5, (2 << up) - 1);
    }
    evict(5, 8, false); /* it goes no higher than 7 */
    expect_bypassed(5, 127);
    for (int down = 7; down > 0; down--) {
        evict(5, periods[down] - 1, true);
        expect_bypassed(5, (1 << down) - 1);
        evict(5, 1, true);
        expect_bypassed(5, (1 << (down - 1)) - 1);
    }
    evict(5, 1024, true); /* nor lower than 0 */
    expect_bypassed(5, 0);
    evict(5, 1023, false); /* the period is as long as in the beginning */
    expect_bypassed(5, 0);
    end();
}

/* Periods of 20 lines, and 10 after one step. */
static void ctrl_c_stays_within_its_range(void **unused)
{
    (void)unused;
    begin("ctrl_c", "l1d.bypass_period=20", NULL, 1);
    evict(5, 8, false); /* 8 of 20 are no more than 0.4 */
    evict(5, 12, true);
    expect_bypassed(5, 0);
    evict(5, 9, false); /* the 8 are forgotten, 9 are more */
    evict(5, 11, true);
    expect_bypassed(5, 1);
    evict(5, 1, false); /* 1 of 10 is no less than 0.1 */
    evict(5, 9, true);
    expect_bypassed(5, 1);
    evict(5, 10, true);
    expect_bypassed(5, 0);
    end();
}

/* A step down in the middle of a run: the next load is kept. */
static void ctrl_c_has_bypassed_enough_after_a_step_down(void **unused)
{
    (void)unused;
    begin("ctrl_c", "l1d.bypass_period=4", NULL, 1);
    evict(5, 4 + 2, false); /* two steps: 3 of 4 bypass; the period is one line */
    assert_true(bypasses(5) && bypasses(5));
    evict(5, 1, true);
    assert_false(bypasses(5));
    expect_bypassed(5, 1);
    end();
}

static void ctrl_c_tells_128_instructions_apart(void **unused)
{
    (void)unused;
    begin("ctrl_c", "l1d.bypass_period=2", NULL, 1);
    evict(5, 2, false);
    expect_bypassed(6, 0);
    expect_bypassed(5 + 128, 1);
    end();
}

static void ctrl_c_refuses_an_empty_range(void **unused)
{
    (void)unused;
    begin("ctrl_c", "l1d.bypass_low=0.3", "l1d.bypass_high=0.2", 1);
    ww_policy_start start = {.config = config, .prefix = "l1d"};
    assert_non_null(bypass->refuse(&start));
    end();
    begin("ctrl_c", "l1d.bypass_low=0.2", "l1d.bypass_high=0.2", 1);
    start.config = config;
    assert_null(bypass->refuse(&start));
    end();
}

/* ---- pc_adaptive ---- */

static void pc_adaptive_counts(void **unused)
{
    (void)unused;
    begin("pc_adaptive", NULL, NULL, 1);
    evict(5, 7, false);
    assert_false(bypasses(5));
    evict(5, 100, true); /* no matter */
    evict(5, 1, false);
    assert_true(bypasses(5) && bypasses(5 + 128) && !bypasses(6));
    for (int i = 0; i < 1000; i++)
        assert_true(bypasses(5)); /* it tries no more */
    bypass->hit(state, 5);        /* a line that is still there */
    assert_false(bypasses(5));
    evict(5, 100, false); /* the counter has 4 bits: 15 */
    for (int i = 0; i < 7; i++)
        bypass->hit(state, 5);
    assert_true(bypasses(5));
    bypass->hit(state, 5);
    assert_false(bypasses(5));
    for (int i = 0; i < 100; i++)
        bypass->hit(state, 5);
    evict(5, 7, false); /* from 0 */
    assert_false(bypasses(5));
    end();
}

/* ---- fixed ---- */

static int kept_of(int loads)
{
    int kept = 0;
    for (int i = 0; i < loads; i++)
        kept += !bypasses(5);
    return kept;
}

static void fixed_keeps_a_part_of_one_instruction(void **unused)
{
    (void)unused;
    begin("fixed", "l1d.bypass_pc=5", "l1d.bypass_exponent=3", 7);
    ww_request elsewhere = {.pc_tag = 5, .pc = 4}; /* 5 of the program, 4 of its kernel */
    for (int i = 0; i < 100; i++)
        assert_false(bypasses(4) || bypasses(5 + 128) || bypass->bypasses(state, &elsewhere));
    int kept = kept_of(8000);
    assert_in_range(kept, 900, 1100);
    end();
    begin("fixed", "l1d.bypass_pc=5", "l1d.bypass_exponent=3", 7);
    assert_int_equal(kept_of(8000), kept); /* the seed decides */
    end();
    begin("fixed", "l1d.bypass_pc=5", "l1d.bypass_exponent=0", 7);
    assert_int_equal(kept_of(100), 100);
    end();
}

/* ---- storage ---- */

/* The dissertation's 16 KiB, 32 sets of 4 ways: 608 bytes. */
static void storage(void **unused)
{
    (void)unused;
    begin("ctrl_c", "l1d.size=16KiB", "l1d.ways=4", 1);
    assert_int_equal(ww_policy_storage_bits(&bypass->policy, config, "l1d.bypass"), 608 * 8);
    end();
    begin("pc_adaptive", "l1d.size=16KiB", "l1d.ways=4", 1);
    assert_int_equal(ww_policy_storage_bits(&bypass->policy, config, "l1d.bypass"), 192 * 8);
    end();
    begin("fixed", NULL, NULL, 1);
    assert_int_equal(ww_policy_storage_bits(&bypass->policy, config, "l1d.bypass"), 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctrl_c_walks_up_and_down),
        cmocka_unit_test(ctrl_c_stays_within_its_range),
        cmocka_unit_test(ctrl_c_has_bypassed_enough_after_a_step_down),
        cmocka_unit_test(ctrl_c_tells_128_instructions_apart),
        cmocka_unit_test(ctrl_c_refuses_an_empty_range),
        cmocka_unit_test(pc_adaptive_counts),
        cmocka_unit_test(fixed_keeps_a_part_of_one_instruction),
        cmocka_unit_test(storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
