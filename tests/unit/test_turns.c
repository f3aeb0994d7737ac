/* Literal turns: whose turn it is, worked out by hand, and turns that are skipped. */
#include "core/sched/turns.h"

#include "base/rng.h"
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
    uint32_t profiled[WW_MOST_SLOTS];
    uint8_t group[WW_MOST_SLOTS];
} rig;

/* Four slots of one scheduler, pool of `pool`. */
static void begin(rig *r, const char *name, const char *pool)
{
    ww_errors *errors = ww_errors_create();
    const ww_policy *policy = ww_policy_find(&ww_scheduler_family, name);
    assert_non_null(policy);
    *r = (rig){.policy = (const ww_scheduler *)(const void *)policy,
               .config = ww_config_create(&ww_all_schemas)};
    assert_int_equal(ww_config_set(r->config, "core.schedulers=1", errors), WW_OK);
    assert_int_equal(ww_config_set(r->config, pool, errors), WW_OK);
    r->state = ww_policy_create(policy, &(ww_policy_start){.config = r->config, .prefix = "core"});
    ww_errors_destroy(errors);
}

static void end(rig *r)
{
    ww_config_destroy(r->config);
    free(r->state);
}

/* One group of four. */
static void set_pool(rig *r, uint64_t mine, uint64_t turn)
{
    ww_known_times times = {.warps = 4};
    for (unsigned slot = 0; slot < 4; slot++)
        times.cycles += r->profiled[slot];
    r->policy->pool_changed(r->state, &(ww_warp_pool){.present = mine,
                                                      .mine = mine,
                                                      .profiled = r->profiled,
                                                      .group = r->group,
                                                      .of_group = &times,
                                                      .groups = 1,
                                                      .turn = turn});
}

/* 'a' for slot 0 and so on; '-': nobody's. */
static char whose(rig *r, uint64_t turn)
{
    uint64_t slots = r->policy->eligible(r->state, &(ww_scheduler_view){.turn = turn});
    assert_int_equal(slots & (slots - 1), 0);
    return slots ? (char)('a' + __builtin_ctzll(slots)) : '-';
}

static void expect(rig *r, uint64_t turn, const char *turns)
{
    for (; *turns; turns++, turn++)
        assert_int_equal(whose(r, turn), *turns);
}

static void each_slot_has_its_turn(void **state)
{
    (void)state;
    rig r;
    begin(&r, "turns", "core.caws_pool=5");
    set_pool(&r, 0xb, 7); /* slots 0, 1 and 3; 7 is turn 2 of 5 */
    expect(&r, 7, "-d-ab-d-ab-d");
    set_pool(&r, 0x9, 19); /* 1 has ended */
    expect(&r, 19, "-a--d-");
    set_pool(&r, 0xd, 25); /* 2 comes */
    expect(&r, 25, "a-cd-a-cd-");
    end(&r);
}

/* Resets of 3 for a and of 4 for the others. Of a and d in turn 3, a has it. */
static void a_critical_warp_has_more_turns(void **state)
{
    (void)state;
    static const char *const names[] = {"turns_blk", "turns_sm", "turns_avg"};
    for (size_t i = 0; i < 3; i++) {
        rig r;
        begin(&r, names[i], "core.caws_pool=4");
        for (unsigned slot = 0; slot < 4; slot++)
            r.profiled[slot] = slot ? 100 : 200;
        set_pool(&r, 0xf, 0);
        expect(&r, 0, "abcadbacdabca");
        end(&r);
    }
}

/* A warp that took less than 0.8 of the average, 87.5, has every fifth turn. In turn 5 b is due,
 * too, and waits for a. */
static void a_fast_warp_has_fewer(void **state)
{
    (void)state;
    rig r;
    begin(&r, "turns_avg", "core.caws_pool=4");
    for (unsigned slot = 0; slot < 4; slot++)
        r.profiled[slot] = slot ? 100 : 50;
    set_pool(&r, 0xf, 0);
    expect(&r, 0, "abcd-abcd-ab");
    end(&r);
}

/* Turns in which nothing is ready are not asked for: the others are the same. */
static void skipped_turns_change_nothing(void **state)
{
    (void)state;
    rig r, all;
    ww_rng rng;
    ww_rng_seed(&rng, 3);
    begin(&r, "turns_blk", "core.caws_pool=7");
    begin(&all, "turns_blk", "core.caws_pool=7");
    for (uint64_t turn = 0; turn < 2000; turn++) {
        if (turn % 50 == 0) {
            uint64_t mine = ww_rng_below(&rng, 128);
            r.profiled[turn % 7] = all.profiled[turn % 7] = (uint32_t)turn;
            set_pool(&r, mine, turn);
            set_pool(&all, mine, turn);
        }
        char wanted = whose(&all, turn);
        if (ww_rng_below(&rng, 4) == 0)
            assert_int_equal(whose(&r, turn), wanted);
    }
    end(&r);
    end(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_slot_has_its_turn),
        cmocka_unit_test(a_critical_warp_has_more_turns),
        cmocka_unit_test(a_fast_warp_has_fewer),
        cmocka_unit_test(skipped_turns_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
