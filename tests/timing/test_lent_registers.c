/* Entries of a TLB that serve as miss registers (l2_tlb.lent_mshrs): while one is lent it holds no
 * translation, and nothing else can be put into it. */
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* One set of so many entries, one register. */
static tlb_rig_config lending(uint32_t entries, uint32_t ways, uint32_t lends)
{
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.entries = (ww_lru_config){.entries = entries, .ways = ways};
    c.tlb.mshrs = 1;
    c.tlb.lends = lends;
    c.tlb.lookups = 8;
    return c;
}

/* Without, b waits for a's register, from 5 to 16. */
static void an_entry_serves_as_a_register(void **state)
{
    static const char *const logs[] = {"6va 16^a 17vb 27^b", "6va 6vb 16^a 16^b"};
    (void)state;
    for (uint32_t lends = 0; lends < 2; lends++) {
        tlb_rig_config c = lending(4, 0, lends);
        tlb_rig *rig = tlb_rig_create(&c, 8);
        tlb_rig_plan(rig, 5, 'a', 1);
        tlb_rig_plan(rig, 5, 'b', 2);
        tlb_rig_expect(rig, logs[lends]);
        assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->lent, lends);
        assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->stall_mshr, lends ? 0 : 11);
        tlb_rig_destroy(rig);
    }
}

/*  tick  entry 0     entry 1     register
 *     5  free        free        a: page 1
 *    15                          (answered: page 1 in entry 0)
 *    30  page 1      page 2 from 41 on
 *   100  lent to d   page 2      c     page 1 was the least recently used
 *   102  e finds page 2
 *   103  f misses page 1: the register is in use, and one entry may be lent
 *   111  page 4      page 3      f     c's answer replaces page 2: the other entry is still lent
 *   122  page 4      page 1            f's answer: page 3 is older than page 4
 *   130  g: page 4 hits, h: page 3 misses */
static void a_lent_entry_holds_nothing_until_its_answer(void **state)
{
    (void)state;
    tlb_rig_config c = lending(2, 0, 1);
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 30, 'b', 2);
    tlb_rig_plan(rig, 100, 'c', 3);
    tlb_rig_plan(rig, 100, 'd', 4);
    tlb_rig_plan(rig, 102, 'e', 2);
    tlb_rig_plan(rig, 103, 'f', 1);
    tlb_rig_plan(rig, 130, 'g', 4);
    tlb_rig_plan(rig, 130, 'h', 3);
    tlb_rig_expect(rig, "6va 16^a 31vb 41^b 101vc 101vd 102^e 111^c 111^d 112vf 122^f 130^g "
                        "131vh 141^h");
    const ww_tlb_counters *count = ww_tlb_count(tlb_rig_tlb(rig));
    assert_int_equal(count->lent, 1);
    assert_int_equal(count->evictions, 4); /* of page 1 when lent, then of 2, 3 and 1 by answers */
    assert_int_equal(count->stall_mshr, 8);
    tlb_rig_destroy(rig);
}

/* Two sets of two. a has the register; b and c lend both entries of set 0; d, of the same set,
 * stays in front of e, whose set has both entries. */
static void a_set_whose_entries_are_lent_has_no_register(void **state)
{
    (void)state;
    tlb_rig_config c = lending(4, 2, 4);
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 5, 'b', 2);
    tlb_rig_plan(rig, 5, 'c', 4);
    tlb_rig_plan(rig, 5, 'd', 6);
    tlb_rig_plan(rig, 5, 'e', 3);
    tlb_rig_expect(rig, "6va 6vb 6vc 16^a 16^b 16^c 17vd 17ve 27^d 27^e");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->lent, 3);
    tlb_rig_destroy(rig);
}

/* An answer for a set whose entries are all lent is passed on, and not kept. */
static void an_answer_that_finds_no_entry_is_not_kept(void **state)
{
    (void)state;
    tlb_rig_config c = lending(1, 0, 1);
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 6, 'b', 2);
    tlb_rig_plan(rig, 20, 'c', 1);
    tlb_rig_plan(rig, 21, 'd', 2);
    /* a's answer comes at 16, b's, which gets its entry, at 17. c takes the register. */
    tlb_rig_expect(rig, "6va 7vb 16^a 17^b 21vc 21^d 31^c");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->evictions, 1);
    tlb_rig_destroy(rig);
}

/* Requests for the page merge; a far-fault gives the entry back, free. */
static void merges_and_faults(void **state)
{
    (void)state;
    tlb_rig_config c = lending(1, 0, 1);
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 6, 'b', 2)->below = TLB_RIG_ABSENT;
    tlb_rig_plan(rig, 7, 'c', 2);
    tlb_rig_plan(rig, 20, 'd', 3);
    tlb_rig_plan(rig, 40, 'e', 3);
    tlb_rig_expect(rig, "6va 7vb 16^a 17!b 17!c 21vd 31^d 40^e");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->merged, 1);
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->evictions, 0);
    tlb_rig_destroy(rig);
}

/* The page of a lent entry is invalidated at 10: its answer is dropped, and asked for again; the
 * entry stays lent. */
static void an_invalidated_page_keeps_its_entry_lent(void **state)
{
    (void)state;
    uint64_t page = 2;
    tlb_rig_config c = lending(2, 0, 1);
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 6, 'b', 2);
    tlb_rig_run_until(rig, 10);
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){.pages = &page, .count = 1, .asid = 0});
    tlb_rig_plan(rig, 40, 'c', 2);
    tlb_rig_expect(rig, "6va 7vb 16^a 18vb 28^b 40^c");
    tlb_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_serves_as_a_register),
        cmocka_unit_test(a_lent_entry_holds_nothing_until_its_answer),
        cmocka_unit_test(a_set_whose_entries_are_lent_has_no_register),
        cmocka_unit_test(an_answer_that_finds_no_entry_is_not_kept),
        cmocka_unit_test(merges_and_faults),
        cmocka_unit_test(an_invalidated_page_keeps_its_entry_lent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
