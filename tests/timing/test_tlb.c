/* A TLB looks up as many requests a cycle as it can, in order; hits go on under misses, and a miss
 * of the same page is one. */
#include "support/tlb_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void plan_all(tlb_rig *rig, ww_tick tick, const char *names, const uint64_t *pages)
{
    for (size_t i = 0; names[i]; i++)
        tlb_rig_plan(rig, tick, names[i], pages[i]);
}

#define PAGES(...) ((const uint64_t[]){__VA_ARGS__})

static void a_miss_goes_down_and_is_known_then(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.down_latency = 7;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 30, 'b', 1);
    tlb_rig_expect(rig, "12va 22^a 30^b");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->hits, 1);
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->misses, 1);
    tlb_rig_destroy(rig);

    c.answer_ticks = 1; /* to a TLB */
    rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 30, 'b', 1);
    tlb_rig_expect(rig, "12va 23^a 31^b");
    tlb_rig_destroy(rig);
}

static void lookups_in_a_cycle_are_limited(void **state)
{
    static const char *const logs[] = {"100^a 101^b 102^c 103^d 104^e",
                                       "100^a 100^b 101^c 101^d 102^e",
                                       "100^a 100^b 100^c 101^d 101^e"};
    (void)state;
    for (uint32_t lookups = 1; lookups <= 3; lookups++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.lookups = lookups;
        tlb_rig *rig = tlb_rig_create(&c, 8);
        tlb_rig_plan(rig, 5, 'x', 1);
        tlb_rig_expect(rig, "6vx 16^x");
        plan_all(rig, 100, "abcde", PAGES(1, 1, 1, 1, 1));
        tlb_rig_expect(rig, logs[lookups - 1]);
        tlb_rig_destroy(rig);
    }
}

/* Misses and merges are lookups, too; a fill in the middle of a cycle brings no more of them. */
static void misses_are_lookups(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 8);
    plan_all(rig, 5, "abcde", PAGES(1, 1, 2, 3, 2));
    tlb_rig_expect(rig, "6va 7vc 7vd 16^a 16^b 17^c 17^e 17^d");
    tlb_rig_destroy(rig);
}

static void a_slower_clock_looks_at_its_edges(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.clock = ww_clock_make(1, 4); /* edges at 0, 4, 8, ... */
    c.down_latency = 2;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    plan_all(rig, 5, "abc", PAGES(1, 1, 2));
    /* a and b at 8, c at 12; below at 16 and 20, back at 26 and 30, seen at 28 and 32. */
    tlb_rig_expect(rig, "16va 20vc 28^a 28^b 32^c");
    tlb_rig_destroy(rig);
}

static void hits_continue_under_misses(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 30, 'b', 2);
    tlb_rig_plan(rig, 31, 'c', 1);
    tlb_rig_plan(rig, 32, 'd', 1);
    tlb_rig_expect(rig, "6va 16^a 31vb 31^c 32^d 41^b");
    tlb_rig_destroy(rig);
}

static void requests_for_a_page_share_a_miss(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.mshrs = 1;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 7, 'b', 1);
    tlb_rig_plan(rig, 9, 'c', 1);
    tlb_rig_plan(rig, 15, 'd', 1);
    tlb_rig_plan(rig, 16, 'e', 1); /* comes with the fill, and finds it */
    tlb_rig_expect(rig, "6va 16^a 16^b 16^c 16^d 16^e");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->merged, 3);
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->hits, 1);
    tlb_rig_destroy(rig);
}

/* A page gets its frame once, when its miss has a register, in the order of the lookups; d waits
 * for the one register until a is answered. */
static void a_miss_gives_its_page_a_frame(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.mshrs = 1;
    c.allocates = true;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 9);
    tlb_rig_plan(rig, 7, 'b', 9);
    tlb_rig_plan(rig, 9, 'd', 3);
    tlb_rig_plan(rig, 40, 'e', 9);
    tlb_rig_expect(rig, "5+a 6va 16+d 16^a 16^b 17vd 27^d 40^e");
    tlb_rig_destroy(rig);
}

/* Of three that come together, one lookup a cycle; and of two that wait for the port below, which a
 * fills. */
static void the_oldest_instruction_can_go_first(void **state)
{
    static const char *const logs[] = {"6va 7vb 8vc 16^a 17^b 18^c", "6vc 7vb 8va 16^c 17^b 18^a"};
    static const char *const sends[] = {"50va 51vb 52vc 60^a 61^b 62^c",
                                        "50va 51vc 52vb 60^a 61^c 62^b"};
    (void)state;
    static const ww_instruction_id instructions[] = {{.number = 3}, {.number = 2}, {.number = 1}};
    for (unsigned oldest = 0; oldest < 2; oldest++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.oldest_first = oldest;
        c.tlb.lookups = 1;
        tlb_rig *rig = tlb_rig_create(&c, 8);
        for (unsigned i = 0; i < 3; i++)
            tlb_rig_plan(rig, 5, (char)('a' + i), 1 + i)->translation.instruction = instructions[i];
        tlb_rig_expect(rig, logs[oldest]);
        tlb_rig_destroy(rig);
        c.down_queue = 1;
        c.below_hold = 50;
        rig = tlb_rig_create(&c, 8);
        for (unsigned i = 0; i < 3; i++)
            tlb_rig_plan(rig, 5 + 5 * i, (char)('a' + i), 1 + i)->translation.instruction =
                instructions[i];
        tlb_rig_expect(rig, sends[oldest]);
        tlb_rig_destroy(rig);
    }
}

/* One register: b waits for it, and c behind b, though c's page has an outstanding miss. */
static void without_a_register_the_queue_waits_in_order(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.mshrs = 1;
    c.tlb.lookups = 4;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    plan_all(rig, 5, "abcd", PAGES(1, 2, 1, 3));
    tlb_rig_expect(rig, "6va 16^a 16^c 17vb 27^b 28vd 38^d");
    /* b from 5 to 16, d from 16 to 27. */
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->stall_mshr, 22);
    tlb_rig_destroy(rig);
}

/* b and e wait in their registers; d, whose page has an outstanding miss, joins it behind them. */
static void while_the_port_below_is_full_misses_wait_in_their_registers(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.down_queue = 1;
    c.below_hold = 50;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 6, 'b', 2);
    tlb_rig_plan(rig, 7, 'd', 1);
    tlb_rig_plan(rig, 8, 'e', 3);
    tlb_rig_expect(rig, "50va 51vb 52ve 60^a 60^d 61^b 62^e");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->stall_mshr, 0);
    tlb_rig_destroy(rig);
}

static void a_hit_is_served_while_misses_wait_for_the_port_below(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.down_queue = 1;
    c.below_time = 30;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    plan_all(rig, 40, "bcde", PAGES(2, 3, 4, 1));
    tlb_rig_expect(rig, "6va 36^a 41vb 41^e 42vc 43vd 71^b 72^c 73^d");
    tlb_rig_destroy(rig);
}

/* Its queue and its pipeline hold so many; the sender waits, and nothing is lost. */
static void a_full_queue_holds_up_who_comes(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.queue = 1;
    c.tlb.lookups = 1;
    c.tlb.mshrs = 1;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    plan_all(rig, 5, "abcdef", PAGES(1, 2, 3, 4, 5, 6));
    tlb_rig_expect(rig, "6va 16^a 17vb 27^b 28vc 38^c 39vd 49^d 50ve 60^e 61vf 71^f");
    tlb_rig_destroy(rig);
}

static void answers_go_where_they_belong(void **state)
{
    static const struct {
        ww_tlb_route route;
        const char *log;
    } cases[] = {{WW_TO_ONE, "6va 16^a0 16^b0 16^c0"},
                 {WW_TO_SOURCE, "6va 16^b0 16^c1 16^a3"},
                 {WW_TO_UNIT, "6va 16^a0 16^b1 16^c2"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        tlb_rig_config c = tlb_rig_plain();
        c.tlb.lookups = 4;
        c.outs = 4;
        c.route = cases[i].route;
        tlb_rig *rig = tlb_rig_create(&c, 8);
        for (unsigned k = 0; k < 3; k++) {
            tlb_rig_request *r = tlb_rig_plan(rig, 5, (char)('a' + k), 1);
            r->translation.source = (uint16_t)((k + 3) % 4);
            r->translation.unit = (uint16_t)k;
        }
        tlb_rig_expect(rig, cases[i].log);
        tlb_rig_destroy(rig);
    }
}

/* Two entries: 1, 2, 1 again, then 3, for which 2 goes. */
static void the_least_recently_used_goes(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.entries.entries = 2;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    static const uint64_t pages[] = {1, 2, 1, 3, 1, 2};
    for (unsigned i = 0; i < 6; i++)
        tlb_rig_plan(rig, 5 + 20 * i, (char)('a' + i), pages[i]);
    tlb_rig_expect(rig, "6va 16^a 26vb 36^b 45^c 66vd 76^d 85^e 106vf 116^f");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->evictions, 2);
    tlb_rig_destroy(rig);
}

static void what_is_invalidated_is_not_used(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    tlb_rig *rig = tlb_rig_create(&c, 16);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 5, 'b', 2);
    tlb_rig_expect(rig, "6va 6vb 16^a 16^b");
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){OF_PAGES(1)});
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){OF_PAGES(77)});
    tlb_rig_plan(rig, 105, 'c', 1);
    tlb_rig_plan(rig, 105, 'd', 2);
    tlb_rig_expect(rig, "105^d 106vc 116^c");
    ww_tlb_invalidate(tlb_rig_tlb(rig), &(ww_invalidation){.all = true});
    tlb_rig_plan(rig, 205, 'e', 1);
    tlb_rig_plan(rig, 205, 'f', 2);
    tlb_rig_expect(rig, "206ve 206vf 216^e 216^f");
    tlb_rig_destroy(rig);
}

static void without_entries_it_brings_equal_requests_together(void **state)
{
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.entries.entries = 0;
    tlb_rig *rig = tlb_rig_create(&c, 8);
    tlb_rig_plan(rig, 5, 'a', 1);
    tlb_rig_plan(rig, 6, 'b', 1);
    tlb_rig_plan(rig, 30, 'c', 1);
    tlb_rig_expect(rig, "6va 16^a 16^b 31vc 41^c");
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->evictions, 0);
    tlb_rig_destroy(rig);
}

/* Epochs of 4 lookups: warps 0 0 1 2, then 2 2 2 2; of the third only two lookups happen, and it
 * counts for nothing. */
static void warps_are_counted_by_epoch(void **state)
{
    static const uint32_t warps[] = {0, 0, 1, 2, 2, 2, 2, 2, 0, 1};
    (void)state;
    tlb_rig_config c = tlb_rig_plain();
    c.tlb.epoch = 4;
    c.tlb.warps = 3;
    tlb_rig *rig = tlb_rig_create(&c, 16);
    for (unsigned i = 0; i < 10; i++)
        tlb_rig_plan(rig, 5 + i, 'a', i % 3)->translation.instruction.warp_slot = warps[i];
    tlb_rig_run(rig);
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->epochs, 2);
    assert_int_equal(ww_tlb_count(tlb_rig_tlb(rig))->epoch_warps, 3 + 1);
    tlb_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_goes_down_and_is_known_then),
        cmocka_unit_test(lookups_in_a_cycle_are_limited),
        cmocka_unit_test(misses_are_lookups),
        cmocka_unit_test(a_slower_clock_looks_at_its_edges),
        cmocka_unit_test(hits_continue_under_misses),
        cmocka_unit_test(requests_for_a_page_share_a_miss),
        cmocka_unit_test(a_miss_gives_its_page_a_frame),
        cmocka_unit_test(the_oldest_instruction_can_go_first),
        cmocka_unit_test(without_a_register_the_queue_waits_in_order),
        cmocka_unit_test(while_the_port_below_is_full_misses_wait_in_their_registers),
        cmocka_unit_test(a_hit_is_served_while_misses_wait_for_the_port_below),
        cmocka_unit_test(a_full_queue_holds_up_who_comes),
        cmocka_unit_test(answers_go_where_they_belong),
        cmocka_unit_test(the_least_recently_used_goes),
        cmocka_unit_test(what_is_invalidated_is_not_used),
        cmocka_unit_test(without_entries_it_brings_equal_requests_together),
        cmocka_unit_test(warps_are_counted_by_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
