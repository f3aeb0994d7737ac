/* Criticality-aware schedulers with an oracle: critical warps, counters after each issue, and the
 * next warp, worked out by hand. */
#include "core/sched/caws.h"

#include "base/memory.h"
#include "config/config.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    const ww_scheduler *policy;
    ww_config *config;
    void *state;
    uint64_t older[WW_MOST_SLOTS];
    uint32_t profiled[WW_MOST_SLOTS];
    uint8_t group[WW_MOST_SLOTS];
    ww_known_times of_group[WW_MOST_SLOTS];
    ww_scheduler_view view;
    ww_warp_pool pool;
} rig;

/* One scheduler with `warps` slots; `settings` ended by NULL. */
static void begin(rig *r, const char *name, unsigned warps, const char *const *settings)
{
    ww_errors *errors = ww_errors_create();
    const ww_policy *policy = ww_policy_find(&ww_scheduler_family, name);
    char *setting = ww_format("core.wavefronts=%u", warps);
    assert_non_null(policy);
    *r = (rig){.policy = (const ww_scheduler *)(const void *)policy,
               .config = ww_config_create(&ww_all_schemas)};
    assert_int_equal(ww_config_set(r->config, "core.schedulers=1", errors), WW_OK);
    assert_int_equal(ww_config_set(r->config, setting, errors), WW_OK);
    for (; *settings; settings++)
        assert_int_equal(ww_config_set(r->config, *settings, errors), WW_OK);
    r->state = ww_policy_create(
        policy, &(ww_policy_start){.config = r->config, .prefix = "core", .slots = warps});
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        r->older[i] = (1ull << i) - 1;
    r->view.older = r->older;
    r->pool.profiled = r->profiled;
    r->pool.group = r->group;
    r->pool.of_group = r->of_group;
    free(setting);
    ww_errors_destroy(errors);
}

static const char *const nothing[] = {NULL};

static void end(rig *r)
{
    ww_config_destroy(r->config);
    free(r->state);
}

static void set_pool(rig *r, uint64_t present, unsigned groups)
{
    r->view.mine = r->pool.present = r->pool.mine = present;
    r->pool.groups = groups;
    r->policy->pool_changed(r->state, &r->pool);
}

/* Two groups of four. */
static void set_two_groups(rig *r)
{
    static const uint32_t cycles[] = {100, 200, 300, 400, 10, 20, 30, 40};
    memcpy(r->profiled, cycles, sizeof(cycles));
    for (unsigned i = 0; i < 8; i++)
        r->group[i] = i < 4 ? 5 : 2;
    r->of_group[5] = (ww_known_times){1000, 4};
    r->of_group[2] = (ww_known_times){100, 4};
    set_pool(r, 0xff, 2);
}

static void leave(rig *r, unsigned slot, unsigned groups)
{
    r->policy->warp_ended(r->state, slot);
    set_pool(r, r->pool.present & ~(1ull << slot), groups);
}

static void expect_levels(const rig *r, uint64_t critical, uint64_t fast)
{
    const ww_caws *s = r->state;
    assert_int_equal(s->critical, critical);
    assert_int_equal(s->fast, fast);
}

static uint64_t counter(const rig *r, unsigned slot)
{
    const ww_caws *s = r->state;
    return s->due[slot] > s->issues ? s->due[slot] - s->issues : 0;
}

static unsigned issue(rig *r, uint64_t candidates)
{
    unsigned slot = r->policy->pick(r->state, &r->view, candidates);
    r->policy->issued(r->state, slot);
    return slot;
}

/* A cycle in which all can issue: which slot does, and the counters of slots 0 to 3 after it. */
static void expect(rig *r, unsigned slot, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    assert_int_equal(issue(r, r->view.mine), slot);
    assert_int_equal(counter(r, 0), a);
    assert_int_equal(counter(r, 1), b);
    assert_int_equal(counter(r, 2), c);
    assert_int_equal(counter(r, 3), d);
}

static void nothing_known_is_round_robin(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_blk", 48, nothing);
    set_pool(&r, (1ull << 48) - 1, 6);
    expect_levels(&r, 0, 0);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(counter(&r, i), i);
    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(issue(&r, r.view.mine), i % 48);
        assert_int_equal(counter(&r, i % 48), 47);
        assert_int_equal(counter(&r, (i + 47) % 48), 46);
    }
    end(&r);
}

/* Once in 40, 48 and 60 issues: 47 is the dissertation's counter of round robin. */
static void forty_eight_warps_issue_as_often_as_published(void **state)
{
    (void)state;
    static const char *const names[] = {"caws_blk", "caws_sm", "caws_avg"};
    for (size_t i = 0; i < 3; i++) {
        rig r;
        begin(&r, names[i], 48, nothing);
        for (unsigned slot = 0; slot < 48; slot++)
            r.profiled[slot] = slot == 7 ? 200 : slot == 9 ? 50 : 100;
        r.of_group[0] = (ww_known_times){46 * 100 + 200 + 50, 48};
        set_pool(&r, (1ull << 48) - 1, 1);
        issue(&r, 1ull << 7);
        assert_int_equal(counter(&r, 7), 39);
        issue(&r, 1ull << 8);
        assert_int_equal(counter(&r, 8), 47);
        issue(&r, 1ull << 9);
        assert_int_equal(counter(&r, 9), i == 2 ? 59 : 47);
        assert_int_equal(counter(&r, 7), 37); /* two others have issued since */
        end(&r);
    }
}

/* Once in 3 issues for a, which is critical, and once in 4 for the others. */
static void a_critical_warp_has_its_turn_more_often(void **state)
{
    (void)state;
    static const char *const settings[] = {"core.caws_share=0.25", NULL};
    rig r;
    begin(&r, "caws_blk", 4, settings);
    for (unsigned i = 0; i < 4; i++)
        r.profiled[i] = i ? 10 : 50;
    set_pool(&r, 0xf, 1);
    expect_levels(&r, 0x1, 0);
    expect(&r, 0, 2, 0, 1, 2);
    expect(&r, 1, 1, 3, 0, 1);
    expect(&r, 2, 0, 2, 3, 0);
    expect(&r, 0, 2, 1, 2, 0); /* as due as d, and older */
    expect(&r, 3, 1, 0, 1, 3);
    expect(&r, 1, 0, 3, 0, 2);
    expect(&r, 0, 2, 2, 0, 1);
    expect(&r, 2, 1, 1, 3, 0);
    expect(&r, 3, 0, 0, 2, 3);
    expect(&r, 0, 2, 0, 1, 2);
    expect(&r, 1, 1, 3, 0, 1);
    end(&r);
}

static void who_cannot_issue_waits_at_zero(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_sm", 4, nothing);
    set_pool(&r, 0xf, 1);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(issue(&r, 0xc), 2 + i % 2);
    assert_int_equal(counter(&r, 0), 0);
    assert_int_equal(counter(&r, 1), 0);
    assert_int_equal(r.policy->before(r.state, &r.view, 2), 0x3); /* considered, but not ready */
    assert_int_equal(r.policy->before(r.state, &r.view, 1), 0x1); /* 0 got there first */
    assert_int_equal(issue(&r, 0xf), 0);
    assert_int_equal(issue(&r, 0xf), 1);
    assert_int_equal(issue(&r, 0xf), 2);
    end(&r);
}

static void who_comes_is_due_after_those_that_are_there(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_blk", 4, nothing);
    set_pool(&r, 0x5, 1);
    assert_int_equal(counter(&r, 2), 1);
    issue(&r, 0x1);
    issue(&r, 0x4); /* 0 has 2, 2 has 3 */
    set_pool(&r, 0xf, 2);
    assert_int_equal(counter(&r, 0), 2);
    assert_int_equal(counter(&r, 1), 3); /* as if they had just issued */
    assert_int_equal(counter(&r, 3), 3);
    leave(&r, 1, 2);
    issue(&r, 0x8);
    set_pool(&r, 0xf, 2); /* another warp in slot 1 */
    assert_int_equal(counter(&r, 1), 3);
    end(&r);
}

/* A pool of eight with two warps, which have counters of 6 and 7 after some turns. */
static void who_comes_into_half_a_pool_is_not_first(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_blk", 8, nothing);
    set_pool(&r, 0x3, 1);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(issue(&r, 0x3), i % 2);
    assert_int_equal(counter(&r, 0), 6);
    assert_int_equal(counter(&r, 1), 7);
    set_pool(&r, 0xf, 2);
    assert_int_equal(counter(&r, 2), 7);
    assert_int_equal(counter(&r, 3), 7);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(issue(&r, 0xf), i % 4);
    end(&r);
}

static void blk_takes_the_slowest_of_each_group(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_blk", 8, nothing);
    set_two_groups(&r);
    expect_levels(&r, 0x88, 0);
    leave(&r, 3, 2);
    expect_levels(&r, 0x84, 0);
    r.profiled[0] = r.profiled[1] = 300; /* of equal ones the first */
    set_pool(&r, r.pool.present, 2);
    expect_levels(&r, 0x81, 0);
    end(&r);
}

static void sm_takes_as_many_as_there_are_groups(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_sm", 8, nothing);
    set_two_groups(&r);
    expect_levels(&r, 0x0c, 0); /* both of one group */
    leave(&r, 3, 2);
    expect_levels(&r, 0x06, 0);
    set_pool(&r, 0x07, 1);
    expect_levels(&r, 0x04, 0);
    set_pool(&r, 0x07, 8);
    expect_levels(&r, 0x07, 0);
    end(&r);
}

/* 1100 cycles of 8 warps: 137.5 on average, so that more than 165 are critical and less than 110
 * fast. */
static void avg_compares_with_all_of_the_compute_unit(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_avg", 8, nothing);
    set_two_groups(&r);
    expect_levels(&r, 0x0e, 0xf1);
    set_pool(&r, 0x0f, 1); /* 250: 20% more and less do not count */
    expect_levels(&r, 0x08, 0x01);
    r.profiled[3] = 0; /* 200: 240 and 160 */
    r.of_group[5] = (ww_known_times){600, 3};
    set_pool(&r, 0x0f, 1);
    expect_levels(&r, 0x04, 0x01);
    set_pool(&r, 0, 0);
    expect_levels(&r, 0, 0);
    end(&r);
}

/* Three fast warps end: the average of all is the same, of those that are left it would be 206. */
static void avg_remembers_who_has_ended(void **state)
{
    (void)state;
    rig r;
    begin(&r, "caws_avg", 8, nothing);
    set_two_groups(&r);
    leave(&r, 4, 2);
    leave(&r, 5, 2);
    leave(&r, 6, 2);
    expect_levels(&r, 0x0e, 0x81);
    leave(&r, 7, 1); /* its whole group: 250 */
    expect_levels(&r, 0x08, 0x01);
    end(&r);
}

static void avg_can_compare_with_the_group(void **state)
{
    (void)state;
    static const char *const settings[] = {"core.caws_average=group", NULL};
    static const char *const wide[] = {"core.caws_average=group", "core.caws_threshold=0.5", NULL};
    rig r;
    begin(&r, "caws_avg", 8, settings);
    set_two_groups(&r); /* 250 and 25 */
    expect_levels(&r, 0x88, 0x11);
    end(&r);
    begin(&r, "caws_avg", 8, wide);
    set_two_groups(&r);
    expect_levels(&r, 0x88, 0x11);
    r.profiled[3] = 375;
    r.of_group[5].cycles = 975;
    set_pool(&r, 0xff, 2);
    expect_levels(&r, 0x88, 0x11); /* of 243.75 */
    r.profiled[3] = 300;
    r.of_group[5].cycles = 900;
    set_pool(&r, 0xff, 2);
    expect_levels(&r, 0x80, 0x11); /* 225 */
    end(&r);
}

static void the_unknown_are_neither_critical_nor_fast(void **state)
{
    (void)state;
    static const char *const names[] = {"caws_blk", "caws_sm", "caws_avg"};
    static const uint64_t critical[] = {0x08, 0x0c, 0x08};
    for (size_t i = 0; i < 3; i++) {
        rig r;
        begin(&r, names[i], 8, nothing);
        r.profiled[2] = 10;
        r.profiled[3] = 90;
        r.group[4] = 1;
        r.of_group[0] = (ww_known_times){100, 2};
        set_pool(&r, 0x1f, 2);
        expect_levels(&r, critical[i], i == 2 ? 0x04 : 0);
        end(&r);
    }
}

/* A counter up to 48 has 6 bits, as has one up to 60; a bit says which of two values it is reset
 * to, two which of three. */
static void storage_is_a_counter_for_each_warp(void **state)
{
    (void)state;
    static const char *const halves[] = {"core.schedulers=2", NULL};
    static const char *const given[] = {"core.caws_pool=16", NULL};
    rig r;
    begin(&r, "caws_blk", 48, nothing);
    assert_int_equal(ww_policy_storage_bits(&r.policy->policy, r.config, "core.scheduler"), 48 * 7);
    end(&r);
    begin(&r, "caws_sm", 48, halves);
    assert_int_equal(ww_policy_storage_bits(&r.policy->policy, r.config, "core.scheduler"), 24 * 6);
    end(&r);
    begin(&r, "caws_avg", 48, nothing);
    assert_int_equal(ww_policy_storage_bits(&r.policy->policy, r.config, "core.scheduler"), 48 * 8);
    end(&r);
    begin(&r, "caws_avg", 48, given);
    assert_int_equal(ww_policy_storage_bits(&r.policy->policy, r.config, "core.scheduler"), 16 * 7);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_round_robin),
        cmocka_unit_test(forty_eight_warps_issue_as_often_as_published),
        cmocka_unit_test(a_critical_warp_has_its_turn_more_often),
        cmocka_unit_test(who_cannot_issue_waits_at_zero),
        cmocka_unit_test(who_comes_is_due_after_those_that_are_there),
        cmocka_unit_test(who_comes_into_half_a_pool_is_not_first),
        cmocka_unit_test(blk_takes_the_slowest_of_each_group),
        cmocka_unit_test(sm_takes_as_many_as_there_are_groups),
        cmocka_unit_test(avg_compares_with_all_of_the_compute_unit),
        cmocka_unit_test(avg_remembers_who_has_ended),
        cmocka_unit_test(avg_can_compare_with_the_group),
        cmocka_unit_test(the_unknown_are_neither_critical_nor_fast),
        cmocka_unit_test(storage_is_a_counter_for_each_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
