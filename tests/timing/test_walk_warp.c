/* Walk warps (SoftWalker): instruction by instruction, and how walks are distributed. */
#include "support/walk_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/*  10  the request comes; lookup in the walkers' cache (2), way (5)
 *  17  in local memory; the warp can issue in the next cycle
 *  18  fetch of the request (3), 21 and 23 decode (2 each)
 *  25  offset (2), 27 read, at the memory 28, back 38
 *  38  entry to the walkers' cache (1), 39 and 41 check (2 each): a level takes 18 cycles
 *  43, 61, 79  offsets of levels 3, 2, 1
 *  92  back with the leaf, which goes to no walk cache; 92 and 94 check
 *  96  end; way (5) to the distributor, and a tick to the TLB */
static void a_walk_takes_these_instructions(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    walk_rig *rig = walk_rig_create(&c);
    walk_rig_plan(rig, 10, 'a', 1);
    walk_rig_expect(rig, "18L 21S 23S 25S 27M 38M 39S 41S 43S 45M 56M 57S 59S 61S 63M 74M 75S 77S "
                         "79S 81M 92S 94S 96M 102^a");
    const ww_cuptw_counters *count = ww_cu_walker_count(walk_rig_walker(rig, 0));
    assert_int_equal(count->walks, 1);
    assert_int_equal(count->waiting, 7);
    assert_int_equal(count->latency, 86);
    assert_int_equal(count->pte_reads, 4);
    assert_int_equal(count->cache_writes, 3);
    assert_int_equal(count->simd_issues, 14);
    assert_int_equal(count->memory_issues, 8);
    assert_int_equal(count->lds_issues, 1);
    walk_rig_destroy(rig);
}

/* The second walk finds the entry of level 2, which the first one put there. */
static void a_walk_starts_where_the_walk_cache_says(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    walk_rig *rig = walk_rig_create(&c);
    walk_rig_plan(rig, 10, 'a', 1);
    walk_rig_run_until(rig, 190);
    walk_rig_plan(rig, 200, 'b', 3);
    walk_rig_expect(rig, "18L 21S 23S 25S 27M 38M 39S 41S 43S 45M 56M 57S 59S 61S 63M 74M 75S 77S "
                         "79S 81M 92S 94S 96M 102^a 208L 211S 213S 215S 217M 228S 230S 232M 238^b");
    walk_rig_destroy(rig);
}

/* a, b and c walk together. The entries of a and b are in one line at every level, that of c, 8
 * pages on, only above the leaf: 1 + 1 + 1 + 2 requests. The second one of the leaf is sent a cycle
 * later, so that the warp goes on at 93. d comes while the warp is at work, and waits until the end,
 * 97; it is set up in the next cycle. The entry of level 3 was known when it left, at 60: it reads
 * levels 2 and 1. */
static void threads_walk_in_lockstep_and_share_requests(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    walk_rig *rig = walk_rig_create(&c);
    walk_rig_plan(rig, 10, 'a', 0);
    walk_rig_plan(rig, 10, 'b', 1);
    walk_rig_plan(rig, 10, 'c', 8);
    walk_rig_plan(rig, 60, 'd', 2);
    walk_rig_expect(rig, "18L 21S 23S 25S 27M 38M 39S 41S 43S 45M 56M 57S 59S 61S 63M 74M 75S 77S "
                         "79S 81M 93S 95S 97M 99L 102S 103^a 103^b 103^c 104S 106S 108M 119M 120S "
                         "122S 124S 126M 137S 139S 141M 147^d");
    const ww_cuptw_counters *count = ww_cu_walker_count(walk_rig_walker(rig, 0));
    assert_int_equal(walk_rig_reads(rig), 5 + 2);
    assert_int_equal(count->pte_reads, 12 + 2);
    assert_int_equal(count->coalesced_1, 1);
    assert_int_equal(count->coalesced_4, 2);
    assert_int_equal(count->wavefronts, 2);
    walk_rig_destroy(rig);
}

/* Without an entry of level 1 the walk ends when the read of it is back, at 92. The page's node of
 * level 1 exists: page 1 has a frame. */
static void an_absent_entry_is_a_fault(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    walk_rig *rig = walk_rig_create(&c);
    uint64_t unused;
    assert_true(ww_driver_touch(walk_rig_driver(rig), 0, 1 << 12, &unused));
    walk_rig_plan_absent(rig, 10, 'a', 2);
    walk_rig_expect(rig, "18L 21S 23S 25S 27M 38M 39S 41S 43S 45M 56M 57S 59S 61S 63M 74M 75S 77S "
                         "79S 81M 98!a");
    assert_int_equal(ww_cu_walker_count(walk_rig_walker(rig, 0))->faults, 1);
    walk_rig_destroy(rig);
}

/* The page is invalidated while the entry of level 3 is read, from 45 to 56: no entry of that read
 * is used or kept, and after the check the walk starts again at the root, at 60. */
static void an_invalidated_walk_starts_again(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    walk_rig *rig = walk_rig_create(&c);
    walk_rig_plan(rig, 10, 'a', 1);
    walk_rig_run_until(rig, 50);
    ww_cu_walker_invalidate(walk_rig_walker(rig, 0), &(ww_invalidation){OF_PAGES(1)});
    walk_rig_expect(rig, "18L 21S 23S 25S 27M 38M 39S 41S 43S 45M 56S 58S 60S 62M 73M 74S 76S 78S "
                         "80M 91M 92S 94S 96S 98M 109M 110S 112S 114S 116M 127S 129S 131M 137^a");
    assert_int_equal(ww_cu_walker_count(walk_rig_walker(rig, 0))->restarts, 1);
    walk_rig_destroy(rig);
}

/* Two compute units with a slot each. a goes to 0, b to 1; c waits until a's slot is free: its
 * answer is back at 101. It finds the entry of level 2. At most one leaves in a cycle: b a cycle
 * later. */
static void walks_go_to_compute_units_in_turn(void **state)
{
    (void)state;
    walk_rig_config c = walk_rig_plain();
    c.distributor.cus = 2;
    c.distributor.slots = 1;
    c.distributor.requests = 1;
    walk_rig *rig = walk_rig_create(&c);
    walk_rig_plan(rig, 10, 'a', 1);
    walk_rig_plan(rig, 10, 'b', 2);
    walk_rig_plan(rig, 10, 'c', 3);
    walk_rig_expect(
        rig, "18L0 19L1 21S0 22S1 23S0 24S1 25S0 26S1 27M0 28M1 38M0 39S0 39M1 40S1 41S0 42S1 "
             "43S0 44S1 45M0 46M1 56M0 57S0 57M1 58S1 59S0 60S1 61S0 62S1 63M0 64M1 74M0 "
             "75S0 75M1 76S1 77S0 78S1 79S0 80S1 81M0 82M1 92S0 93S1 94S0 95S1 96M0 97M1 "
             "102^a 103^b 109L0 112S0 114S0 116S0 118M0 129S0 131S0 133M0 139^c");
    assert_int_equal(ww_cu_walker_count(walk_rig_walker(rig, 0))->walks, 2);
    assert_int_equal(ww_cu_walker_count(walk_rig_walker(rig, 1))->walks, 1);
    walk_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_takes_these_instructions),
        cmocka_unit_test(a_walk_starts_where_the_walk_cache_says),
        cmocka_unit_test(threads_walk_in_lockstep_and_share_requests),
        cmocka_unit_test(an_absent_entry_is_a_fault),
        cmocka_unit_test(an_invalidated_walk_starts_again),
        cmocka_unit_test(walks_go_to_compute_units_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
