/* Transfers over the link to the host, with times counted by hand. Unless a test says otherwise, a
 * page of 4096 bytes takes 350 ticks: 16.384 GB/s and 1.4 GHz. */
#include "paging/pcie.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE = 4096, LATENCY = 2800, MOST = 5000 };

typedef struct sender {
    ww_timer timer; /* when it sends */
    ww_transfer transfer;
    bool with_latency;
    struct sender *then; /* sends when this one is done; NULL: none does */
    ww_tick done;        /* in the timers' time; 0: not yet */
    unsigned order;      /* in which it was done, from 1 */
} sender;

static ww_engine *engine;
static ww_timers *timers;
static ww_pcie *pcie;
static sender senders[MOST];
static unsigned done_count;

static void send(void *owner)
{
    sender *s = owner;
    ww_pcie_send(pcie, &s->transfer, s->with_latency);
}

static void note_done(void *owner)
{
    sender *s = owner;
    s->done = ww_timers_now(timers);
    s->order = ++done_count;
    if (s->then)
        send(s->then);
}

static ww_pcie_config plain(void)
{
    return (ww_pcie_config){
        .base_hertz = 1400000000, .bandwidth = 16384000000, .latency = LATENCY, .payload = 256};
}

static void begin(const ww_pcie_config *config)
{
    engine = ww_engine_create();
    timers = ww_timers_create(engine);
    pcie = ww_pcie_create(config, engine, timers);
    memset(senders, 0, sizeof(senders));
    done_count = 0;
    ww_timers_resume(timers, 0);
}

static void end(void)
{
    ww_pcie_destroy(pcie);
    ww_timers_destroy(timers);
    ww_engine_destroy(engine);
}

static sender *prepare(unsigned index, ww_pcie_direction direction, uint64_t bytes)
{
    sender *s = &senders[index];
    s->timer = (ww_timer){.run = send, .owner = s};
    s->transfer =
        (ww_transfer){.bytes = bytes, .direction = direction, .done = note_done, .owner = s};
    return s;
}

/* At tick 0 at once, else by a timer. */
static void send_at(sender *s, ww_tick at)
{
    if (at)
        ww_timer_set(timers, &s->timer, at);
    else
        send(s);
}

static void run(void)
{
    assert_false(ww_engine_run(engine, WW_NEVER));
}

static void expect_done(unsigned index, ww_tick at)
{
    assert_int_equal(senders[index].done, at);
}

/* ---- bandwidth ---- */

static void one_page(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, PAGE), 0);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 350);
    run();
    expect_done(0, 350);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 0);
    end();
}

static void eighty_pages_back_to_back(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    for (unsigned i = 0; i < 80; i++)
        send_at(prepare(i, WW_PCIE_TO_GPU, PAGE), 0);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 28000);
    run();
    for (unsigned i = 0; i < 80; i++)
        expect_done(i, 350 * (i + 1));
    end();
}

/* A page takes 358.4 ticks at 16 GB/s: 359, 717, 1076, ... and 5 pages exactly 1792. */
static void fractions_of_ticks_do_not_add_up(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.bandwidth = 16000000000;
    begin(&config);
    for (unsigned i = 0; i < 80; i++)
        send_at(prepare(i, WW_PCIE_TO_GPU, PAGE), 0);
    run();
    for (unsigned i = 0; i < 80; i++)
        expect_done(i, (3584 * (i + 1) + 9) / 10);
    end();
}

/* Each page is sent when the one before is done: the link has no gap. */
static void nor_do_those_of_a_chain(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.bandwidth = 16000000000;
    begin(&config);
    for (unsigned i = 0; i < 80; i++)
        prepare(i, WW_PCIE_TO_GPU, PAGE)->then = i < 79 ? &senders[i + 1] : NULL;
    send_at(&senders[0], 0);
    run();
    for (unsigned i = 0; i < 80; i++)
        expect_done(i, (3584 * (i + 1) + 9) / 10);
    end();
}

/* The first has passed at 358.4, in tick 359. In tick 360 the link is idle: the next page starts
 * then and takes 358.4 of its own. */
static void a_gap_starts_anew(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.bandwidth = 16000000000;
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, PAGE), 0);
    send_at(prepare(1, WW_PCIE_TO_GPU, PAGE), 360);
    send_at(prepare(2, WW_PCIE_TO_GPU, PAGE), 1000);
    run();
    expect_done(0, 359);
    assert_int_equal(ww_pcie_ticks(pcie, PAGE), 359);
    expect_done(1, 360 + 359);
    expect_done(2, 1000 + 359);
    end();
}

/* 10 seconds of bytes: a product that 64 bits do not hold. */
static void long_periods_are_exact(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, 163840000000), 0);
    send_at(prepare(1, WW_PCIE_TO_GPU, PAGE), 0);
    run();
    expect_done(0, 14000000000);
    expect_done(1, 14000000350);
    end();
}

/* ---- directions ---- */

static void directions_share_a_lane(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, PAGE), 0);
    send_at(prepare(1, WW_PCIE_TO_HOST, PAGE), 0);
    send_at(prepare(2, WW_PCIE_TO_GPU, PAGE), 0);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 1050);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_HOST), 1050);
    run();
    expect_done(0, 350);
    expect_done(1, 700);
    expect_done(2, 1050);
    end();
}

static void or_have_one_each(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.duplex = true;
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, PAGE), 0);
    send_at(prepare(1, WW_PCIE_TO_HOST, PAGE), 0);
    send_at(prepare(2, WW_PCIE_TO_GPU, PAGE), 0);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 700);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_HOST), 350);
    run();
    expect_done(0, 350);
    expect_done(1, 350);
    expect_done(2, 700);
    end();
}

/* ---- headers ---- */

/* At 1 byte a tick, with 256 bytes of payload and 24 of header in a packet. */
static void packets_have_headers(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes, wire;
    } cases[] = {{PAGE, PAGE + 16 * 24}, {1, 25}, {256, 280}, {257, 257 + 2 * 24}, {0, 24}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ww_pcie_config config = plain();
        config.bandwidth = config.base_hertz;
        config.header = 24;
        begin(&config);
        send_at(prepare(0, WW_PCIE_TO_HOST, cases[i].bytes), 0);
        run();
        expect_done(0, cases[i].wire);
        assert_int_equal(ww_pcie_ticks(pcie, cases[i].bytes), cases[i].wire);
        assert_int_equal(ww_pcie_count(pcie, WW_PCIE_TO_HOST)->bytes, cases[i].bytes);
        assert_int_equal(ww_pcie_count(pcie, WW_PCIE_TO_HOST)->wire_bytes, cases[i].wire);
        end();
    }
}

/* ---- latency ---- */

/* The second page passes during the first one's latency; the third has none and is done first. */
static void latency_does_not_occupy_the_link(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    prepare(0, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    prepare(1, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    prepare(2, WW_PCIE_TO_GPU, PAGE);
    for (unsigned i = 0; i < 3; i++)
        send_at(&senders[i], 0);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 1050);
    run();
    expect_done(0, 350 + LATENCY);
    expect_done(1, 700 + LATENCY);
    expect_done(2, 1050);
    assert_int_equal(senders[2].order, 1);
    end();
}

static void a_latency_of_none(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.latency = 0;
    begin(&config);
    prepare(0, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    send_at(&senders[0], 0);
    run();
    expect_done(0, 350);
    end();
}

/* A line of 128 bytes takes 10.9375 ticks. */
static void thousands_in_flight(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.latency = 100000;
    begin(&config);
    for (unsigned i = 0; i < MOST; i++) {
        prepare(i, WW_PCIE_TO_GPU, 128)->with_latency = true;
        send_at(&senders[i], 0);
    }
    run();
    for (unsigned i = 0; i < MOST; i++) {
        expect_done(i, 100000 + (109375 * (i + 1ull) + 9999) / 10000);
        assert_int_equal(senders[i].order, i + 1);
    }
    end();
}

/* A read of a line on the host: a request without payload, whose latency brings the reply. */
static void a_request_and_its_reply(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    prepare(0, WW_PCIE_TO_HOST, 0)->with_latency = true;
    prepare(1, WW_PCIE_TO_GPU, 128)->with_latency = true;
    senders[0].then = &senders[1];
    send_at(&senders[0], 10);
    run();
    expect_done(0, 10 + LATENCY);
    expect_done(1, 10 + LATENCY + 11 + LATENCY);
    end();
}

/* ---- time ---- */

/* 100 of the page's ticks have passed at the pause. The second page is sent during it. */
static void time_stands_still_in_a_pause(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    prepare(0, WW_PCIE_TO_GPU, PAGE);
    prepare(1, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    send_at(&senders[0], 0);
    assert_true(ww_engine_run(engine, 100));
    ww_timers_pause(timers);
    send(&senders[1]);
    assert_int_equal(ww_pcie_backlog(pcie, WW_PCIE_TO_GPU), 600);
    run();
    expect_done(0, 0);
    ww_timers_resume(timers, 5000);
    assert_true(ww_engine_run(engine, 5250));
    expect_done(0, 0);
    assert_true(ww_engine_run(engine, 5251));
    expect_done(0, 350);
    assert_true(ww_engine_run(engine, 4900 + 1700)); /* in the second one's latency */
    ww_timers_pause(timers);
    run();
    ww_timers_resume(timers, 10000);
    assert_true(ww_engine_run(engine, 10000 + 700 + LATENCY - 1700));
    expect_done(1, 0);
    run();
    expect_done(1, 700 + LATENCY);
    end();
}

/* ---- counters and messages ---- */

/* Shared: page 1 waits for page 0, page 2 for both; page 3 finds the link idle. */
static void counters_by_direction(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    send_at(prepare(0, WW_PCIE_TO_GPU, PAGE), 0);
    send_at(prepare(1, WW_PCIE_TO_HOST, PAGE), 0);
    send_at(prepare(2, WW_PCIE_TO_GPU, 2 * PAGE), 100);
    send_at(prepare(3, WW_PCIE_TO_GPU, PAGE), 2000);
    assert_true(ww_engine_run(engine, 350));
    assert_int_equal(ww_pcie_count(pcie, WW_PCIE_TO_GPU)->transfers, 0);
    run();
    const ww_pcie_counters *down = ww_pcie_count(pcie, WW_PCIE_TO_GPU);
    const ww_pcie_counters *up = ww_pcie_count(pcie, WW_PCIE_TO_HOST);
    assert_int_equal(down->transfers, 3);
    assert_int_equal(down->bytes, 4 * PAGE);
    assert_int_equal(down->busy_ticks, 4 * 350);
    assert_int_equal(down->waiting_ticks, 600);
    assert_int_equal(up->transfers, 1);
    assert_int_equal(up->bytes, PAGE);
    assert_int_equal(up->wire_bytes, PAGE);
    assert_int_equal(up->busy_ticks, 350);
    assert_int_equal(up->waiting_ticks, 350);
    end();
}

static void expect_explanation(const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ww_engine_explain(engine, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void says_what_it_waits_for(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    config.duplex = true;
    begin(&config);
    expect_explanation("");
    prepare(0, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    send_at(&senders[0], 0);
    send_at(prepare(1, WW_PCIE_TO_GPU, PAGE), 0);
    send_at(prepare(2, WW_PCIE_TO_HOST, 2 * PAGE), 0);
    assert_true(ww_engine_run(engine, 400));
    expect_explanation("link to the host: 2 transfers wait or pass, 1 more in their latency\n");
    run();
    expect_explanation("");
    end();
}

/* With transfers in flight. */
static void can_be_destroyed_at_any_time(void **state)
{
    (void)state;
    ww_pcie_config config = plain();
    begin(&config);
    prepare(0, WW_PCIE_TO_GPU, PAGE)->with_latency = true;
    send_at(&senders[0], 0);
    send_at(prepare(1, WW_PCIE_TO_GPU, PAGE), 0);
    assert_true(ww_engine_run(engine, 400));
    ww_pcie_destroy(pcie);
    run();
    pcie = NULL;
    expect_done(0, 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_page),
        cmocka_unit_test(eighty_pages_back_to_back),
        cmocka_unit_test(fractions_of_ticks_do_not_add_up),
        cmocka_unit_test(nor_do_those_of_a_chain),
        cmocka_unit_test(a_gap_starts_anew),
        cmocka_unit_test(long_periods_are_exact),
        cmocka_unit_test(directions_share_a_lane),
        cmocka_unit_test(or_have_one_each),
        cmocka_unit_test(packets_have_headers),
        cmocka_unit_test(latency_does_not_occupy_the_link),
        cmocka_unit_test(a_latency_of_none),
        cmocka_unit_test(thousands_in_flight),
        cmocka_unit_test(a_request_and_its_reply),
        cmocka_unit_test(time_stands_still_in_a_pause),
        cmocka_unit_test(counters_by_direction),
        cmocka_unit_test(says_what_it_waits_for),
        cmocka_unit_test(can_be_destroyed_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
