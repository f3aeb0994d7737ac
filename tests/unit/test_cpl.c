/* Criticality Prediction Logic: counters after branches, issues and stalls that are written out. */
#include "base/memory.h"
#include "base/text.h"
#include "core/criticality.h"
#include "sim/components.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SLOT 3
#define START 100

typedef struct rig {
    const ww_criticality *policy;
    ww_config *config;
    ww_warp_criticality *state;
    ww_warp_progress warp;
} rig;

/* A warp starts in cycle 100. */
static void begin(rig *r, const char *reading)
{
    ww_errors *errors = ww_errors_create();
    char *set = ww_format("core.cpl_reading=%s", reading);
    r->policy = (const ww_criticality *)(const void *)ww_policy_find(&ww_criticality_family, "cpl");
    r->config = ww_config_create(&ww_all_schemas);
    assert_int_equal(ww_config_set(r->config, set, errors), WW_OK);
    r->state = ww_policy_create(&r->policy->policy,
                                &(ww_policy_start){.config = r->config, .prefix = "core"});
    r->policy->warp_started(r->state, SLOT, &(ww_started_warp){.cycle = START});
    r->warp = (ww_warp_progress){.start = START, .next_issue = START, .changed = START};
    free(set);
    ww_errors_destroy(errors);
}

static void end(rig *r)
{
    r->policy->warp_ended(r->state, SLOT);
    assert_int_equal(r->state->of_slot[SLOT], 0);
    ww_config_destroy(r->config);
    free(r->state);
}

static uint32_t predicted(const rig *r)
{
    return r->policy->predict(r->state, SLOT, &r->warp);
}

static int64_t criticality(const rig *r)
{
    return (int64_t)predicted(r) - (1ll << 31);
}

/* An instruction issues after a stall, whose length need not fit the cycle. */
static void issue(rig *r, uint64_t stall, uint64_t cycle)
{
    uint64_t stalls = ww_warp_stalls(&r->warp) + stall;
    r->warp.next_issue = cycle + 1;
    r->warp.changed = cycle;
    r->warp.issued = r->warp.next_issue - r->warp.start - stalls;
}

static void commit(rig *r, uint64_t cycle)
{
    r->warp.committed++;
    r->warp.changed = cycle;
}

/* An instruction issues after a stall, and is complete. */
static void execute(rig *r, uint64_t stall, uint64_t cycle)
{
    issue(r, stall, cycle);
    commit(r, cycle);
}

static void stalls_count_in_full_and_instructions_by_their_cost(void **state)
{
    (void)state;
    rig r;
    begin(&r, "remaining");
    assert_int_equal(criticality(&r), 0);
    execute(&r, 0, 100); /* one committed in no time: CPI 0 */
    assert_int_equal(criticality(&r), 0);
    issue(&r, 3, 104); /* a load: -1 x 4 / 1 + 3 */
    assert_int_equal(criticality(&r), -1);
    commit(&r, 120); /* -2 x 20 / 2 + 3 */
    assert_int_equal(criticality(&r), -17);
    execute(&r, 16, 121); /* -3 x 21 / 3 + 19 */
    assert_int_equal(criticality(&r), -2);
    end(&r);
}

/* Likewise, with commits taken off after the product: without branches it is stalls - committed. */
static void commits_off_the_counter_leave_stalls(void **state)
{
    (void)state;
    rig r;
    begin(&r, "counter");
    execute(&r, 0, 100);
    assert_int_equal(criticality(&r), -1);
    issue(&r, 3, 104);
    assert_int_equal(criticality(&r), 3 - 1);
    commit(&r, 120);
    assert_int_equal(criticality(&r), 3 - 2);
    r.policy->branched(r.state, SLOT, &(ww_branch_outcome){.pc = 9, .next = 5, .taken = true});
    assert_int_equal(criticality(&r), 5 * 20 / 2 + 3 - 2);
    execute(&r, 16, 121);
    assert_int_equal(criticality(&r), 5 * 21 / 3 + 19 - 3);
    end(&r);
}

/* With CPI 1 and no stalls the criticality is the number of instructions. */
static void begin_even(rig *r, const char *reading)
{
    begin(r, reading);
    execute(r, 0, START);
    execute(r, 0, START + 2);
    assert_int_equal(criticality(r), -2);
}

static void expect_branch(rig *r, ww_branch_outcome branch, int64_t change)
{
    int64_t old = criticality(r);
    r->policy->branched(r->state, SLOT, &branch);
    assert_int_equal(criticality(r) - old, change);
}

static void what_remains_shrinks_forwards_and_grows_backwards(void **state)
{
    (void)state;
    rig r;
    begin_even(&r, "remaining");
    expect_branch(&r, (ww_branch_outcome){.pc = 4, .next = 5, .not_taken = true}, 0);
    expect_branch(&r, (ww_branch_outcome){.pc = 4, .next = 9, .taken = true}, -4); /* 5 to 8 */
    expect_branch(&r, (ww_branch_outcome){.pc = 9, .next = 5, .taken = true}, 5);  /* 5 to 9 */
    expect_branch(&r, (ww_branch_outcome){.pc = 9, .next = 9, .taken = true}, 1);
    ww_branch_outcome both = {.pc = 4, .next = 5, .divergent = true};
    expect_branch(&r, both, 0);
    both.next = 9; /* the other lanes have arrived at 5 already */
    expect_branch(&r, both, 0);
    both.next = 1; /* 1 to 4 again for some lanes */
    expect_branch(&r, both, 4);
    end(&r);
}

/* Algorithm 5: 0 @p0 bra L2; 1 add; 2 bra L3; 3 L2: sub; 4 L3: mov. Printed are PC_4 - PC_1 + 1 and
 * PC_5 - PC_1 + 1; one or two instructions are executed. */
static const ww_branch_paths printed = {
    .reconvergence = 4,
    .taken = {.exists = true, .inferred = 4, .shortest = 1, .longest = 1},
    .fall_through = {.exists = true, .inferred = 5, .shortest = 2, .longest = 2},
};

static void expect_sides(const char *reading, int64_t taken, int64_t fall_through)
{
    rig r;
    begin_even(&r, reading);
    ww_branch_outcome branch = {.next = 3, .taken = true, .paths = &printed};
    expect_branch(&r, branch, taken);
    branch = (ww_branch_outcome){.next = 1, .not_taken = true, .paths = &printed};
    expect_branch(&r, branch, fall_through);
    branch.taken = branch.divergent = true;
    expect_branch(&r, branch, taken + fall_through);
    branch = (ww_branch_outcome){.pc = 2, .next = 4, .taken = true}; /* without a condition */
    expect_branch(&r, branch, 0);
    end(&r);
}

static void algorithm_5_as_printed(void **state)
{
    (void)state;
    expect_sides("literal", 4, 5);
}

static void sides_of_the_control_flow_graph(void **state)
{
    (void)state;
    expect_sides("cfg", 1, 2);
}

/* A loop of 8 instructions, closed by the branch at 9: printed is 2 - 9 + 1 for another iteration,
 * and 10 - 9 + 1 for none. The printed one makes a warp that loops less critical. */
static void an_iteration_in_each_reading(void **state)
{
    static const ww_branch_paths loop = {
        .instruction = 9,
        .reconvergence = 10,
        .taken = {.exists = true, .inferred = -6, .shortest = 8, .longest = 8},
        .fall_through = {.exists = true, .inferred = 2},
    };
    static const struct {
        const char *reading;
        int again, over;
    } expected[] = {{"remaining", 8, 0}, {"literal", -6, 2}, {"cfg", 8, 0}, {"counter", 8, 0}};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        rig r;
        begin_even(&r, expected[i].reading);
        expect_branch(&r, (ww_branch_outcome){.pc = 9, .next = 2, .taken = true, .paths = &loop},
                      expected[i].again);
        expect_branch(&r,
                      (ww_branch_outcome){.pc = 9, .next = 10, .not_taken = true, .paths = &loop},
                      expected[i].over);
        end(&r);
    }
}

static void extremes_are_kept_apart_from_no_warp(void **state)
{
    (void)state;
    rig r;
    begin(&r, "remaining");
    execute(&r, 1ull << 40, START + (1ull << 40));
    execute(&r, 0, START + (1ull << 40) + 1); /* the stall outweighs the cost of an instruction */
    issue(&r, 1ull << 41, START + (1ull << 40) + 2);
    assert_int_equal(predicted(&r), UINT32_MAX);
    expect_branch(&r, (ww_branch_outcome){.next = 1u << 20, .taken = true}, 1 - (1ll << 32) + 1);
    assert_int_equal(predicted(&r), 1);
    end(&r);
}

static void storage_is_five_words_for_each_warp(void **state)
{
    (void)state;
    rig r;
    ww_errors *errors = ww_errors_create();
    begin(&r, "remaining");
    assert_int_equal(ww_config_set(r.config, "core.wavefronts=48", errors), WW_OK);
    assert_int_equal(ww_policy_storage_bits(&r.policy->policy, r.config, "core.criticality"),
                     48 * 160);
    end(&r);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stalls_count_in_full_and_instructions_by_their_cost),
        cmocka_unit_test(commits_off_the_counter_leave_stalls),
        cmocka_unit_test(what_remains_shrinks_forwards_and_grows_backwards),
        cmocka_unit_test(algorithm_5_as_printed),
        cmocka_unit_test(sides_of_the_control_flow_graph),
        cmocka_unit_test(an_iteration_in_each_reading),
        cmocka_unit_test(extremes_are_kept_apart_from_no_warp),
        cmocka_unit_test(storage_is_five_words_for_each_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
