/* Translations that fail: a far-fault or a protection fault goes up as an answer, and no level
 * keeps it. In logs: "9^a" a frame, "9!a" a far-fault, "9#a" a protection fault (mmu_rig.h,
 * tlb_rig.h). */
#include "support/core_rig.h"
#include "support/mmu_rig.h"
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define L2 512ull
#define L4 (512 * 512 * L2)

/* ---- walks ---- */

/* b's leaf entry is empty, in the node of a; c's entry of the root is. */
static void a_walk_ends_at_an_empty_entry(void **state)
{
    (void)state;
    mmu_rig_config c = mmu_rig_plain();
    mmu_rig *rig = mmu_rig_create(&c, 3, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan_absent(rig, 105, 'b', 0, 9);
    mmu_rig_plan_absent(rig, 205, 'c', 0, L4);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 146!b 206vc4 "
                        "216!c");
    assert_int_equal(mmu_rig_count(rig)->latency, 40 + 40 + 10);
    mmu_rig_destroy(rig);
}

/* The page is mapped while its walk reads level 2: the leaf's read finds it. */
static void an_entry_counts_as_it_is_when_its_read_ends(void **state)
{
    (void)state;
    uint64_t unused;
    mmu_rig_config c = mmu_rig_plain();
    mmu_rig *rig = mmu_rig_create(&c, 2, 1);
    mmu_rig_plan(rig, 5, 'a', 0, 0);
    mmu_rig_plan_absent(rig, 105, 'b', 0, 9);
    mmu_rig_run_until(rig, 130);
    assert_true(ww_driver_touch(mmu_rig_driver(rig), 0, 9 * 4096, &unused));
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 146^b");
    mmu_rig_destroy(rig);
}

static void a_page_can_be_read_only(void **state)
{
    static const uint64_t sizes[] = {4096, 65536, 2 << 20};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        mmu_rig_config c = mmu_rig_plain();
        c.page_bytes = sizes[i];
        mmu_rig *rig = mmu_rig_create(&c, 4, 1);
        mmu_rig_plan(rig, 5, 'a', 0, 3)->translation.writes = true;
        assert_true(mmu_rig_run(rig));
        ww_driver_protect(mmu_rig_driver(rig), 0, 3 * sizes[i], sizes[i], false);
        mmu_rig_plan(rig, 105, 'b', 0, 3)->translation.writes = true;
        mmu_rig_plan(rig, 205, 'c', 0, 3);
        assert_true(mmu_rig_run(rig));
        ww_driver_protect(mmu_rig_driver(rig), 0, 3 * sizes[i], sizes[i], true);
        mmu_rig_plan(rig, 305, 'd', 0, 3)->translation.writes = true;
        mmu_rig_expect(rig, i == 2 ? "6va4 16va3 26va2 36^a 106vb4 116vb3 126vb2 136#b "
                                     "206vc4 216vc3 226vc2 236^c 306vd4 316vd3 326vd2 336^d"
                                   : "6va4 16va3 26va2 36va1 46^a 106vb4 116vb3 126vb2 136vb1 "
                                     "146#b 206vc4 216vc3 226vc2 236vc1 246^c 306vd4 316vd3 "
                                     "326vd2 336vd1 346^d");
        mmu_rig_destroy(rig);
    }
}

/* Two walkers. b is held for a's leaf line, whose entry for a is empty: it is answered by it. c's
 * entry there is empty, too: it walks, and faults by itself. */
static void a_fault_releases_the_walks_that_it_held(void **state)
{
    (void)state;
    uint64_t unused;
    mmu_rig_config c = mmu_rig_plain();
    c.merge = "neighborhood";
    c.mmu.walkers = 2;
    mmu_rig *rig = mmu_rig_create(&c, 3, 3);
    assert_true(ww_driver_touch(mmu_rig_driver(rig), 0, 4096, &unused));
    mmu_rig_plan_absent(rig, 5, 'a', 0, 0);
    mmu_rig_plan(rig, 6, 'b', 1, 1);
    mmu_rig_plan_absent(rig, 7, 'c', 2, 2);
    mmu_rig_expect(rig, "6va4 16va3 26va2 36va1 46vc1 46^b 46!a 56!c");
    mmu_rig_destroy(rig);
}

/* ---- TLBs ---- */

static tlb_rig_request *plan(tlb_rig *rig, ww_tick tick, char name, bool writes, tlb_rig_page below)
{
    tlb_rig_request *r = tlb_rig_plan(rig, tick, name, 1);
    r->translation.writes = writes;
    r->below = below;
    return r;
}

/* b joins a's miss and its fault. c misses again, and d hits what c brought. */
static void a_fault_is_not_an_entry(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 4);
    plan(rig, 5, 'a', false, TLB_RIG_ABSENT);
    plan(rig, 7, 'b', true, TLB_RIG_ABSENT);
    plan(rig, 30, 'c', false, TLB_RIG_PRESENT);
    plan(rig, 60, 'd', true, TLB_RIG_PRESENT);
    tlb_rig_expect(rig, "6va 16!a 16!b 31vc 41^c 60^d");
    tlb_rig_destroy(rig);
}

/* b joins a's miss and its fault. The register stays in use: c faults at once, also after an
 * invalidation. Freed in tick 40, it is a miss again for d. */
static void a_fault_can_hold_its_register(void **state)
{
    (void)state;
    for (int invalidate = 0; invalidate < 3; invalidate++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.holds_faults = true;
        tlb_rig *rig = tlb_rig_create(&c, 5);
        ww_tlb *tlb = tlb_rig_tlb(rig);
        plan(rig, 5, 'a', false, TLB_RIG_ABSENT);
        plan(rig, 7, 'b', true, TLB_RIG_ABSENT);
        plan(rig, 30, 'c', true, TLB_RIG_PRESENT);
        plan(rig, 50, 'd', true, TLB_RIG_PRESENT);
        plan(rig, 70, 'e', true, TLB_RIG_PRESENT);
        tlb_rig_run_until(rig, 12);
        ww_tlb_free_held(tlb, 0, 1); /* outstanding: it is not held yet */
        tlb_rig_run_until(rig, 20);
        if (invalidate)
            ww_tlb_invalidate(tlb, &(ww_invalidation){OF_PAGES(1), .all = invalidate == 2});
        tlb_rig_run_until(rig, 40);
        ww_tlb_free_held(tlb, 0, 2); /* other pages have none */
        ww_tlb_free_held(tlb, 1, 1);
        ww_tlb_free_held(tlb, 0, 1);
        tlb_rig_expect(rig, "6va 16!a 16!b 30!c 51vd 61^d 70^e");
        assert_int_equal(ww_tlb_count(tlb)->misses, 2);
        assert_int_equal(ww_tlb_count(tlb)->merged, 2);
        tlb_rig_destroy(rig);
    }
}

/* Two registers: a's fault holds one from 16 on. b takes the other one at 30; c waits for it from 31
 * to b's answer at 41, or until a's is freed at 35. */
static void a_held_register_is_not_free(void **state)
{
    (void)state;
    for (unsigned freed = 0; freed < 2; freed++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.holds_faults = true;
        c.tlb.mshrs = 2;
        tlb_rig *rig = tlb_rig_create(&c, 4);
        plan(rig, 5, 'a', false, TLB_RIG_ABSENT);
        tlb_rig_plan(rig, 30, 'b', 2);
        tlb_rig_plan(rig, 31, 'c', 3);
        tlb_rig_run_until(rig, 35);
        if (freed)
            ww_tlb_free_held(tlb_rig_tlb(rig), 0, 1);
        tlb_rig_expect(rig,
                       freed ? "6va 16!a 31vb 36vc 41^b 46^c" : "6va 16!a 31vb 41^b 42vc 52^c");
        tlb_rig_destroy(rig);
    }
}

/* The last register is never held: b's walk begins at once. */
static void the_last_register_is_not_held(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.holds_faults = true;
    c.tlb.mshrs = 1;
    tlb_rig *rig = tlb_rig_create(&c, 4);
    plan(rig, 5, 'a', false, TLB_RIG_ABSENT);
    tlb_rig_plan(rig, 30, 'b', 2);
    tlb_rig_expect(rig, "6va 16!a 31vb 41^b");
    tlb_rig_destroy(rig);
}

/* The register of a's protection fault is free at once, for b. */
static void a_protection_fault_holds_no_register(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.holds_faults = true;
    c.tlb.mshrs = 1;
    tlb_rig *rig = tlb_rig_create(&c, 2);
    plan(rig, 5, 'a', true, TLB_RIG_READ_ONLY);
    tlb_rig_plan(rig, 30, 'b', 2);
    tlb_rig_expect(rig, "6va 16#a 31vb 41^b");
    tlb_rig_destroy(rig);
}

/* One miss for a read and a write of a read-only page, in both orders: each has its own answer. */
static void requests_of_one_miss_have_their_own_answers(void **state)
{
    (void)state;
    for (int write_first = 0; write_first < 2; write_first++) {
        tlb_rig_config c = tlb_rig_plain();
        tlb_rig *rig = tlb_rig_create(&c, 4);
        plan(rig, 5, 'a', write_first, TLB_RIG_READ_ONLY);
        plan(rig, 7, 'b', !write_first, TLB_RIG_READ_ONLY);
        tlb_rig_expect(rig, write_first ? "6va 16#a 16^b" : "6va 16^a 16#b");
        tlb_rig_destroy(rig);
    }
}

/* A read brings a read-only page; b reads it. c's write misses and learns that it may write now,
 * and so does the TLB. */
static void a_write_to_a_read_only_entry_asks_again(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 5);
    plan(rig, 5, 'a', false, TLB_RIG_READ_ONLY);
    plan(rig, 30, 'b', false, TLB_RIG_READ_ONLY);
    plan(rig, 31, 'c', true, TLB_RIG_PRESENT);
    plan(rig, 60, 'd', true, TLB_RIG_PRESENT);
    tlb_rig_expect(rig, "6va 16^a 30^b 32vc 42^c 60^d");
    tlb_rig_destroy(rig);
}

/* ---- compute units without a fault handler ---- */

static core_rig r;

static void expect_end(const char *instruction, ww_translation_status status, const char *words)
{
    char *text = core_rig_kernel(instruction);
    core_rig_init(&r);
    r.config.page_shift = 12;
    r.tlb.link = (ww_tlb_link){.latency = 1, .lookups = 4};
    r.tlb.status[1] = status;
    core_rig_fail(&r, text, words);
    free(text);
}

static void a_fault_ends_the_run(void **state)
{
    (void)state;
    expect_end(
        "ld.param.u64 %d0, [p]; ld.global.u32 %r1, [%d0+4100];", WW_FAR_FAULT,
        "kernel 'k': the page of 0x100011000 is not in the page table, a fault of the simulator");
    expect_end("ld.param.u64 %d0, [p]; st.global.u32 [%d0+4100], %r1;", WW_PROTECTION_FAULT,
               "kernel 'k': store at 0x100011000, whose page must not be written");
    expect_end("ld.param.u64 %d0, [p]; atom.global.add.u32 %r2, [%d0+4100], %r1;",
               WW_PROTECTION_FAULT,
               "kernel 'k': atomic at 0x100011000, whose page must not be written");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_ends_at_an_empty_entry),
        cmocka_unit_test(an_entry_counts_as_it_is_when_its_read_ends),
        cmocka_unit_test(a_page_can_be_read_only),
        cmocka_unit_test(a_fault_releases_the_walks_that_it_held),
        cmocka_unit_test(a_fault_is_not_an_entry),
        cmocka_unit_test(a_fault_can_hold_its_register),
        cmocka_unit_test(a_held_register_is_not_free),
        cmocka_unit_test(the_last_register_is_not_held),
        cmocka_unit_test(a_protection_fault_holds_no_register),
        cmocka_unit_test(requests_of_one_miss_have_their_own_answers),
        cmocka_unit_test(a_write_to_a_read_only_entry_asks_again),
        cmocka_unit_test(a_fault_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
