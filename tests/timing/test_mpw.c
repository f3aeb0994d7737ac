/* Marching page walks: which walks of a walker are in a batch, and when each of its reads and
 * answers is. A read that a walker sends at t is at the memory at t + 1, and its line is there at
 * t + 10. */
#include "base/memory.h"
#include "stats/stats.h"
#include "support/mmu_rig.h"
#include "vm/mmu_internal.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Pages of 4 KiB that an entry of a level is for. */
#define L2 512ull
#define L3 (512 * L2)
#define L4 (512 * L3)

static mmu_rig_config batching(uint32_t walkers, const char *entries)
{
    mmu_rig_config c = mmu_rig_plain();
    c.merge = "mpw";
    c.batch_entries = entries;
    c.mmu.walkers = walkers;
    return c;
}

/* The policy's statistics: batches and walks in them, by level. */
static void check_batches(mmu_rig *rig, const uint64_t *batches, const uint64_t *walks)
{
    const ww_mmu *mmu = mmu_rig_mmu(rig);
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add_policy(stats, &mmu->config.merge->policy, "walk", mmu->merge_state);
    ww_stats_read(stats);
    for (unsigned level = 1; level <= WW_LEVELS; level++) {
        char *of_batches = ww_format("walk.batches_level%u", level);
        char *of_walks = ww_format("walk.batch_walks_level%u", level);
        assert_int_equal(ww_stats_find(stats, of_batches)->count, batches[level - 1]);
        assert_int_equal(ww_stats_find(stats, of_walks)->count, walks[level - 1]);
        free(of_batches);
        free(of_walks);
    }
    ww_stats_destroy(stats);
}

/* Three entries: d waits until a's is free, and then for the end of the batch. */
static void a_batch_reads_back_to_back(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "3");
    mmu_rig *rig = mmu_rig_create(&c, 4, 4);
    for (unsigned i = 0; i < 4; i++)
        mmu_rig_plan(rig, 5, (char)('a' + i), i, i * L4);
    mmu_rig_expect(rig, "6va4 7vb4 8vc4 18va3 19vb3 20vc3 30va2 31vb2 32vc2 42va1 43vb1 44vc1 "
                        "52^a 53^b 54vd4 54^c 64vd3 74vd2 84vd1 94^d");
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->at_once, 3);
    assert_int_equal(n->selected, 1);
    assert_int_equal(n->waiting, 51 - 5); /* d, in the buffer */
    assert_int_equal(n->busy, 93 - 5);
    check_batches(rig, (const uint64_t[]){2, 2, 2, 2}, (const uint64_t[]){4, 4, 4, 4});
    mmu_rig_destroy(rig);
}

/* a is the oldest: as long as it walks, only entries of its level are read. b and c wait for it,
 * and walk together. */
static void the_oldest_walk_says_the_level(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "4");
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 7, 'b', 1, L4);
    mmu_rig_plan(rig, 20, 'c', 2, 2 * L4);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46vb4 46^a 47vc4 57vb3 58vc3 68vb2 69vc2 79vb1 "
                        "80vc1 89^b 90^c");
    check_batches(rig, (const uint64_t[]){2, 2, 2, 2}, (const uint64_t[]){3, 3, 3, 3});
    mmu_rig_destroy(rig);
}

/* Two walkers of two entries: a and c are of the first, b and d of the second. e finds the first
 * walker's entry of a free at 48, the second walker has its turn with b's. */
static void walkers_are_filled_in_turn(void **state)
{
    (void)state;
    mmu_rig_config c = batching(2, "2");
    mmu_rig *rig = mmu_rig_create(&c, 5, 5);
    for (unsigned i = 0; i < 5; i++)
        mmu_rig_plan(rig, 5, (char)('a' + i), i, i * L4);
    mmu_rig_expect(rig, "6va4 6vb4 7vc4 7vd4 17va3 17vb3 18vc3 18vd3 28va2 28vb2 29vc2 29vd2 39va1 "
                        "39vb1 40vc1 40vd1 49^a 49^b 50ve4 50^c 50^d 60ve3 70ve2 80ve1 90^e");
    assert_int_equal(mmu_rig_count(rig)->busy, 44 + 44 + 40);
    mmu_rig_destroy(rig);
}

/* a fills the walk caches. b and d need one read each, c four: the levels are known after the
 * lookup of 4 ticks. */
static void walk_caches_say_the_levels(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "8");
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    c.mmu.cache_latency = 4;
    mmu_rig *rig = mmu_rig_create(&c, 4, 4);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 105, 'b', 1, 1);
    mmu_rig_plan(rig, 105, 'c', 2, L4);
    mmu_rig_plan(rig, 105, 'd', 3, 200);
    mmu_rig_expect(rig, "10va4 20va3 30va2 40va1 50^a 110vb1 111vd1 120^b 121vc4 121^d 131vc3 "
                        "141vc2 151vc1 161^c");
    check_batches(rig, (const uint64_t[]){3, 2, 2, 2}, (const uint64_t[]){4, 2, 2, 2});
    mmu_rig_destroy(rig);
}

/* One lookup in 5 ticks: those of a, b and c are in 5, 10 and 15, and end 4 later. So a walks alone,
 * then b and c walk together. They have filled the walk caches when d, e and f come: d and e need
 * one read each, f four. e's level is known when d's read comes back, too late for d's batch. */
static void walks_wait_for_the_walk_caches_port(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "8");
    c.mmu.cache = WW_WALK_CACHE_LEVELS;
    c.mmu.cache_latency = 4;
    c.mmu.cache_ports = 1;
    c.mmu.cache_interval = 5;
    mmu_rig *rig = mmu_rig_create(&c, 6, 6);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 1, L4);
    mmu_rig_plan(rig, 5, 'c', 2, 2 * L4);
    mmu_rig_plan(rig, 105, 'd', 3, 1);
    mmu_rig_plan(rig, 105, 'e', 4, L4 + 1);
    mmu_rig_plan(rig, 105, 'f', 5, 3 * L4);
    mmu_rig_expect(rig, "10va4 20va3 30va2 40va1 50vb4 50^a 51vc4 61vb3 62vc3 72vb2 73vc2 83vb1 "
                        "84vc1 93^b 94^c 110vd1 120ve1 120^d 130vf4 130^e 140vf3 150vf2 160vf1 "
                        "170^f");
    assert_int_equal(mmu_rig_count(rig)->cache_waiting, 0 + 5 + 10 + 0 + 5 + 10);
    check_batches(rig, (const uint64_t[]){5, 3, 3, 3}, (const uint64_t[]){6, 4, 4, 4});
    mmu_rig_destroy(rig);
}

/* b's page has no frame and no nodes: it faults at the root; a and c go on. */
static void a_fault_is_of_one_walk(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "8");
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan_absent(rig, 5, 'b', 1, L4);
    mmu_rig_plan(rig, 5, 'c', 2, 1);
    mmu_rig_expect(rig, "6va4 7vb4 8vc4 17!b 18va3 19vc3 29va2 30vc2 40va1 41vc1 50^a 51^c");
    mmu_rig_destroy(rig);
}

/* The page of b is invalidated while its batch reads level 3: b begins again, as the oldest but
 * one; a's level is read first. */
static void an_invalidated_walk_begins_again(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "8");
    mmu_rig *rig = mmu_rig_create(&c, 2, 2);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 1, L4);
    mmu_rig_run_until(rig, 20);
    ww_mmu_invalidate(mmu_rig_mmu(rig), &(ww_invalidation){OF_PAGES(L4)});
    mmu_rig_expect(rig, "6va4 7vb4 17va3 18vb3 28va2 38va1 48vb4 48^a 58vb3 68vb2 78vb1 88^b");
    mmu_rig_destroy(rig);
}

/* The memory takes one read at a time from 100 on; the batch waits there in its order. */
static void a_full_memory_delays_the_batch(void **state)
{
    (void)state;
    mmu_rig_config c = batching(1, "8");
    c.memory_queue = 1;
    c.memory_hold = 100;
    c.page_bytes = 2 << 20;
    mmu_rig *rig = mmu_rig_create(&c, 3, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 5, 'b', 0, L2);
    mmu_rig_plan(rig, 5, 'c', 0, 2 * L2);
    mmu_rig_expect(rig, "100va4 101vb4 102vc4 112va3 113vb3 114vc3 124va2 125vb2 126vc2 134^a "
                        "135^b 136^c");
    mmu_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_reads_back_to_back),
        cmocka_unit_test(the_oldest_walk_says_the_level),
        cmocka_unit_test(walkers_are_filled_in_turn),
        cmocka_unit_test(walk_caches_say_the_levels),
        cmocka_unit_test(walks_wait_for_the_walk_caches_port),
        cmocka_unit_test(a_fault_is_of_one_walk),
        cmocka_unit_test(an_invalidated_walk_begins_again),
        cmocka_unit_test(a_full_memory_delays_the_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
