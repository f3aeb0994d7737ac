/* Misses of an L1 TLB that the level below sends back, because the compute unit makes the walk
 * (cuptw.mode): they need no register meanwhile, and requests for their pages merge. */
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* One register, and a walk of 100 ticks. */
static tlb_rig *start(void)
{
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.mshrs = 1;
    c.tlb.forwarded = 4;
    c.walk_time = 100;
    return tlb_rig_create(&c, 8);
}

/* b waits for a's register from 5 to 16, when a comes back and goes to the walker. */
static void a_forwarded_miss_frees_its_register(void **state)
{
    (void)state;
    tlb_rig *rig = start();
    tlb_rig_plan(rig, 5, 'a', 1)->below = TLB_RIG_FORWARDED;
    tlb_rig_plan(rig, 5, 'b', 2);
    tlb_rig_expect(rig, "6va 16wa 17vb 27^b 116^a");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->stall_mshr, 11);
    tlb_rig_destroy(rig);
}

/* b comes while a waits for the answer of the level below, c while a is walked for: both merge, and
 * are answered with a. d finds the entry. */
static void requests_merge_into_a_forwarded_miss(void **state)
{
    (void)state;
    tlb_rig *rig = start();
    tlb_rig_plan(rig, 5, 'a', 1)->below = TLB_RIG_FORWARDED;
    tlb_rig_plan(rig, 8, 'b', 1);
    tlb_rig_plan(rig, 50, 'c', 1);
    tlb_rig_plan(rig, 130, 'd', 1);
    tlb_rig_expect(rig, "6va 16wa 116^a 116^b 116^c 130^d");
    const ww_tlb_counters *count = ww_tlb_count(tlb_rig_tlb(rig));
    assert_int_equal(count->misses, 1);
    assert_int_equal(count->merged, 2);
    assert_int_equal(count->hits, 1);
    tlb_rig_destroy(rig);
}

/* The page is invalidated at 50: the answer at 116 is dropped, and the miss has a register again,
 * which b waits for. */
static void a_stale_answer_takes_the_register_back(void **state)
{
    (void)state;
    tlb_rig *rig = start();
    tlb_rig_plan(rig, 5, 'a', 1)->below = TLB_RIG_FORWARDED;
    tlb_rig_plan(rig, 118, 'b', 2);
    tlb_rig_run_until(rig, 50);
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){OF_PAGES(1)});
    tlb_rig_expect(rig, "6va 16wa 117va 127^a 128vb 138^b");
    tlb_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forwarded_miss_frees_its_register),
        cmocka_unit_test(requests_merge_into_a_forwarded_miss),
        cmocka_unit_test(a_stale_answer_takes_the_register_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
