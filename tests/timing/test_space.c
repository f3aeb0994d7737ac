/* Two address spaces with the same virtual pages do not see each other's translations: in a TLB's
 * entries, its miss registers and its queues, in walk caches and in walk merging. The rigs compare
 * every answer with the frame in the request's own space. */
#include "support/mmu_rig.h"
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void plan(tlb_rig *rig, ww_tick tick, char name, uint16_t asid, uint64_t page)
{
    tlb_rig_request *r = tlb_rig_plan(rig, tick, name, page);
    r->translation.instruction.asid = asid;
    r->translation.instruction.number = (uint64_t)name;
}

static void an_entry_is_of_one_space(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.entries = (ww_lru_config){.entries = 8, .ways = 4, .hashed = hashed};
        tlb_rig *rig = tlb_rig_create(&c, 8);
        plan(rig, 5, 'a', 1, 3);
        plan(rig, 30, 'b', 2, 3);
        plan(rig, 60, 'c', 1, 3);
        plan(rig, 61, 'd', 2, 3);
        tlb_rig_expect(rig, "6va 16^a 31vb 41^b 60^c 61^d");
        tlb_rig_destroy(rig);
    }
}

/* Together, in both orders of lookups: a and c are of space 1 and share a register, b has one of
 * its own. */
static void a_miss_register_is_of_one_space(void **state)
{
    (void)state;
    for (int oldest = 0; oldest < 2; oldest++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.oldest_first = oldest;
        c.tlb.lookups = 4;
        tlb_rig *rig = tlb_rig_create(&c, 8);
        plan(rig, 5, 'a', 1, 3);
        plan(rig, 5, 'b', 65535, 3);
        plan(rig, 5, 'c', 1, 3);
        tlb_rig_expect(rig, "6va 6vb 16^a 16^c 16^b");
        assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->merged, 1);
        tlb_rig_destroy(rig);
    }
}

static void an_invalidation_is_of_one_space(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 8);
    plan(rig, 5, 'a', 1, 3);
    plan(rig, 5, 'b', 2, 3);
    tlb_rig_expect(rig, "6va 6vb 16^a 16^b");
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){.asid = 1, OF_PAGES(3)});
    plan(rig, 30, 'c', 2, 3);
    plan(rig, 31, 'd', 1, 3);
    tlb_rig_expect(rig, "30^c 32vd 42^d");
    tlb_rig_destroy(rig);
}

/* a leaves entries of all levels for the page that b, of the other space, walks for. */
static void a_walk_cache_entry_is_of_one_space(void **state)
{
    (void)state;
    static const ww_walk_cache_kind kinds[] = {WW_WALK_CACHE_LEVELS, WW_WALK_CACHE_UNIFIED};
    for (size_t i = 0; i < 2; i++) {
        mmu_rig_config c = mmu_rig_plain();
        c.spaces = 2;
        c.mmu.cache = kinds[i];
        mmu_rig *rig = mmu_rig_create(&c, 4, 1);
        mmu_rig_plan_in(rig, 0, 5, 'a', 0, 0);
        mmu_rig_plan_in(rig, 1, 105, 'b', 0, 0);
        mmu_rig_plan_in(rig, 0, 205, 'c', 0, 1);
        mmu_rig_plan_in(rig, 1, 305, 'd', 0, 1);
        mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 146^b "
                            "206vc1 216^c 306vd1 316^d");
        mmu_rig_destroy(rig);
    }
}

/* The PTE cache is addressed by physical lines: the nodes of b are others than those of a. */
static void a_line_of_entries_is_of_one_space(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.spaces = 2;
    c.mmu.pte_cache = (ww_lru_config){.entries = 16};
    c.mmu.pte_cache_latency = 1;
    mmu_rig *rig = mmu_rig_create(&c, 4, 1);
    mmu_rig_plan_in(rig, 0, 5, 'a', 0, 0);
    mmu_rig_plan_in(rig, 1, 105, 'b', 0, 0);
    mmu_rig_plan_in(rig, 0, 205, 'c', 0, 1);
    assert_true(mmu_rig_run(rig));
    assert_int_equal(mmu_rig_count(rig)->pte_reads, 8);
    assert_int_equal(mmu_rig_count(rig)->pte_cache_hits, 4);
    mmu_rig_destroy(rig);
}

/* Two walkers. b would be held for a's line, and c answered by it, if they were of a's space: b
 * starts at once, and c is answered by b's. */
static void a_line_answers_walks_of_its_own_space(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    c.spaces = 2;
    c.merge = "neighborhood";
    c.mmu.walkers = 2;
    c.mmu.opportunity = true;
    mmu_rig *rig = mmu_rig_create(&c, 4, 4);
    mmu_rig_plan_in(rig, 0, 5, 'a', 0, 0);
    mmu_rig_plan_in(rig, 1, 5, 'b', 1, 1);
    mmu_rig_plan_in(rig, 1, 7, 'c', 2, 2);
    mmu_rig_expect(rig, "6va4 6vb4 16va3 16vb3 26va2 26vb2 36va1 36vb1 46^a 46^c 46^b");
    const ww_walk_counters *n = mmu_rig_count(rig);
    assert_int_equal(n->merged, 1);
    /* b's reads at 15, 25 and 35 could be shared with c, those of a with none. */
    assert_int_equal(n->shared_leaf, 1);
    assert_int_equal(n->shared_upper, 2);
    mmu_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_is_of_one_space),
        cmocka_unit_test(a_miss_register_is_of_one_space),
        cmocka_unit_test(an_invalidation_is_of_one_space),
        cmocka_unit_test(a_walk_cache_entry_is_of_one_space),
        cmocka_unit_test(a_line_of_entries_is_of_one_space),
        cmocka_unit_test(a_line_answers_walks_of_its_own_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
