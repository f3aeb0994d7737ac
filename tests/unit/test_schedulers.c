/* Warp schedulers: which warp is picked, and which are considered before it, worked out by hand;
 * and what all policies do. */
#include "base/memory.h"
#include "base/rng.h"
#include "config/config.h"
#include "core/predict.h"
#include "core/scheduler.h"
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
    ww_scheduler_view view;
    ww_predictor predictor;
} rig;

/* Criticality is what a test has set in the view, for slots that the test calls stale. */
static uint32_t tell(void *state, unsigned slot, const ww_warp_progress *warp)
{
    const rig *r = state;
    (void)warp;
    return r->view.criticality[slot];
}

/* A warp comes into the slot: all others are older. */
static void arrive(rig *r, unsigned slot)
{
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        r->older[i] &= ~(1ull << slot);
    r->older[slot] = ~(1ull << slot);
}

/* Slots 0 to 7 hold warps that came in this order. `setting`: -s, or NULL. */
static void begin(rig *r, const char *name, const char *setting)
{
    ww_errors *errors = ww_errors_create();
    const ww_policy *policy = ww_policy_find(&ww_scheduler_family, name);
    assert_non_null(policy);
    r->policy = (const ww_scheduler *)(const void *)policy;
    r->config = ww_config_create(&ww_all_schemas);
    if (setting)
        assert_int_equal(ww_config_set(r->config, setting, errors), WW_OK);
    r->state = ww_policy_create(
        policy, &(ww_policy_start){.config = r->config, .prefix = "core", .slots = WW_MOST_SLOTS});
    for (unsigned i = 0; i < WW_MOST_SLOTS; i++)
        arrive(r, i);
    r->predictor = (ww_predictor){.state = (void *)r, .predict = tell, .stale = ~0ull};
    r->view = (ww_scheduler_view){.mine = 0xff, .older = r->older, .predictor = &r->predictor};
    ww_errors_destroy(errors);
}

static void end(rig *r)
{
    ww_config_destroy(r->config);
    free(r->state);
}

static uint64_t eligible(rig *r)
{
    return r->policy->eligible ? r->policy->eligible(r->state, &r->view) : ~0ull;
}

/* A cycle with these candidates: which slot issues, and which were considered before it. */
static void expect(rig *r, uint64_t candidates, unsigned slot, uint64_t before)
{
    unsigned picked = r->policy->pick(r->state, &r->view, candidates);
    assert_int_equal(picked, slot);
    assert_int_equal(r->policy->before(r->state, &r->view, picked), before);
    r->policy->issued(r->state, picked);
}

static void rr_takes_turns(void **state)
{
    (void)state;
    rig r;
    begin(&r, "rr", NULL);
    expect(&r, 0xff, 0, 0x00);
    expect(&r, 0xff, 1, 0x00);
    expect(&r, 0xf0, 4, 0x0c); /* 2 and 3 were considered, but not ready */
    expect(&r, 0x12, 1, 0xe1); /* round the end; 4 issued last and is not before */
    expect(&r, 0x02, 1, 0xfd); /* all others */
    r.view.mine = 0x92;
    expect(&r, 0x80, 7, 0x10); /* empty slots are not considered */
    end(&r);
}

static void rr_does_not_look_at_age(void **state)
{
    (void)state;
    rig r;
    begin(&r, "rr", NULL);
    for (unsigned i = 8; i > 0; i--)
        arrive(&r, i - 1);
    expect(&r, 0xff, 0, 0x00);
    expect(&r, 0xff, 1, 0x00);
    end(&r);
}

static void rr_goes_round_sixty_four_slots(void **state)
{
    (void)state;
    rig r;
    begin(&r, "rr", NULL);
    r.view.mine = ~0ull;
    expect(&r, 1ull << 63, 63, ~0ull >> 1);
    expect(&r, ~0ull, 0, 0);
    expect(&r, 1ull << 63 | 1, 63, ~0ull >> 1 & ~1ull);
    expect(&r, 1ull << 63, 63, ~0ull >> 1);
    end(&r);
}

static void gto_stays_then_takes_the_oldest(void **state)
{
    (void)state;
    rig r;
    begin(&r, "gto", NULL);
    for (unsigned i = 0; i < 8; i++)
        arrive(&r, (i + 4) % 8); /* the oldest is 4, the youngest 3 */
    expect(&r, 0xff, 4, 0x00);
    expect(&r, 0xff, 4, 0x00);
    expect(&r, 0xef, 5, 0x10); /* 4 cannot: the next oldest */
    expect(&r, 0xff, 5, 0x00); /* greedy, though 4 is older */
    expect(&r, 0x0f, 0, 0xf0);
    expect(&r, 0x08, 3, 0xf7); /* the greedy one, 0, is older anyway */
    expect(&r, 0x10, 4, 0x08); /* the greedy one first; no warp is older */
    end(&r);
}

static void gto_forgets_a_warp_that_left(void **state)
{
    (void)state;
    rig r;
    begin(&r, "gto", NULL);
    expect(&r, 0x20, 5, 0x1f);
    r.policy->warp_ended(r.state, 5);
    arrive(&r, 5); /* another warp came into its slot */
    expect(&r, 0xff, 0, 0x00);
    r.policy->warp_ended(r.state, 3); /* not the greedy one */
    expect(&r, 0xff, 0, 0x00);
    end(&r);
}

static void two_level_lets_a_few_alternate(void **state)
{
    (void)state;
    rig r;
    begin(&r, "two_level", "core.two_level_active=3");
    assert_int_equal(eligible(&r), 0x07);
    expect(&r, 0x07, 0, 0x00);
    assert_int_equal(eligible(&r), 0x07);
    expect(&r, 0x07, 1, 0x00);
    assert_int_equal(eligible(&r), 0x07);
    expect(&r, 0x03, 0, 0x04); /* 3 to 7 are not active: not considered */
    end(&r);
}

static void two_level_exchanges_those_that_wait(void **state)
{
    (void)state;
    rig r;
    begin(&r, "two_level", "core.two_level_active=3");
    assert_int_equal(eligible(&r), 0x07);
    r.view.waiting = 0x02;
    assert_int_equal(eligible(&r), 0x0d); /* 3 for 1 */
    r.view.waiting = 0x00;
    assert_int_equal(eligible(&r), 0x0d); /* ready again, but all active slots are taken */
    r.view.waiting = 0x05;
    assert_int_equal(eligible(&r), 0x38); /* 4 and 5: never active, so inactive for longer than 1 */
    r.view.waiting = 0xf8;
    assert_int_equal(eligible(&r), 0x07); /* 1, 0 and 2 are all that do not wait */
    r.view.waiting = 0xff;
    assert_int_equal(eligible(&r), 0x00);
    end(&r);
}

static void two_level_activates_the_longest_inactive_warp(void **state)
{
    (void)state;
    rig r;
    begin(&r, "two_level", "core.two_level_active=1");
    r.view.mine = 0x7;
    assert_int_equal(eligible(&r), 0x1);
    r.view.waiting = 0x1;
    assert_int_equal(eligible(&r), 0x2); /* 0 became inactive first */
    r.view.waiting = 0x2;
    assert_int_equal(eligible(&r), 0x4); /* then 1 */
    r.view.waiting = 0x4;
    assert_int_equal(eligible(&r), 0x1);
    r.view.waiting = 0x1;
    assert_int_equal(eligible(&r), 0x2);
    end(&r);
}

static void two_level_replaces_a_warp_that_ended(void **state)
{
    (void)state;
    rig r;
    begin(&r, "two_level", "core.two_level_active=2");
    assert_int_equal(eligible(&r), 0x03);
    r.policy->warp_ended(r.state, 0);
    r.view.mine = 0xfe;
    assert_int_equal(eligible(&r), 0x06);
    r.view.mine = 0xf4; /* 1 is gone without a word */
    assert_int_equal(eligible(&r), 0x14);
    end(&r);
}

static void gcaws_stays_then_takes_the_most_critical(void **state)
{
    static const uint32_t criticality[WW_MOST_SLOTS] = {5, 9, 7, 9, 1, 0, 7, 2};
    (void)state;
    rig r;
    begin(&r, "gcaws", NULL);
    r.view.criticality = criticality;
    arrive(&r, 1);             /* 3 is older now */
    expect(&r, 0xff, 3, 0x00); /* of 1 and 3 */
    expect(&r, 0xff, 3, 0x00);
    expect(&r, 0xf7, 1, 0x08); /* 3 cannot */
    expect(&r, 0xff, 1, 0x00); /* greedy, though 3 is older */
    expect(&r, 0x44, 2, 0x0a); /* of 2 and 6 */
    expect(&r, 0x31, 0, 0x4e); /* 1, 2, 3 and 6 are more critical */
    expect(&r, 0x20, 5, 0xdf); /* unknown, after all others */
    expect(&r, 0x80, 7, 0x6f); /* the greedy one first */
    r.policy->warp_ended(r.state, 7);
    expect(&r, 0x90, 7, 0x4f); /* another warp came into its slot */
    end(&r);
}

/* In the first pass of an oracle nothing is predicted. */
static void gcaws_takes_the_oldest_of_equals(void **state)
{
    (void)state;
    rig r;
    begin(&r, "gcaws", NULL);
    arrive(&r, 0);
    expect(&r, 0xff, 1, 0x00);
    expect(&r, 0x81, 7, 0x7e);
    expect(&r, 0x01, 0, 0xfe);
    end(&r);
}

/* Criticality changes for one warp, for several, and with warps that come and go. */
static void gcaws_follows_what_changes(void **state)
{
    uint32_t criticality[WW_MOST_SLOTS] = {0};
    uint64_t last = 0;
    (void)state;
    rig r;
    ww_rng rng;
    ww_rng_seed(&rng, 3);
    begin(&r, "gcaws", NULL);
    r.view.criticality = criticality;
    for (unsigned round = 0; round < 20000; round++) {
        for (uint64_t n = ww_rng_below(&rng, 3); n; n--) {
            unsigned slot = (unsigned)ww_rng_below(&rng, 64);
            criticality[slot] = (uint32_t)ww_rng_below(&rng, 6);
            r.predictor.stale |= 1ull << slot;
        }
        if (ww_rng_below(&rng, 8) == 0) {
            unsigned slot = (unsigned)ww_rng_below(&rng, 64);
            if (r.view.mine >> slot & 1)
                r.policy->warp_ended(r.state, slot);
            last &= ~(1ull << slot);
            r.view.mine ^= 1ull << slot;
            arrive(&r, slot);
            r.predictor.stale |= 1ull << slot;
        }
        uint64_t candidates = r.view.mine & ww_rng_next(&rng) & ww_rng_next(&rng) & ~last;
        if (!candidates)
            continue;
        unsigned picked = r.policy->pick(r.state, &r.view, candidates);
        uint64_t ahead = 0;
        for (unsigned slot = 0; slot < WW_MOST_SLOTS; slot++)
            if (criticality[slot] > criticality[picked] ||
                (criticality[slot] == criticality[picked] && r.older[picked] >> slot & 1))
                ahead |= 1ull << slot & r.view.mine;
        assert_int_equal(r.policy->before(r.state, &r.view, picked), ahead | (last & r.view.mine));
        assert_int_equal(ahead & candidates, 0);
        r.policy->issued(r.state, picked);
        last = 1ull << picked;
    }
    end(&r);
}

/* What a compute unit relies on, for random masks and ages. */
static void check_contract(const char *name, ww_rng *rng)
{
    rig r;
    begin(&r, name, NULL);
    unsigned picks = 0;
    uint32_t profiled[WW_MOST_SLOTS] = {0};
    uint8_t group[WW_MOST_SLOTS] = {0};
    static const ww_known_times of_group[8] = {{4000, 8}, {900, 2}, {0, 0}, {70, 1}};
    r.view.criticality = profiled;
    for (unsigned round = 0; round < 20000; round++) {
        r.view.mine = ww_rng_next(rng) | ww_rng_next(rng);
        r.view.waiting = r.view.mine & ww_rng_next(rng) & ww_rng_next(rng);
        arrive(&r, (unsigned)ww_rng_below(rng, 64));
        profiled[ww_rng_below(rng, 64)] = (uint32_t)ww_rng_below(rng, 1000);
        group[ww_rng_below(rng, 64)] = (uint8_t)ww_rng_below(rng, 8);
        if (r.policy->pool_changed)
            r.policy->pool_changed(r.state, &(ww_warp_pool){.present = r.view.mine | round,
                                                            .mine = r.view.mine,
                                                            .profiled = profiled,
                                                            .group = group,
                                                            .of_group = of_group,
                                                            .groups = 8,
                                                            .turn = round});
        r.view.turn = round;
        uint64_t allowed = eligible(&r);
        uint64_t candidates = r.view.mine & ~r.view.waiting & ww_rng_next(rng) & allowed;
        if (!r.view.mine || !candidates)
            continue;
        unsigned slot = r.policy->pick(r.state, &r.view, candidates);
        assert_true(slot < WW_MOST_SLOTS);
        assert_true(candidates >> slot & 1);
        uint64_t before = r.policy->before(r.state, &r.view, slot);
        assert_int_equal(before & ~r.view.mine, 0); /* only its own warps */
        assert_int_equal(before & 1ull << slot, 0); /* not the picked one */
        assert_int_equal(before & candidates, 0);   /* the first candidate is picked */
        assert_int_equal(r.policy->pick(r.state, &r.view, candidates),
                         slot); /* pick changes no state */
        r.policy->issued(r.state, slot);
        if (ww_rng_below(rng, 8) == 0)
            r.policy->warp_ended(r.state, slot);
        picks++;
    }
    assert_true(picks > (strncmp(name, "turns", 5) == 0 ? 1000 : 10000));
    end(&r);
}

static void every_scheduler_keeps_the_contract(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    for (size_t i = 0; i < ww_scheduler_family.count; i++)
        check_contract(ww_scheduler_family.members[i]->name, &rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rr_takes_turns),
        cmocka_unit_test(rr_does_not_look_at_age),
        cmocka_unit_test(rr_goes_round_sixty_four_slots),
        cmocka_unit_test(gto_stays_then_takes_the_oldest),
        cmocka_unit_test(gto_forgets_a_warp_that_left),
        cmocka_unit_test(two_level_lets_a_few_alternate),
        cmocka_unit_test(two_level_exchanges_those_that_wait),
        cmocka_unit_test(two_level_activates_the_longest_inactive_warp),
        cmocka_unit_test(two_level_replaces_a_warp_that_ended),
        cmocka_unit_test(gcaws_stays_then_takes_the_most_critical),
        cmocka_unit_test(gcaws_takes_the_oldest_of_equals),
        cmocka_unit_test(gcaws_follows_what_changes),
        cmocka_unit_test(every_scheduler_keeps_the_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
