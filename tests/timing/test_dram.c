/* A DRAM channel between mocks: latencies computed by hand from the timings of DDR3-1600 (in
 * cycles: RCD 11, RP 11, RAS 28, RC 39, RRD 5, FAW 24, CCD 4, CL 11, CWL 8, WR 12, WTR 6, RTP 6,
 * BTA 2, RTRS 2, burst 4, REFI 6240, RFC 208). The base clock is the DRAM's where nothing else is
 * said, so that ticks are cycles. */
#include "support/dram_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { END = 100000000 };

static const char *const ddr3[] = {NULL};
static const char *const ddr3_two_ranks[] = {"dram.ranks=2", NULL};
static const char *const ddr3_fcfs[] = {"dram.scheduler=fcfs", NULL};

static uint64_t bank_row(const dram_rig *rig, unsigned bank, uint64_t row, unsigned column)
{
    return rig_address(rig, 0, 0, bank, row, column);
}

static void closed_bank_hit_and_conflict(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, NULL);
    size_t miss = rig_read(&rig, 100, bank_row(&rig, 3, 7, 0));
    size_t hit = rig_read(&rig, 300, bank_row(&rig, 3, 7, 5));
    size_t conflict = rig_read(&rig, 500, bank_row(&rig, 3, 8, 5));
    size_t soon = rig_read(&rig, 523, bank_row(&rig, 3, 9, 0));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[miss].replied, 100 + 11 + 11 + 4);
    assert_int_equal(rig.requests.items[hit].replied, 300 + 11 + 4);
    assert_int_equal(rig.requests.items[conflict].replied, 500 + 11 + 11 + 11 + 4);
    /* the row was opened at 511, so that it can be closed at 539 */
    assert_int_equal(rig.requests.items[soon].replied, 539 + 11 + 11 + 11 + 4);
    assert_int_equal(rig.requests.items[miss].queue_time, 0);
    assert_int_equal(rig.requests.items[miss].dram_time, 26);
    assert_int_equal(rig.requests.items[soon].queue_time, 539 - 523);
    assert_int_equal(rig.requests.items[soon].dram_time, 37);
    ww_dram_counters n = rig_counters(&rig);
    assert_int_equal(n.row_misses, 1);
    assert_int_equal(n.row_hits, 1);
    assert_int_equal(n.row_conflicts, 2);
    assert_int_equal(n.activates, 3);
    assert_int_equal(n.bytes, 4 * 64);
    assert_int_equal(n.busy_cycles, 4 * 4);
    rig_destroy(&rig);
}

static void a_closed_page_costs_no_precharge(void **state)
{
    static const char *const settings[] = {"dram.page_policy=closed", NULL};
    dram_rig rig;
    (void)state;
    rig_create(&rig, settings, NULL);
    rig_read(&rig, 100, bank_row(&rig, 0, 1, 0));
    size_t later = rig_read(&rig, 300, bank_row(&rig, 0, 2, 0));
    size_t pair = rig_read(&rig, 500, bank_row(&rig, 0, 3, 0));
    rig_read(&rig, 500, bank_row(&rig, 0, 3, 1));
    size_t soon = rig_read(&rig, 516, bank_row(&rig, 0, 3, 2));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[later].replied, 300 + 26);
    assert_int_equal(rig.requests.items[pair].replied, 500 + 26);
    assert_int_equal(rig.requests.items[pair + 1].replied, 500 + 26 + 4);
    /* closed at 528 (tRAS), opened at 539 */
    assert_int_equal(rig.requests.items[soon].replied, 539 + 26);
    assert_int_equal(rig_command(&rig, WW_DRAM_PRECHARGE, 0), WW_NEVER);
    rig_destroy(&rig);
}

static void write_and_read_turn_the_bus_around(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, NULL);
    size_t write = rig_write(&rig, 100, bank_row(&rig, 0, 1, 0)); /* data 119 to 123 */
    size_t read = rig_read(&rig, 112, bank_row(&rig, 0, 1, 1));
    size_t after = rig_write(&rig, 130, bank_row(&rig, 0, 1, 2));
    size_t other = rig_read(&rig, 200, bank_row(&rig, 0, 2, 0));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[write].replied, 100);
    assert_int_equal(rig_command(&rig, WW_DRAM_WRITE, 0), 111);
    assert_int_equal(rig_command(&rig, WW_DRAM_READ, 0), 123 + 6);
    assert_int_equal(rig.requests.items[read].replied, 123 + 6 + 15);
    /* read data ends at 144, two cycles of idle bus, write data at 146 */
    assert_int_equal(rig_command(&rig, WW_DRAM_WRITE, 1), 146 - 8);
    /* a write's reply does not pass the read's that was sent before */
    assert_int_equal(rig.requests.items[after].replied, 144);
    assert_int_equal(rig.requests.items[other].replied, 200 + 37);
    rig_destroy(&rig);
}

static void write_recovery_holds_back_a_precharge(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, NULL);
    rig_write(&rig, 100, bank_row(&rig, 0, 1, 0)); /* data until 123 */
    size_t read = rig_read(&rig, 112, bank_row(&rig, 0, 2, 0));
    rig_run(&rig, END);
    assert_int_equal(rig_command(&rig, WW_DRAM_PRECHARGE, 0), 123 + 12);
    assert_int_equal(rig.requests.items[read].replied, 135 + 11 + 26);
    rig_destroy(&rig);
}

static void four_activates_fill_the_window(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, NULL);
    for (unsigned bank = 0; bank < 6; bank++)
        rig_read(&rig, 100, bank_row(&rig, bank, 1, 0));
    rig_run(&rig, END);
    static const uint64_t expected[] = {100, 105, 110, 115, 124, 129};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(rig_command(&rig, WW_DRAM_ACTIVATE, i), expected[i]);
    rig_destroy(&rig);
}

static void another_rank_waits_for_the_bus(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3_two_ranks, NULL);
    rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 1, 0));
    rig_read(&rig, 200, rig_address(&rig, 1, 0, 0, 1, 0));
    size_t first = rig_read(&rig, 300, rig_address(&rig, 0, 0, 0, 1, 1));
    size_t second = rig_read(&rig, 300, rig_address(&rig, 1, 0, 0, 1, 1));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[first].replied, 300 + 15);
    assert_int_equal(rig.requests.items[second].replied, 300 + 4 + 2 + 15);
    rig_destroy(&rig);
}

/* GDDR5: CCD 2 and 3, burst 2. */
static void a_bank_group_needs_longer_distances(void **state)
{
    static const char *const settings[] = {"dram.type=gddr5", NULL};
    dram_rig rig;
    (void)state;
    rig_create(&rig, settings, NULL);
    for (unsigned group = 0; group < 2; group++)
        rig_read(&rig, 100 + 100 * group, rig_address(&rig, 0, group, 0, 1, 0));
    rig_read(&rig, 300, rig_address(&rig, 0, 0, 0, 1, 1));
    rig_read(&rig, 300, rig_address(&rig, 0, 0, 0, 1, 2));
    rig_read(&rig, 400, rig_address(&rig, 0, 0, 0, 1, 3));
    rig_read(&rig, 400, rig_address(&rig, 0, 1, 0, 1, 3));
    rig_run(&rig, END);
    assert_int_equal(rig_command(&rig, WW_DRAM_READ, 2), 300);
    assert_int_equal(rig_command(&rig, WW_DRAM_READ, 3), 303);
    assert_int_equal(rig_command(&rig, WW_DRAM_READ, 4), 400);
    assert_int_equal(rig_command(&rig, WW_DRAM_READ, 5), 402);
    rig_destroy(&rig);
}

/* When does a read that arrives at a tick, alone, have its reply? */
static ww_tick reply_of_read_at(ww_tick tick, const char *const *settings)
{
    dram_rig rig;
    rig_create(&rig, settings, NULL);
    rig_read(&rig, tick, bank_row(&rig, 0, 1, 0));
    rig_run(&rig, END);
    ww_tick replied = rig.requests.items[0].replied;
    rig_destroy(&rig);
    return replied;
}

static void a_refresh_blocks_its_rank(void **state)
{
    (void)state;
    assert_int_equal(reply_of_read_at(6220, ddr3), 6220 + 26);
    assert_int_equal(reply_of_read_at(6240, ddr3), 6240 + 208 + 26);
    assert_int_equal(reply_of_read_at(6400, ddr3), 6240 + 208 + 26);
    assert_int_equal(reply_of_read_at(6448, ddr3), 6448 + 26);
    /* opened at 6239, closed at 6267 (tRAS), refreshed at 6278, opened again */
    assert_int_equal(reply_of_read_at(6239, ddr3), 6278 + 208 + 26);
    /* the read would be at 6240: closed at 6257, refreshed at 6268 */
    assert_int_equal(reply_of_read_at(6229, ddr3), 6268 + 208 + 26);
    assert_int_equal(reply_of_read_at(6228, ddr3), 6228 + 26);
    /* the second rank's refresh is half an interval earlier and does not concern the first */
    assert_int_equal(reply_of_read_at(3120, ddr3_two_ranks), 3120 + 208 + 26);
    static const char *const none[] = {"dram.refresh=none", NULL};
    assert_int_equal(reply_of_read_at(6240, none), 6240 + 26);
}

static void idle_time_is_refreshed_without_waking(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, NULL);
    rig_read(&rig, 100, bank_row(&rig, 0, 1, 0));
    rig_run(&rig, END);
    assert_int_equal(ww_engine_now(rig.engine), 127); /* nothing is due after the reply */
    size_t later = rig_read(&rig, 1000 * 6240 + 1000, bank_row(&rig, 0, 1, 1));
    size_t during = rig_read(&rig, 2000 * 6240 + 1, bank_row(&rig, 0, 1, 2));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[later].replied, 1000 * 6240 + 1000 + 26);
    assert_int_equal(rig.requests.items[during].replied, 2000 * 6240 + 208 + 26);
    assert_int_equal(rig_counters(&rig).refreshes, 2000);
    rig_destroy(&rig);
}

/* HBM2: one of 16 banks every 243 cycles, for 160; RCD 14, CL 14, burst 2. */
static void banks_are_refreshed_in_turn(void **state)
{
    static const char *const settings[] = {"dram.type=hbm2", NULL};
    (void)state;
    dram_rig rig;
    rig_create(&rig, settings, (&(rig_machine){1000000000, 32, 32, 64, 64}));
    size_t blocked = rig_read(&rig, 243, rig_address(&rig, 0, 0, 0, 1, 0));
    size_t beside = rig_read(&rig, 243, rig_address(&rig, 0, 0, 1, 1, 0));
    size_t next = rig_read(&rig, 486, rig_address(&rig, 0, 0, 1, 1, 1));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[beside].replied,
                     244 + 30); /* a command after the refresh */
    assert_int_equal(rig.requests.items[blocked].replied, 243 + 160 + 30);
    /* closed and refreshed (tRP 14), then opened */
    assert_int_equal(rig.requests.items[next].replied, 486 + 14 + 160 + 30);
    rig_destroy(&rig);
}

/* With refreshes that take longer than their distance, several banks are at it when a long pause
 * ends. */
static void idle_time_leaves_banks_in_refresh(void **state)
{
    static const char *const settings[] = {"dram.type=hbm2", "dram.trfc_bank=600", NULL};
    (void)state;
    dram_rig rig;
    rig_create(&rig, settings, (&(rig_machine){1000000000, 32, 32, 64, 64}));
    rig_read(&rig, 100, rig_address(&rig, 0, 1, 0, 1, 0));
    size_t read = rig_read(&rig, 243 * 1602 + 10, rig_address(&rig, 0, 0, 0, 1, 0));
    size_t other = rig_read(&rig, 243 * 1602 + 10, rig_address(&rig, 0, 1, 0, 1, 1));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[read].replied, 243 * 1601 + 600 + 30);
    assert_int_equal(rig.requests.items[other].replied, 243 * 1602 + 10 + 30);
    assert_int_equal(rig_counters(&rig).refreshes, (243 * 1601 + 600 + 30) / 243);
    rig_destroy(&rig);
}

static void a_slow_clock_keeps_its_edges(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3, (&(rig_machine){2000000000, 64, 64, 64, 64}));
    size_t read = rig_read(&rig, 1001, bank_row(&rig, 0, 1, 0));
    rig_run(&rig, END);
    /* cycle 401 starts at tick 1002.5, cycle 427 at 1067.5 */
    assert_int_equal(rig.requests.items[read].replied, 1068);
    assert_int_equal(rig.requests.items[read].queue_time, 1003 - 1001);
    assert_int_equal(rig.requests.items[read].dram_time, 1068 - 1003);
    rig_destroy(&rig);
}

static void sectors_choose_bursts(void **state)
{
    static const struct {
        uint32_t sectors;
        unsigned bursts;
    } cases[] = {{0x1, 1}, {0x3, 1}, {0x6, 2}, {0x8, 1}, {0xf, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dram_rig rig;
        rig_create(&rig, ddr3, (&(rig_machine){800000000, 128, 32, 64, 64}));
        rig_plan(&rig, &(rig_request){.tick = 100, .sectors = cases[i].sectors});
        rig_run(&rig, END);
        assert_int_equal(rig.requests.items[0].replied, 100 + 22 + 4 * cases[i].bursts);
        assert_int_equal(rig_counters(&rig).bytes, 64 * cases[i].bursts);
        assert_int_equal(rig_counters(&rig).reads, 1);
        rig_destroy(&rig);
    }
}

static void a_fixed_latency_is_added(void **state)
{
    static const char *const settings[] = {"dram.latency=100ns", NULL};
    (void)state;
    assert_int_equal(reply_of_read_at(100, settings), 100 + 26 + 80);
}

static void fcfs_serves_one_after_the_other(void **state)
{
    dram_rig rig;
    (void)state;
    rig_create(&rig, ddr3_fcfs, NULL);
    rig_read(&rig, 100, bank_row(&rig, 0, 1, 0));
    rig_read(&rig, 100, bank_row(&rig, 1, 1, 0));
    rig_read(&rig, 100, bank_row(&rig, 0, 2, 0));
    rig_read(&rig, 100, bank_row(&rig, 1, 1, 1));
    rig_run(&rig, END);
    /* read at 111, then opened at 112 and read at 123; the first bank can be closed at 128
     * (tRAS) */
    static const ww_tick expected[] = {126, 123 + 15, 128 + 37, 128 + 22 + 4 + 15};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(rig.requests.items[i].replied, expected[i]);
    rig_destroy(&rig);
}

static size_t read_pte(dram_rig *rig, ww_tick tick, uint64_t address)
{
    size_t number = rig_read(rig, tick, address);
    rig->requests.items[number].class = WW_CLASS_PTE;
    return number;
}

/* Row 1 of bank 0 is open when two reads of it arrive with one of a page-table entry in row 2. When
 * `pte` is the first, its row is opened for it: closed at 200, opened at 211, read at 222; then the
 * others wait for tRAS, 239. Otherwise reads at 200 and 204, closed at 210 (RTP). */
static void check_one_bank(const char *const *settings, ww_tick pte, ww_tick one, ww_tick two)
{
    dram_rig rig;
    rig_create(&rig, settings, NULL);
    rig_read(&rig, 100, bank_row(&rig, 0, 1, 0));
    size_t b = rig_read(&rig, 200, bank_row(&rig, 0, 1, 1));
    size_t c = rig_read(&rig, 200, bank_row(&rig, 0, 1, 2));
    size_t p = read_pte(&rig, 200, bank_row(&rig, 0, 2, 0));
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[p].replied, pte);
    assert_int_equal(rig.requests.items[b].replied, one);
    assert_int_equal(rig.requests.items[c].replied, two);
    rig_destroy(&rig);
}

static void page_table_reads_go_first_in_their_bank(void **state)
{
    static const char *const usual[] = {"dram.scheduler=frfcfs", NULL};
    static const char *const first[] = {"dram.scheduler=pte_first", NULL};
    static const char *const none_passes[] = {"dram.scheduler=pte_first", "dram.age_cap=0", NULL};
    (void)state;
    check_one_bank(usual, 210 + 37, 215, 219);
    check_one_bank(first, 200 + 37, 239 + 37, 239 + 37 + 4);
    check_one_bank(none_passes, 210 + 37, 215, 219);
}

/* A read that finds its row open, and one of a page-table entry whose bank is closed: the command
 * bus is free for one of them at 500. */
static void page_table_reads_have_the_command_bus_first(void **state)
{
    static const char *const settings[][2] = {{"dram.scheduler=frfcfs", NULL},
                                              {"dram.scheduler=pte_first", NULL}};
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        dram_rig rig;
        rig_create(&rig, settings[first], NULL);
        rig_read(&rig, 400, bank_row(&rig, 1, 5, 0));
        size_t d = rig_read(&rig, 500, bank_row(&rig, 1, 5, 1));
        size_t p = read_pte(&rig, 500, bank_row(&rig, 2, 1, 0));
        rig_run(&rig, END);
        assert_int_equal(rig_command(&rig, WW_DRAM_ACTIVATE, 1), first ? 500 : 501);
        assert_int_equal(rig.requests.items[d].replied, first ? 516 : 515);
        assert_int_equal(rig.requests.items[p].replied, first ? 526 : 527);
        rig_destroy(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_bank_hit_and_conflict),
        cmocka_unit_test(a_closed_page_costs_no_precharge),
        cmocka_unit_test(write_and_read_turn_the_bus_around),
        cmocka_unit_test(write_recovery_holds_back_a_precharge),
        cmocka_unit_test(four_activates_fill_the_window),
        cmocka_unit_test(another_rank_waits_for_the_bus),
        cmocka_unit_test(a_bank_group_needs_longer_distances),
        cmocka_unit_test(a_refresh_blocks_its_rank),
        cmocka_unit_test(idle_time_is_refreshed_without_waking),
        cmocka_unit_test(banks_are_refreshed_in_turn),
        cmocka_unit_test(idle_time_leaves_banks_in_refresh),
        cmocka_unit_test(a_slow_clock_keeps_its_edges),
        cmocka_unit_test(sectors_choose_bursts),
        cmocka_unit_test(a_fixed_latency_is_added),
        cmocka_unit_test(fcfs_serves_one_after_the_other),
        cmocka_unit_test(page_table_reads_go_first_in_their_bank),
        cmocka_unit_test(page_table_reads_have_the_command_bus_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
