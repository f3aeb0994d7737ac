/* What a DRAM channel sustains, against its peak and against what bank timing allows. */
#include "base/rng.h"
#include "mem/dram_schema.h"
#include "support/dram_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { END = 100000000, REQUESTS = 20000 };

/* The share of the data bus in use while requests that are all there from the start are served. */
static double utilisation(dram_rig *rig)
{
    rig_run(rig, END);
    for (size_t i = 0; i < rig->requests.count; i++)
        assert_int_equal(rig->requests.items[i].replies, 1);
    ww_dram_counters n = rig_counters(rig);
    return (double)n.busy_cycles / (double)n.cycles;
}

static double stream(const char *const *settings, uint32_t line_bytes, unsigned writes_in_8)
{
    dram_rig rig;
    rig_create(&rig, settings, NULL);
    rig_machine machine = {rig.c.type.hertz, line_bytes, 32, 64, 64};
    rig_destroy(&rig);
    rig_create(&rig, settings, &machine);
    for (uint64_t i = 0; i < REQUESTS; i++)
        if (i / 64 % 8 < writes_in_8)
            rig_write(&rig, 1, i * line_bytes);
        else
            rig_read(&rig, 1, i * line_bytes);
    double share = utilisation(&rig);
    rig_destroy(&rig);
    return share;
}

static void streams_reach_the_peak(void **state)
{
    static const char *const order = "dram.order=row:rank:bank:column:group";
    static const char *const kinds[] = {"dram.type=ddr3-1600", "dram.type=gddr5", "dram.type=hbm2"};
    static const uint32_t lines[] = {64, 128, 128};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const char *settings[] = {kinds[i], order, "dram.hash=true", NULL};
        double read = stream(settings, lines[i], 0), written = stream(settings, lines[i], 8);
        double mixed = stream(settings, lines[i], 4);
        printf("%s: read %.3f, written %.3f, half of each %.3f\n", kinds[i], read, written, mixed);
        assert_true(read >= 0.95 && read <= 1);
        assert_true(written >= 0.95 && written <= 1);
        assert_true(mixed >= 0.85);
    }
}

/* The cycles that n reads of one burst take, each of another row, of so many banks. */
static uint64_t random_rows(unsigned banks, uint64_t n)
{
    static const char *const settings[] = {"dram.refresh=none", NULL};
    dram_rig rig;
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    rig_create(&rig, settings, NULL);
    for (uint64_t i = 0; i < n; i++) {
        unsigned bank = (unsigned)(banks == 1 ? 0 : ww_rng_below(&rng, banks));
        rig_read(&rig, 1, rig_address(&rig, 0, 0, bank, i, 0));
    }
    rig_run(&rig, END);
    uint64_t cycles = rig_counters(&rig).cycles;
    rig_destroy(&rig);
    return cycles;
}

static void random_rows_are_limited_by_their_banks(void **state)
{
    (void)state;
    /* one bank: a row every tRC (39), which leaves 28 cycles (tRAS) and a precharge */
    uint64_t one = random_rows(1, 1000);
    assert_in_range(one, 999 * 39 + 26, 999 * 39 + 30);
    /* eight banks: four rows every tFAW (24), if the queue always has four banks that are ready */
    uint64_t eight = random_rows(8, 8000);
    printf("8 banks: %.2f cycles a row\n", (double)eight / 8000);
    assert_in_range(eight, 1999 * 24, 2200 * 24);
}

/* Writes of four rows of a bank, one after the other, stay until there are 60. However long that
 * takes, they then go row by row: the age cap counts from when the channel begins to serve
 * writes. */
static void writes_do_not_age_before_their_turn(void **state)
{
    static const char *const settings[] = {"dram.write_queue=64", "dram.write_high=60",
                                           "dram.write_low=0",    "dram.age_cap=500",
                                           "dram.refresh=none",   NULL};
    (void)state;
    dram_rig rig;
    rig_create(&rig, settings, (&(rig_machine){800000000, 64, 32, 64, 64}));
    for (unsigned i = 0; i < 700; i++) { /* they keep the channel busy for 2,800 cycles */
        if (i >= 20 && i < 79)
            rig_write(&rig, 100, rig_address(&rig, 0, 0, 1, 1 + i % 4, i / 4));
        rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 1, i % 128));
    }
    rig_write(&rig, 100, rig_address(&rig, 0, 0, 1, 1 + 79 % 4, 79 / 4));
    rig_run(&rig, END);
    ww_dram_counters n = rig_counters(&rig);
    assert_int_equal(n.writes, 60);
    assert_int_equal(n.activates, 1 + 4);
    rig_destroy(&rig);
}

static void writes_wait_for_the_high_mark(void **state)
{
    static const char *const settings[] = {"dram.write_queue=8", "dram.write_high=6",
                                           "dram.write_low=2", NULL};
    (void)state;
    dram_rig rig;
    rig_create(&rig, settings, NULL);
    for (unsigned i = 0; i < 40; i++)
        rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 1, i));
    for (unsigned i = 0; i < 6; i++)
        rig_write(&rig, 140, rig_address(&rig, 0, 0, 1, 1, i));
    rig_run(&rig, END);
    /* all six are there: they go down to two, then reads, then the last two */
    size_t column = 0, position[6] = {0};
    unsigned writes = 0;
    for (size_t i = 0; i < rig.commands.count; i++) {
        if (rig.commands.items[i].op > WW_DRAM_WRITE)
            continue;
        if (rig.commands.items[i].op == WW_DRAM_WRITE)
            position[writes++] = column;
        column++;
    }
    assert_int_equal(writes, 6);
    assert_int_equal(position[3], position[0] + 3);
    assert_true(position[0] < 20);
    assert_int_equal(position[4], 44);
    assert_int_equal(position[5], 45);
    rig_destroy(&rig);
}

static void reads_of_waiting_writes_are_forwarded(void **state)
{
    (void)state;
    dram_rig rig;
    static const char *const settings[] = {NULL};
    rig_create(&rig, settings, (&(rig_machine){800000000, 128, 32, 64, 64}));
    uint64_t line = rig_address(&rig, 0, 0, 0, 1, 0);
    rig_request write = {.tick = 100, .address = line, .sectors = 0x7, .kind = WW_REQUEST_WRITE};
    write.full = true;
    rig_plan(&rig, &write);
    rig_request read = {.tick = 101, .address = line, .sectors = 0x5};
    size_t whole = rig_plan(&rig, &read);
    read.tick = 102, read.sectors = 0xf;
    size_t part = rig_plan(&rig, &read);
    read.tick = 103, read.sectors = 0x1, read.address = rig_address(&rig, 0, 0, 0, 1, 1);
    rig_plan(&rig, &read);
    rig_run(&rig, END);
    ww_dram_counters n = rig_counters(&rig);
    assert_int_equal(rig.requests.items[whole].replied, 102);
    assert_int_equal(rig.requests.items[whole].dram_time, 1);
    assert_int_equal(n.forwarded, 1);
    assert_int_equal(n.reads, 2);
    assert_int_equal(n.read_bytes, 2 * 64); /* the second half of `part`, and a half of the other */
    assert_int_equal(n.write_bytes, 2 * 64);
    assert_true(rig.requests.items[part].replied > 102 + 15);
    rig_destroy(&rig);
}

static void writes_that_leave_bytes_out_are_not_forwarded(void **state)
{
    (void)state;
    dram_rig rig;
    static const char *const settings[] = {NULL};
    rig_create(&rig, settings, NULL);
    rig_plan(&rig, &(rig_request){.tick = 100, .sectors = 1, .kind = WW_REQUEST_WRITE});
    rig_plan(&rig, &(rig_request){.tick = 101, .sectors = 1});
    rig_run(&rig, END);
    assert_int_equal(rig_counters(&rig).forwarded, 0);
    assert_int_equal(rig_counters(&rig).reads, 1);
    rig_destroy(&rig);
}

static void replies_wait_for_room(void **state)
{
    (void)state;
    dram_rig rig;
    static const char *const settings[] = {"dram.read_queue=8", "dram.write_queue=8",
                                           "dram.write_high=8", "dram.write_low=2", NULL};
    rig_create(&rig, settings, (&(rig_machine){800000000, 64, 64, 4, 1}));
    rig.sink_interval = 50;
    for (unsigned i = 0; i < 200; i++)
        if (i % 3 == 2)
            rig_write(&rig, 1, rig_address(&rig, 0, 0, i % 8, i, 0));
        else
            rig_read(&rig, 1, rig_address(&rig, 0, 0, i % 8, i, 0));
    rig_run(&rig, END);
    ww_tick last = 0;
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(rig.requests.items[i].replies, 1);
        last = rig.requests.items[i].replied > last ? rig.requests.items[i].replied : last;
    }
    assert_true(last >= 199 * 50);
    assert_true(last < 200 * 50 + 100);
    assert_int_equal(ww_request_pool_in_use(rig.pool), 0);
    rig_destroy(&rig);
}

static void write_backs_have_no_reply(void **state)
{
    (void)state;
    dram_rig rig;
    static const char *const settings[] = {NULL};
    rig_create(&rig, settings, NULL);
    rig_plan(&rig, &(rig_request){.tick = 100,
                                  .sectors = 1,
                                  .kind = WW_REQUEST_WRITE,
                                  .class = WW_CLASS_WRITE_BACK,
                                  .full = true});
    rig_run(&rig, END);
    assert_int_equal(rig.requests.items[0].replies, 0);
    assert_int_equal(ww_request_pool_in_use(rig.pool), 0);
    assert_int_equal(rig_counters(&rig).writes, 1);
    rig_destroy(&rig);
}

static void it_says_what_waits(void **state)
{
    (void)state;
    dram_rig rig;
    static const char *const settings[] = {NULL};
    char text[200] = "";
    rig_create(&rig, settings, NULL);
    rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 1, 0));
    rig_read(&rig, 100, rig_address(&rig, 0, 0, 0, 2, 0));
    rig_run(&rig, 115);
    FILE *out = fmemopen(text, sizeof(text), "w");
    ww_engine_explain(rig.engine, out);
    fclose(out);
    assert_string_equal(text, "DRAM channel 0: 1 reads and 0 writes wait, 0 replies find no room "
                              "above\n");
    rig_run(&rig, END);
    text[0] = '\0';
    out = fmemopen(text, sizeof(text), "w");
    ww_engine_explain(rig.engine, out);
    fclose(out);
    assert_string_equal(text, "");
    rig_destroy(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_reach_the_peak),
        cmocka_unit_test(random_rows_are_limited_by_their_banks),
        cmocka_unit_test(writes_do_not_age_before_their_turn),
        cmocka_unit_test(writes_wait_for_the_high_mark),
        cmocka_unit_test(reads_of_waiting_writes_are_forwarded),
        cmocka_unit_test(writes_that_leave_bytes_out_are_not_forwarded),
        cmocka_unit_test(replies_wait_for_room),
        cmocka_unit_test(write_backs_have_no_reply),
        cmocka_unit_test(it_says_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
