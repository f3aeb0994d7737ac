/* A crossbar takes exactly its configured time, passes exactly its configured bytes in a cycle, and
 * waits for exactly what it must wait for. Unless a test says otherwise a packet planned at tick t
 * is at its input, and granted, at t + 1. */
#include "support/crossbar_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LATENCY 20

static crossbar_rig_config plain_config(void)
{
    return (crossbar_rig_config){.crossbar = {.direction = WW_CROSSBAR_DOWN,
                                              .clock = {1, 1},
                                              .inputs = 4,
                                              .outputs = 4,
                                              .queue = 8,
                                              .senders = 1,
                                              .latency = LATENCY,
                                              .input_width = 32,
                                              .output_width = 32,
                                              .header = 8,
                                              .sector_size = 32},
                                 .output_entries = 64};
}

static crossbar_packet read_at(ww_tick planned, uint32_t input, uint32_t output)
{
    return (crossbar_packet){.input = input,
                             .output = output,
                             .kind = WW_REQUEST_READ,
                             .sectors = 4,
                             .planned = planned};
}

static void run_all(const crossbar_rig_config *config, crossbar_packet *packets, size_t count)
{
    crossbar_rig *r = crossbar_rig_create(config, packets, count);
    assert_false(crossbar_rig_run(r, WW_NEVER));
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(packets[i].taken, WW_NEVER);
    assert_int_equal(crossbar_rig_count(r)->packets, count);
    crossbar_rig_destroy(r);
}

static void a_packet_takes_the_latency(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    crossbar_packet packet = read_at(10, 2, 3);
    run_all(&config, &packet, 1);
    assert_int_equal(packet.sent, 11);
    assert_int_equal(packet.arrived, 11 + LATENCY);
    assert_int_equal(packet.taken, packet.arrived);
    assert_int_equal(packet.request.stages[WW_STAGE_NETWORK_DOWN], 1 + LATENCY);
    assert_int_equal(packet.request.stages[WW_STAGE_NETWORK_UP], 0);
}

static void without_latency_it_arrives_at_once(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.crossbar.direction = WW_CROSSBAR_UP;
    config.sinks_are_later = true;
    config.crossbar.latency = 0;
    crossbar_packet packet = read_at(10, 2, 3);
    packet.kind = WW_REQUEST_WRITE;
    run_all(&config, &packet, 1);
    assert_int_equal(packet.taken, 10);
    assert_int_equal(packet.request.stages[WW_STAGE_NETWORK_UP], 0);
}

/* Many packets of a kind from one input to one output: they come `cycles` apart, and the first
 * arrives whole. */
static void check_rate(ww_crossbar_direction direction, ww_request_kind kind, uint32_t sectors,
                       uint32_t width, unsigned cycles)
{
    enum { COUNT = 200 };
    crossbar_rig_config config = plain_config();
    config.crossbar.direction = direction;
    config.sinks_are_later = direction == WW_CROSSBAR_UP;
    config.crossbar.input_width = config.crossbar.output_width = width;
    crossbar_packet packets[COUNT];
    for (int i = 0; i < COUNT; i++) {
        packets[i] = read_at(0, 1, 2);
        packets[i].kind = kind;
        packets[i].sectors = sectors;
    }
    run_all(&config, packets, COUNT);
    ww_tick start = direction == WW_CROSSBAR_DOWN ? 1 : 0;
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(packets[i].arrived, start + LATENCY + cycles - 1 + i * cycles);
}

static void bytes_take_cycles_in_each_direction(void **state)
{
    (void)state;
    static const struct {
        ww_crossbar_direction direction;
        ww_request_kind kind;
        uint32_t sectors, width;
        unsigned cycles;
    } cases[] = {
        {WW_CROSSBAR_DOWN, WW_REQUEST_READ, 4, 32, 1},
        {WW_CROSSBAR_DOWN, WW_REQUEST_WRITE, 1, 32, 2}, /* 40 bytes */
        {WW_CROSSBAR_DOWN, WW_REQUEST_WRITE, 4, 32, 5}, /* 136 bytes */
        {WW_CROSSBAR_DOWN, WW_REQUEST_ATOMIC, 2, 32, 3},
        {WW_CROSSBAR_DOWN, WW_REQUEST_ATOMIC, 4, 136, 1},
        {WW_CROSSBAR_DOWN, WW_REQUEST_WRITE, 4, 1, 136}, /* longer than the wheel */
        {WW_CROSSBAR_UP, WW_REQUEST_READ, 4, 32, 5},
        {WW_CROSSBAR_UP, WW_REQUEST_READ, 1, 40, 1},
        {WW_CROSSBAR_UP, WW_REQUEST_READ, 1, 39, 2},
        {WW_CROSSBAR_UP, WW_REQUEST_WRITE, 4, 32, 1},
        {WW_CROSSBAR_UP, WW_REQUEST_WRITE, 4, 4, 2},
        {WW_CROSSBAR_UP, WW_REQUEST_ATOMIC, 1, 32, 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_rate(cases[i].direction, cases[i].kind, cases[i].sectors, cases[i].width,
                   cases[i].cycles);
}

/* Replies of 136 bytes from an input with twice the 32 bytes of the outputs: 3 cycles there and 5
 * here, so that it serves two outputs alternately, the first from tick 0 on. */
static void a_wider_input_serves_two_outputs(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.crossbar.direction = WW_CROSSBAR_UP;
    config.sinks_are_later = true;
    config.crossbar.input_width = 64;
    crossbar_packet packets[] = {read_at(0, 0, 1), read_at(0, 0, 2), read_at(0, 0, 1),
                                 read_at(0, 0, 2)};
    run_all(&config, packets, 4);
    static const ww_tick granted[] = {0, 3, 6, 9};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(packets[i].arrived, granted[i] + LATENCY + 4);
}

/* The other way a write takes 5 cycles from its input and 3 at the output: another input's can
 * follow in the fourth. A read that follows is not whole before the write in front of it. */
static void a_wider_output_takes_from_two_inputs(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.crossbar.output_width = 64;
    crossbar_packet packets[] = {read_at(0, 0, 3), read_at(0, 1, 3), read_at(0, 0, 3),
                                 read_at(5, 2, 3)};
    packets[0].kind = packets[1].kind = packets[2].kind = WW_REQUEST_WRITE;
    run_all(&config, packets, 4);
    assert_int_equal(packets[0].arrived, 1 + LATENCY + 4);
    assert_int_equal(packets[1].arrived, 1 + 3 + LATENCY + 4);
    assert_int_equal(packets[3].arrived, 1 + 3 + LATENCY + 4 + 1); /* alone: 7 + LATENCY */
    assert_int_equal(packets[2].arrived, 1 + 3 + 3 + 1 + LATENCY + 4);
    static const uint32_t widths[][2] = {{32, 32}, {32, 64}, {32, 65}, {65, 32}};
    static const uint32_t flights[] = {1, 2, 3, 1};
    for (size_t i = 0; i < 4; i++) {
        config.crossbar.input_width = widths[i][0];
        config.crossbar.output_width = widths[i][1];
        assert_int_equal(ww_crossbar_flight(&config.crossbar), LATENCY + flights[i]);
    }
}

static void bytes_and_cycles_are_counted(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    crossbar_packet packets[3] = {read_at(0, 0, 0), read_at(0, 1, 0), read_at(0, 2, 1)};
    packets[1].kind = WW_REQUEST_WRITE;
    packets[2].kind = WW_REQUEST_ATOMIC;
    packets[2].sectors = 1;
    crossbar_rig *r = crossbar_rig_create(&config, packets, 3);
    crossbar_rig_run(r, WW_NEVER);
    ww_crossbar_counters want = {.packets = 3,
                                 .reads = 1,
                                 .writes = 1,
                                 .atomics = 1,
                                 .bytes = 8 + (8 + 128) + (8 + 32),
                                 .data_bytes = 128 + 32,
                                 .busy_cycles = 1 + 5 + 2};
    assert_memory_equal(crossbar_rig_count(r), &want, sizeof(want));
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add(stats, &ww_crossbar_down_stats, crossbar_rig_count(r));
    ww_stats_add(stats, &ww_crossbar_up_stats, crossbar_rig_count(r));
    ww_stats_read(stats);
    assert_int_equal(ww_stats_find(stats, "network.down_data_bytes")->count, 160);
    assert_int_equal(ww_stats_find(stats, "network.up_busy_cycles")->count, 8);
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_stats_check(stats, errors), 0);
    ww_errors_destroy(errors);
    ww_stats_destroy(stats);
    crossbar_rig_destroy(r);
}

static void other_pairs_are_not_in_the_way(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    crossbar_packet packets[4];
    for (uint32_t i = 0; i < 4; i++)
        packets[i] = read_at(0, i, 3 - i);
    run_all(&config, packets, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(packets[i].arrived, 1 + LATENCY);
}

static void two_inputs_alternate_at_one_output(void **state)
{
    (void)state;
    enum { EACH = 50 };
    crossbar_rig_config config = plain_config();
    crossbar_packet packets[2 * EACH];
    for (int i = 0; i < 2 * EACH; i++) {
        packets[i] = read_at(0, i < EACH ? 1 : 3, 2);
        packets[i].kind = WW_REQUEST_WRITE;
    }
    crossbar_rig *r = crossbar_rig_create(&config, packets, 2 * EACH);
    crossbar_rig_run(r, WW_NEVER);
    crossbar_packet *const *taken;
    assert_int_equal(crossbar_rig_taken(r, 2, &taken), 2 * EACH);
    for (unsigned i = 0; i < 2 * EACH; i++) {
        assert_ptr_equal(taken[i], &packets[(i % 2) * EACH + i / 2]);
        assert_int_equal(taken[i]->arrived, 1 + LATENCY + 4 + i * 5);
    }
    crossbar_rig_destroy(r);
}

/* The second packet of input 0 wants an idle output, but the first waits for one that input 1
 * uses. */
static void the_first_packet_holds_up_those_behind(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    crossbar_packet packets[3] = {read_at(0, 1, 2), read_at(1, 0, 2), read_at(1, 0, 3)};
    packets[0].kind = WW_REQUEST_WRITE; /* 5 cycles */
    run_all(&config, packets, 3);
    assert_int_equal(packets[1].arrived, 1 + 5 + LATENCY);
    assert_int_equal(packets[2].arrived, 1 + 5 + 1 + LATENCY);
}

/* Until tick 1000 the sinks take nothing: 2 packets are in the output's port and 3 in the input's
 * queue. */
static void check_pressure(bool sinks_are_later)
{
    enum { COUNT = 8 };
    crossbar_rig_config config = plain_config();
    config.output_entries = 2;
    config.crossbar.queue = 3;
    config.sinks_open = 1000;
    config.sinks_are_later = sinks_are_later;
    crossbar_packet packets[COUNT];
    for (int i = 0; i < COUNT; i++)
        packets[i] = read_at(0, 0, 1);
    crossbar_rig *r = crossbar_rig_create(&config, packets, COUNT);
    assert_true(crossbar_rig_run(r, 1000));
    assert_int_not_equal(packets[4].sent, WW_NEVER);
    assert_int_equal(packets[5].sent, WW_NEVER);
    assert_int_equal(crossbar_rig_count(r)->packets, 2);
    crossbar_rig_run(r, WW_NEVER);
    /* An entry that a sink frees before the crossbar's phase is used in that tick, else in the
     * next; the packet has its entry for the latency, so that two come every LATENCY ticks. */
    ww_tick wait = sinks_are_later ? 1 : 0;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(packets[i].taken, 1000 + i);
        assert_int_equal(packets[2 + i].arrived, 1000 + i + wait + LATENCY);
        assert_int_equal(packets[4 + i].arrived, 1000 + i + 2 * (wait + LATENCY));
    }
    /* An entry of the input's queue is free when its packet crosses: a source that is later in the
     * tick sends at once, for the next tick; one that is earlier, in the next. */
    assert_int_equal(packets[5].sent, 1000 + wait + 1);
    assert_int_equal(crossbar_rig_count(r)->packets, COUNT);
    assert_true(crossbar_rig_count(r)->full >= 3);
    crossbar_rig_destroy(r);
}

static void a_full_output_is_waited_for(void **state)
{
    (void)state;
    check_pressure(false);
    check_pressure(true);
}

static void a_full_output_leaves_the_others_alone(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.output_entries = 1;
    config.sinks_open = 500;
    crossbar_packet packets[4] = {read_at(0, 0, 1), read_at(1, 0, 1), read_at(2, 1, 2),
                                  read_at(3, 0, 3)};
    crossbar_rig *r = crossbar_rig_create(&config, packets, 4);
    crossbar_rig_run(r, WW_NEVER);
    assert_int_equal(packets[0].arrived, 1 + LATENCY);
    assert_int_equal(packets[2].arrived, 3 + LATENCY);
    assert_int_equal(packets[1].arrived, 500 + LATENCY);
    assert_int_equal(packets[3].arrived, 501 + LATENCY); /* behind the one that waited */
    assert_int_equal(crossbar_rig_count(r)->full, 1);
    assert_int_equal(crossbar_rig_count(r)->full_cycles, 500 - 2);
    crossbar_rig_destroy(r);
}

/* With entries for all packets in flight one packet comes every cycle; with one entry less, not. */
static void the_flight_keeps_the_rate(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static crossbar_packet packets[COUNT];
    for (uint32_t missing = 0; missing < 2; missing++) {
        crossbar_rig_config config = plain_config();
        config.sinks_are_later = true;
        config.output_entries = ww_crossbar_flight(&config.crossbar) - missing;
        for (int i = 0; i < COUNT; i++)
            packets[i] = read_at(0, 0, 0);
        run_all(&config, packets, COUNT);
        ww_tick full_rate = LATENCY + COUNT - 1;
        if (missing)
            assert_true(packets[COUNT - 1].arrived > full_rate + COUNT / LATENCY / 2);
        else
            assert_int_equal(packets[COUNT - 1].arrived, full_rate);
    }
}

/* 800 MHz beside 2 GHz has its edges at 0, 3, 5, 8, 10, 13, ... */
static void a_slower_clock_counts_its_own_cycles(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.crossbar.clock = ww_clock_make(800000000, 2000000000);
    config.crossbar.latency = 2;
    crossbar_packet packets[4] = {read_at(0, 0, 0), read_at(0, 0, 0), read_at(0, 0, 0),
                                  read_at(100, 0, 0)};
    packets[1].kind = WW_REQUEST_WRITE;
    packets[1].sectors = 1; /* 2 cycles */
    run_all(&config, packets, 4);
    assert_int_equal(packets[0].sent, 1);
    assert_int_equal(packets[0].arrived, 8);   /* cycles 1 to 3 */
    assert_int_equal(packets[1].arrived, 13);  /* 2 to 5 */
    assert_int_equal(packets[2].arrived, 15);  /* 4 to 6 */
    assert_int_equal(packets[3].arrived, 108); /* 41 to 43 */
}

/* A run that is stuck ends, and the crossbar says why. */
static void it_explains_what_it_waits_for(void **state)
{
    (void)state;
    crossbar_rig_config config = plain_config();
    config.output_entries = 1;
    config.sinks_open = WW_NEVER;
    crossbar_packet packets[3] = {read_at(0, 0, 1), read_at(1, 0, 1), read_at(1, 2, 1)};
    crossbar_rig *r = crossbar_rig_create(&config, packets, 3);
    crossbar_rig_run(r, 10000);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    crossbar_rig_explain(r, out);
    fclose(out);
    assert_string_equal(text, "network down: 2 packets wait at its inputs; 1 of its outputs have "
                              "no room: 1 (2 inputs wait for it)\n");
    free(text);
    crossbar_rig_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_takes_the_latency),
        cmocka_unit_test(without_latency_it_arrives_at_once),
        cmocka_unit_test(bytes_take_cycles_in_each_direction),
        cmocka_unit_test(a_wider_input_serves_two_outputs),
        cmocka_unit_test(a_wider_output_takes_from_two_inputs),
        cmocka_unit_test(bytes_and_cycles_are_counted),
        cmocka_unit_test(other_pairs_are_not_in_the_way),
        cmocka_unit_test(two_inputs_alternate_at_one_output),
        cmocka_unit_test(the_first_packet_holds_up_those_behind),
        cmocka_unit_test(a_full_output_is_waited_for),
        cmocka_unit_test(a_full_output_leaves_the_others_alone),
        cmocka_unit_test(the_flight_keeps_the_rate),
        cmocka_unit_test(a_slower_clock_counts_its_own_cycles),
        cmocka_unit_test(it_explains_what_it_waits_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
