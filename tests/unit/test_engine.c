/* The order of things in time: ticks, phases, waking, clocks, ports. */
#include "base/memory.h"
#include "base/rng.h"
#include "engine/clock.h"
#include "engine/port.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct actor {
    ww_task task;
    ww_engine *engine;
    char letter;
    char *log;
    struct actor *wakes; /* when it runs */
    ww_tick wakes_in;
} actor;

static char trace[1024];

static void act(void *owner)
{
    actor *a = owner;
    size_t used = strlen(trace);
    snprintf(trace + used, sizeof(trace) - used, "%c%llu ", a->letter,
             (unsigned long long)ww_engine_now(a->engine));
    if (a->wakes)
        ww_wake(a->engine, &a->wakes->task, ww_engine_now(a->engine) + a->wakes_in);
}

static void make(actor *a, ww_engine *engine, char letter, unsigned phase)
{
    *a = (actor){.engine = engine, .letter = letter};
    ww_task_init(engine, &a->task, phase, act, a);
}

static int begin(void **state)
{
    *state = ww_engine_create();
    trace[0] = '\0';
    return 0;
}

static int end(void **state)
{
    ww_engine_destroy(*state);
    return 0;
}

static void phases_in_order(void **state)
{
    ww_engine *e = *state;
    actor a, b, c, d;
    make(&a, e, 'a', 3);
    make(&b, e, 'b', 1);
    make(&c, e, 'c', 4);
    make(&d, e, 'd', 0);
    ww_wake(e, &c.task, 5);
    ww_wake(e, &a.task, 5);
    ww_wake(e, &b.task, 5);
    ww_wake(e, &d.task, 6);
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "b5 a5 c5 d6 ");
}

static void the_earliest_waking_wins(void **state)
{
    ww_engine *e = *state;
    actor a;
    make(&a, e, 'a', 0);
    ww_wake(e, &a.task, 5000);
    ww_wake(e, &a.task, 9);
    ww_wake(e, &a.task, 30);
    assert_int_equal(a.task.due, 9);
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "a9 ");
    assert_true(a.task.due == WW_NEVER);
}

static void now_is_this_tick_for_later_phases_only(void **state)
{
    ww_engine *e = *state;
    actor a, later, same, earlier;
    make(&a, e, 'a', 2);
    make(&later, e, 'l', 3);
    make(&same, e, 's', 2);
    make(&earlier, e, 'e', 1);
    a.wakes = &later;
    later.wakes = &same;
    same.wakes = &earlier;
    ww_wake(e, &a.task, 4);
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "a4 l4 s5 e6 ");
}

static void far_ticks_come_in_order(void **state)
{
    ww_engine *e = *state;
    actor a, b, c, d;
    make(&a, e, 'a', 0);
    make(&b, e, 'b', 1);
    make(&c, e, 'c', 0);
    make(&d, e, 'd', 2);
    ww_wake(e, &a.task, 100000);
    ww_wake(e, &b.task, 100000);
    ww_wake(e, &c.task, 99999);
    c.wakes = &d;
    c.wakes_in = 1;
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "c99999 a100000 b100000 d100000 ");
}

static void limits_and_stops_end_a_run(void **state)
{
    ww_engine *e = *state;
    actor a, b;
    make(&a, e, 'a', 0);
    make(&b, e, 'b', 0);
    ww_wake(e, &a.task, 10);
    ww_wake(e, &b.task, 20);
    assert_true(ww_engine_run(e, 7));
    assert_int_equal(ww_engine_now(e), 7);
    assert_true(ww_engine_run(e, 10));
    assert_string_equal(trace, "");
    assert_true(ww_engine_run(e, 11));
    assert_string_equal(trace, "a10 ");
    ww_sleep(e, &b.task);
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "a10 ");
}

static void clocks_keep_their_rate(void **state)
{
    static const ww_tick edges[] = {0, 3, 5, 8, 10, 13};
    ww_clock slow = ww_clock_make(800000000, 2000000000);
    ww_clock same = ww_clock_make(700, 700);
    (void)state;
    for (uint64_t k = 0; k < 6; k++) {
        assert_int_equal(ww_clock_edge(slow, k), edges[k]);
        assert_int_equal(ww_clock_cycle(slow, edges[k]), k);
    }
    assert_int_equal(ww_clock_cycle(slow, 4), 1);
    assert_int_equal(ww_clock_next(slow, 4), 5);
    assert_int_equal(ww_clock_next(slow, 5), 5);
    assert_int_equal(ww_clock_after(slow, 4, 2), 10);
    assert_int_equal(ww_clock_edge(slow, 4000000000000u), 10000000000000u);
    assert_int_equal(ww_clock_next(same, 17), 17);
    assert_int_equal(ww_clock_after(same, 17, 3), 20);
}

/* Against divisions, for ratios and times of all sizes. */
static void clocks_divide_exactly(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t base = 1 + (ww_rng_next(&rng) >> (32 + i % 32));
        uint64_t hertz = 1 + ww_rng_below(&rng, base);
        ww_clock c = ww_clock_make(hertz, base);
        uint64_t time = ww_rng_next(&rng) >> i % 64;
        uint64_t cycle = (uint64_t)((unsigned __int128)time * c.rate / c.base);
        uint64_t edge = (uint64_t)(((unsigned __int128)time * c.base + c.rate - 1) / c.rate);
        assert_int_equal(ww_clock_cycle(c, time), cycle);
        if ((unsigned __int128)time * c.base / c.rate < UINT64_MAX)
            assert_int_equal(ww_clock_edge(c, time), edge);
        ww_tick tick = time >> 24, next = ww_clock_next(c, tick);
        cycle = ww_clock_cycle(c, next);
        assert_true(next >= tick && next == ww_clock_edge(c, cycle));
        assert_true(cycle == 0 || ww_clock_edge(c, cycle - 1) < tick);
    }
}

/* A producer of phase 2 and a consumer of phase 1 that takes one item every `interval` ticks. */
typedef struct line {
    ww_engine *engine;
    ww_port port;
    ww_task producer, consumer;
    unsigned sent, to_send, latency, interval;
    ww_tick next;
} line;

static void produce(void *owner)
{
    line *l = owner;
    ww_tick now = ww_engine_now(l->engine);
    if (l->sent == l->to_send)
        return;
    if (!ww_port_has_room(&l->port)) {
        ww_port_wait(&l->port, &l->producer);
        return;
    }
    ww_port_send(&l->port, &l->sent, now + l->latency);
    l->sent++;
    ww_wake(l->engine, &l->producer, now + 1);
}

static void consume(void *owner)
{
    line *l = owner;
    ww_tick now = ww_engine_now(l->engine);
    size_t used = strlen(trace);
    if (now < l->next) {
        ww_wake(l->engine, &l->consumer, l->next);
        return;
    }
    if (!ww_port_peek(&l->port))
        return;
    snprintf(trace + used, sizeof(trace) - used, "%llu ", (unsigned long long)now);
    ww_port_pop(&l->port);
    l->next = now + l->interval;
    if (l->port.count)
        ww_wake(l->engine, &l->consumer, ww_port_next(&l->port));
}

static void run_line(ww_engine *e, uint32_t capacity, unsigned items, unsigned latency,
                     unsigned interval, const char *wanted)
{
    line l = {.engine = e, .to_send = items, .latency = latency, .interval = interval};
    ww_port_init(&l.port, e, capacity, 1);
    ww_task_init(e, &l.producer, 2, produce, &l);
    ww_task_init(e, &l.consumer, 1, consume, &l);
    ww_port_connect(&l.port, &l.consumer);
    ww_wake(e, &l.producer, 0);
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, wanted);
    ww_port_clear(&l.port);
}

static void a_wide_port_gives_one_item_a_tick(void **state)
{
    run_line(*state, 8, 5, 4, 1, "4 5 6 7 8 ");
}

/* With 2 entries and a latency of 4, two items are in flight at a time; a freed entry is used at
 * once. */
static void a_short_port_limits_what_is_under_way(void **state)
{
    run_line(*state, 2, 6, 4, 1, "4 5 8 9 12 13 ");
}

static void a_slow_consumer_holds_the_producer_back(void **state)
{
    run_line(*state, 2, 5, 1, 3, "1 4 7 10 13 ");
}

static void a_mark_tells_that_a_port_has_items(void **state)
{
    ww_engine *e = *state;
    uint64_t marks[3] = {0};
    actor consumer;
    make(&consumer, e, 'c', 0);
    ww_port port;
    ww_port_init(&port, e, 4, 1);
    ww_port_connect(&port, &consumer.task);
    ww_port_mark(&port, marks, 130);
    ww_port_send(&port, &consumer, 5);
    assert_int_equal(marks[0] | marks[1], 0);
    assert_int_equal(marks[2], 4);
    marks[2] = 0;
    ww_port_send(&port, &consumer, 5); /* not the first */
    assert_int_equal(marks[2], 0);
    ww_port_pop(&port);
    ww_port_pop(&port);
    ww_port_send(&port, &consumer, 6);
    assert_int_equal(marks[2], 4);
    ww_port_clear(&port);
}

/* One of the producers of a port with seats, which has some items to send. */
typedef struct guest {
    ww_port *port;
    ww_task task;
    unsigned seat, to_send;
} guest;

static void send_as_a_guest(void *owner)
{
    guest *g = owner;
    ww_engine *e = g->port->engine;
    for (; g->to_send && ww_port_has_room(g->port); g->to_send--) {
        size_t used = strlen(trace);
        snprintf(trace + used, sizeof(trace) - used, "%u@%llu ", g->seat,
                 (unsigned long long)ww_engine_now(e));
        ww_port_send(g->port, g, ww_engine_now(e) + 1);
    }
    if (g->to_send)
        ww_port_wait_in(g->port, g->seat, &g->task);
}

/* Seats 1, 2 and 6 of 8 are taken. The port holds one item, which its consumer takes as soon as it
 * arrives: an entry is free in each tick from 1 on. The pointer is at the tick's number: in tick 1
 * seat 1 is next, in 2 seat 2, in 3 to 6 seat 6, and in 7 and 8 it comes around to seat 1. */
static void a_pointer_over_seats_chooses_who_sends(void **state)
{
    ww_engine *e = *state;
    ww_clock clock = ww_clock_make(1, 1);
    line l = {.engine = e, .interval = 1};
    guest guests[] = {
        {.seat = 1, .to_send = 3}, {.seat = 2, .to_send = 1}, {.seat = 6, .to_send = 6}};
    ww_port_init(&l.port, e, 1, 3);
    ww_port_seat(&l.port, 8, &clock);
    ww_task_init(e, &l.consumer, 1, consume, &l);
    ww_port_connect(&l.port, &l.consumer);
    for (unsigned i = 0; i < 3; i++) {
        guests[i].port = &l.port;
        ww_task_init(e, &guests[i].task, 2, send_as_a_guest, &guests[i]);
        ww_wake(e, &guests[i].task, 0);
    }
    assert_false(ww_engine_run(e, WW_NEVER));
    assert_string_equal(trace, "1@0 1 1@1 2 2@2 3 6@3 4 6@4 5 6@5 6 6@6 7 1@7 8 6@8 9 6@9 10 ");
    ww_port_clear(&l.port);
}

/* Notes that it was told of an item, which is its owner here. */
static void note_expected(const void *owner, void *item)
{
    assert_ptr_equal(owner, item);
    snprintf(trace + strlen(trace), 2, "e");
}

static void a_consumer_is_told_of_each_item_when_it_is_sent(void **state)
{
    ww_engine *e = *state;
    actor consumer;
    make(&consumer, e, 'c', 0);
    ww_port port;
    ww_port_init(&port, e, 4, 1);
    ww_port_connect(&port, &consumer.task);
    ww_port_expect(&port, note_expected, &consumer);
    ww_port_send(&port, &consumer, 5);
    assert_string_equal(trace, "e");
    ww_port_send(&port, &consumer, 6); /* not the first */
    assert_string_equal(trace, "ee");
    assert_int_equal(ww_port_next(&port), 5);
    assert_int_equal(port.count, 2);
    ww_port_clear(&port);
}

typedef struct paced {
    ww_engine *engine;
    ww_clock clock;
    ww_task task;
    ww_port port;
    unsigned runs;
} paced;

/* Takes items at edges only. */
static void take_at_edge(void *owner)
{
    paced *p = owner;
    ww_tick now = ww_engine_now(p->engine);
    p->runs++;
    if (ww_clock_next(p->clock, now) != now) {
        ww_wake(p->engine, &p->task, ww_clock_next(p->clock, now));
        return;
    }
    for (; ww_port_peek(&p->port); ww_port_pop(&p->port)) {
        size_t length = strlen(trace);
        snprintf(trace + length, sizeof(trace) - length, "%llu ", (unsigned long long)now);
    }
    if (p->port.count)
        ww_wake(p->engine, &p->task, ww_clock_next(p->clock, ww_port_next(&p->port)));
}

/* Items that arrive at ticks 1, 4, 8 and 9, for a clock with edges at 0, 3, 5, 8, 10. */
static unsigned run_paced(ww_engine *e, bool is_paced, const char *wanted)
{
    paced p = {.engine = e, .clock = ww_clock_make(800, 2000)};
    ww_task_init(e, &p.task, 0, take_at_edge, &p);
    ww_port_init(&p.port, e, 4, 1);
    ww_port_connect(&p.port, &p.task);
    if (is_paced)
        ww_port_pace(&p.port, &p.clock);
    static const ww_tick arrivals[] = {1, 4, 8, 9}, limits[] = {4, 7, 9, WW_NEVER};
    trace[0] = 0;
    for (size_t i = 0; i < 4; i++) {
        ww_port_send(&p.port, &p, arrivals[i]);
        ww_engine_run(e, limits[i]);
    }
    assert_string_equal(trace, wanted);
    ww_sleep(e, &p.task);
    ww_port_clear(&p.port);
    return p.runs;
}

static void a_paced_port_wakes_its_consumer_at_edges(void **state)
{
    assert_int_equal(run_paced(*state, true, "3 5 8 10 "), 4);
}

static void without_a_pace_the_consumer_finds_the_edge(void **state)
{
    assert_int_equal(run_paced(*state, false, "3 5 8 10 "), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(phases_in_order, begin, end),
        cmocka_unit_test_setup_teardown(the_earliest_waking_wins, begin, end),
        cmocka_unit_test_setup_teardown(now_is_this_tick_for_later_phases_only, begin, end),
        cmocka_unit_test_setup_teardown(far_ticks_come_in_order, begin, end),
        cmocka_unit_test_setup_teardown(limits_and_stops_end_a_run, begin, end),
        cmocka_unit_test(clocks_keep_their_rate),
        cmocka_unit_test(clocks_divide_exactly),
        cmocka_unit_test_setup_teardown(a_wide_port_gives_one_item_a_tick, begin, end),
        cmocka_unit_test_setup_teardown(a_short_port_limits_what_is_under_way, begin, end),
        cmocka_unit_test_setup_teardown(a_mark_tells_that_a_port_has_items, begin, end),
        cmocka_unit_test_setup_teardown(a_pointer_over_seats_chooses_who_sends, begin, end),
        cmocka_unit_test_setup_teardown(a_consumer_is_told_of_each_item_when_it_is_sent, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_paced_port_wakes_its_consumer_at_edges, begin, end),
        cmocka_unit_test_setup_teardown(without_a_pace_the_consumer_finds_the_edge, begin, end),
        cmocka_unit_test_setup_teardown(a_slow_consumer_holds_the_producer_back, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
