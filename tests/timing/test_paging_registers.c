/* The protocol of far-fault registers (paging/far_faults.h), without time. In logs: "f3" the driver
 * is told of page 3; "0r3" compute unit 0 replays page 3; "0+" its TLBs are blocked, "0-" no more. */
#include "paging/far_faults.h"

#include "paging/paging_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CUS = 3, PAGES = 64 };

static ww_engine *engine;
static ww_timers *timers;
static ww_page_residency residency;
static ww_paging_counters counters;
static ww_far_faults *faults;
static char text[1024];
static bool silent[PAGES]; /* a replay of the page leads to no request */

static void note(const char *format, ...)
{
    va_list list;
    size_t used = strlen(text);
    va_start(list, format);
    vsnprintf(text + used, sizeof(text) - used, format, list);
    va_end(list);
}

static ww_page_record *page(unsigned number)
{
    return ww_page_residency_find(&residency, number);
}

static bool replay(void *context, unsigned cu, uint64_t number)
{
    (void)context;
    note(" %ur%u", cu, (unsigned)number);
    return !silent[number];
}

static void block(void *context, unsigned cu, bool blocked)
{
    (void)context;
    note(" %u%c", cu, blocked ? '+' : '-');
}

static void see(void *context, ww_page_record *record)
{
    (void)context;
    note(" f%u", (unsigned)ww_page_residency_page(&residency, record));
}

static const ww_paging_hardware hardware = {.replay = replay, .block = block, .cus = CUS};

static void begin(ww_far_faults_config config)
{
    config.cus = CUS;
    engine = ww_engine_create();
    timers = ww_timers_create(engine);
    ww_page_residency_init(&residency, 12);
    ww_page_residency_add(&residency, 0, PAGES * 4096ull);
    counters = (ww_paging_counters){0};
    text[0] = 0;
    memset(silent, 0, sizeof(silent));
    faults = ww_far_faults_create(&config, &(ww_far_faults_wiring){.timers = timers,
                                                                   .residency = &residency,
                                                                   .counters = &counters,
                                                                   .fault = see,
                                                                   .hardware = &hardware});
}

static void end(void)
{
    assert_int_equal(ww_far_faults_outstanding(faults), 0);
    for (unsigned i = 0; i < PAGES; i++)
        assert_int_equal(page(i)->pins, 0);
    ww_far_faults_destroy(faults);
    ww_page_residency_clear(&residency);
    ww_timers_destroy(timers);
    ww_engine_destroy(engine);
}

static void set_state(unsigned number, ww_page_state state)
{
    ww_page_residency_set_state(&residency, page(number), state);
}

static void nack(unsigned cu, unsigned number)
{
    ww_far_faults_nack(faults, cu, page(number), 1);
}

static void translate(unsigned cu, unsigned number)
{
    assert_int_equal(page(number)->state, WW_PAGE_RESIDENT);
    ww_far_faults_translated(faults, cu, page(number));
}

static void arrive(unsigned number)
{
    set_state(number, WW_PAGE_COMING);
    set_state(number, WW_PAGE_RESIDENT);
    ww_far_faults_notice(faults, page(number));
}

/* What happened since the last time. */
static void expect(const char *what)
{
    assert_string_equal(text[0] ? text + 1 : text, what);
    text[0] = 0;
}

/* ---- registers ---- */

/* Warps of one compute unit: the page has one entry and one replay, for both. */
static void two_warps_fault_on_one_page(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    nack(0, 5);
    nack(0, 5);
    expect("f5");
    assert_int_equal(counters.nacks, 1);
    arrive(5);
    expect("0r5");
    assert_int_equal(page(5)->pins, 1);
    translate(0, 5);
    translate(0, 5);
    expect("");
    end();
}

static void two_warps_fault_on_two_pages(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 2});
    nack(0, 5);
    nack(0, 3);
    expect("f5 f3");
    arrive(3);
    expect("0r3");
    translate(0, 3);
    arrive(5);
    expect("0r5");
    translate(0, 5);
    assert_int_equal(counters.untracked, 0);
    end();
}

/* Four faults and two registers: 3 and 4 are dropped. Each notice replays the oldest of them. */
static void one_notice_replays_one_untracked_request(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 2});
    nack(0, 1);
    nack(0, 2);
    nack(0, 3);
    nack(0, 4);
    expect("f1 f2");
    assert_int_equal(counters.nacks, 4);
    assert_int_equal(counters.untracked, 2);
    arrive(2);
    expect("0r2 0r3"); /* 2's register is free */
    translate(0, 2);
    nack(0, 3);
    expect("f3");
    arrive(1);
    expect("0r1 0r4");
    nack(0, 4);
    translate(0, 1);
    expect("f4");
    arrive(3);
    arrive(4);
    expect("0r3 0r4");
    translate(0, 3);
    translate(0, 4);
    assert_int_equal(counters.nacks, 6);
    assert_int_equal(counters.replays, 6);
    end();
}

/* One that is refused again because another one took the register goes to the end. */
static void a_request_that_is_dropped_again_is_the_youngest(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    nack(0, 1);
    nack(0, 2);
    nack(0, 3);
    arrive(1);
    expect("f1 0r1 0r2");
    nack(0, 9); /* before 2 comes back */
    nack(0, 2);
    expect("f9");
    translate(0, 1);
    arrive(9);
    expect("0r9 0r3");
    nack(0, 3);
    translate(0, 9);
    expect("f3");
    arrive(3);
    expect("0r3 0r2");
    nack(0, 2);
    translate(0, 3);
    arrive(2);
    translate(0, 2);
    expect("f2 0r2");
    end();
}

/* 2 was prefetched: its replay is translated, and the next one follows. */
static void a_translated_replay_is_followed_by_the_next(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    nack(0, 1);
    nack(0, 2);
    nack(0, 3);
    nack(0, 4);
    arrive(2); /* has no register: no notice */
    expect("f1");
    arrive(1);
    expect("0r1 0r2");
    translate(0, 1);
    expect(""); /* it was tracked: the notice has replayed its one */
    translate(0, 2);
    expect("0r3");
    nack(0, 3);
    expect("f3");
    arrive(3);
    expect("0r3 0r4");
    translate(0, 3);
    arrive(4);
    translate(0, 4);
    expect("");
    end();
}

/* The instructions of 2 and 3 wait for other pages, too: nothing would follow them. */
static void a_replay_without_a_request_is_followed_by_the_next(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    silent[2] = silent[3] = true;
    for (unsigned i = 1; i < 6; i++)
        nack(0, i);
    arrive(1);
    expect("f1 0r1 0r2 0r3 0r4");
    nack(0, 4);
    expect("f4");
    translate(0, 1);
    arrive(4);
    expect("0r4 0r5");
    translate(0, 4);
    nack(0, 5);
    arrive(5);
    expect("f5 0r5");
    translate(0, 5);
    silent[2] = silent[3] = false; /* their instructions return */
    nack(0, 2);
    nack(0, 3);
    expect("f2");
    arrive(2);
    expect("0r2 0r3");
    translate(0, 2);
    nack(0, 3);
    arrive(3);
    translate(0, 3);
    expect("f3 0r3");
    end();
}

/* 2 got a register after its turn: from then on it is like any other. */
static void a_turn_counts_once(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    for (unsigned i = 1; i < 5; i++)
        nack(0, i);
    arrive(1);
    nack(0, 2);
    expect("f1 0r1 0r2 f2");
    translate(0, 1);
    arrive(2);
    expect("0r2 0r3");
    translate(0, 2);
    expect("");
    arrive(4); /* prefetched */
    nack(0, 3);
    arrive(3);
    expect("f3 0r3 0r4");
    translate(0, 4);
    translate(0, 3);
    end();
}

/* ---- several compute units ---- */

/* 1 has no register left for page 7, but 0 has one for it: both are told. The register is 0's. */
static void a_page_has_one_register(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    nack(0, 7);
    nack(1, 6);
    nack(1, 7);
    nack(2, 7);
    nack(2, 5);
    expect("f7 f6 f5");
    assert_int_equal(counters.untracked, 0);
    arrive(7);
    expect("0r7 1r7 2r7");
    assert_int_equal(page(7)->pins, 3);
    translate(2, 7);
    translate(0, 7);
    translate(1, 7);
    assert_int_equal(page(7)->pins, 0);
    arrive(5);
    arrive(6);
    expect("2r5 1r6");
    translate(2, 5);
    translate(1, 6);
    end();
}

/* 7 takes a register of each: 1 has none, and 2 then has none for 5. */
static void or_one_of_each_compute_unit(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1, .merged_count = true});
    nack(0, 7);
    nack(1, 6);
    nack(1, 7);
    nack(2, 7);
    nack(2, 5);
    expect("f7 f6");
    assert_int_equal(counters.untracked, 2);
    arrive(7);
    expect("0r7 2r7 2r5");
    nack(2, 5);
    expect("f5");
    translate(0, 7);
    translate(2, 7);
    arrive(6);
    expect("1r6 1r7");
    translate(1, 7);
    translate(1, 6);
    arrive(5);
    expect("2r5");
    translate(2, 5);
    end();
}

/* ---- races ---- */

/* Page 3 came while the Nack of 1 was on its way: nobody will tell 1, so it replays at once. */
static void a_page_that_came_meanwhile_is_replayed_at_once(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    arrive(3);
    nack(1, 3);
    nack(1, 4);
    expect("1r3 f4"); /* it took no register */
    assert_int_equal(page(3)->pins, 1);
    nack(1, 3); /* another instruction's, likewise */
    expect("1r3");
    assert_int_equal(page(3)->pins, 1);
    translate(1, 3);
    arrive(4);
    translate(1, 4);
    expect("1r4");
    end();
}

/* The page leaves before the replay's walk ends: it is an ordinary fault again. */
static void a_page_can_leave_before_its_replay(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 1});
    nack(0, 3);
    nack(1, 3);
    arrive(3);
    expect("f3 0r3 1r3");
    set_state(3, WW_PAGE_LEAVING);
    nack(0, 3);
    assert_int_equal(page(3)->pins, 1);
    nack(1, 3);
    assert_int_equal(page(3)->pins, 0);
    expect("f3");
    set_state(3, WW_PAGE_ON_HOST);
    arrive(3);
    expect("0r3 1r3");
    translate(0, 3);
    translate(1, 3);
    end();
}

/* ---- blocking ---- */

/* One register, whatever is configured. 2 came while 1 was served; nothing but replays gets through
 * until both are translated. */
static void blocking_ends_when_all_are_translated(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 16, .blocking = true});
    nack(0, 1);
    nack(1, 2);
    nack(0, 2);
    expect("f1 0+ f2 1+");
    assert_int_equal(counters.untracked, 0); /* 2 has a register of 1's */
    arrive(1);
    expect("0r1");
    translate(0, 1);
    expect("");
    arrive(2);
    expect("0r2 1r2");
    translate(1, 2);
    expect("1-");
    translate(0, 2);
    expect("0-");
    end();
}

/* Requests that were in the TLBs already fault behind the first; each is replayed when the one
 * before was translated, not with its notice. */
static void blocked_faults_come_one_after_the_other(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.registers = 16, .blocking = true});
    nack(0, 1);
    nack(0, 2);
    nack(0, 3);
    expect("f1 0+");
    nack(0, 2);
    assert_int_equal(counters.untracked, 2);
    arrive(1);
    expect("0r1");
    translate(0, 1);
    expect("0r2");
    nack(0, 2);
    expect("f2");
    arrive(2);
    expect("0r2");
    arrive(3);
    translate(0, 2);
    expect("0r3");
    translate(0, 3);
    expect("0-");
    end();
}

/* While 2 is served, for another compute unit, 3 has to wait. */
static void a_blocked_replay_waits_for_tracked_ones(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.blocking = true});
    nack(1, 2);
    nack(0, 1);
    nack(0, 2);
    nack(0, 3);
    arrive(1);
    expect("f2 1+ f1 0+ 0r1");
    translate(0, 1);
    expect("");
    arrive(2);
    expect("0r2 1r2");
    translate(0, 2);
    expect("0r3");
    translate(1, 2);
    arrive(3);
    translate(0, 3);
    expect("1- 0-");
    end();
}

/* The replay of 1 leads to no request, because its instruction waits for 2, too. */
static void a_blocked_instruction_has_several_pages(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.blocking = true});
    silent[1] = true;
    nack(0, 1);
    nack(0, 2);
    arrive(1);
    expect("f1 0+ 0r1 0r2");
    nack(0, 2);
    expect("f2");
    arrive(2);
    expect("0r2");
    translate(0, 1);
    expect("");
    translate(0, 2);
    expect("0-");
    end();
}

/* The request with the register is translated: the next one is replayed, and blocks again. */
static void blocking_can_end_with_the_first(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.blocking = true, .blocked_until = WW_BLOCKED_UNTIL_FIRST});
    nack(1, 4);
    nack(0, 1);
    nack(0, 4); /* has a register of 1's */
    nack(0, 2);
    nack(0, 3);
    expect("f4 1+ f1 0+");
    arrive(1);
    translate(0, 1);
    expect("0r1"); /* 4 is tracked */
    arrive(4);
    expect("0r4 1r4");
    translate(1, 4);
    expect("1-");
    translate(0, 4);
    expect("0- 0r2");
    nack(0, 3); /* another instruction's */
    expect("0+");
    nack(0, 2);
    expect("f2");
    arrive(2);
    translate(0, 2);
    expect("0r2 0- 0r3");
    arrive(3);
    translate(0, 3);
    expect("");
    end();
}

/* From the notice on, other requests meet the TLB beside the replay. */
static void blocking_can_end_with_the_notice(void **state)
{
    (void)state;
    begin((ww_far_faults_config){.blocking = true, .blocked_until = WW_BLOCKED_UNTIL_ARRIVAL});
    nack(0, 1);
    nack(0, 2);
    expect("f1 0+");
    arrive(1);
    expect("0- 0r1");
    nack(0, 5);
    expect("f5 0+");
    translate(0, 1);
    expect("");
    arrive(5);
    expect("0- 0r5");
    translate(0, 5);
    expect("0r2");
    nack(0, 2);
    expect("f2 0+");
    arrive(2);
    expect("0- 0r2");
    translate(0, 2);
    expect("");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_warps_fault_on_one_page),
        cmocka_unit_test(two_warps_fault_on_two_pages),
        cmocka_unit_test(one_notice_replays_one_untracked_request),
        cmocka_unit_test(a_request_that_is_dropped_again_is_the_youngest),
        cmocka_unit_test(a_translated_replay_is_followed_by_the_next),
        cmocka_unit_test(a_replay_without_a_request_is_followed_by_the_next),
        cmocka_unit_test(a_turn_counts_once),
        cmocka_unit_test(a_page_has_one_register),
        cmocka_unit_test(or_one_of_each_compute_unit),
        cmocka_unit_test(a_page_that_came_meanwhile_is_replayed_at_once),
        cmocka_unit_test(a_page_can_leave_before_its_replay),
        cmocka_unit_test(blocking_ends_when_all_are_translated),
        cmocka_unit_test(blocked_faults_come_one_after_the_other),
        cmocka_unit_test(a_blocked_replay_waits_for_tracked_ones),
        cmocka_unit_test(a_blocked_instruction_has_several_pages),
        cmocka_unit_test(blocking_can_end_with_the_first),
        cmocka_unit_test(blocking_can_end_with_the_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
