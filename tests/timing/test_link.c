/* A link takes exactly its configured time, passes exactly its configured bytes in a cycle, and
 * waits for exactly what it must wait for. Packets are at their port at the tick that a test says;
 * a receiver takes none before it opens, then one a tick. */
#include "mem/link.h"

#include "base/memory.h"
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define LATENCY 30
#define MOST 8

typedef struct rig {
    ww_engine *engine;
    ww_link *link;
    ww_port out;
    ww_task sink;
    ww_tick opens;
    ww_request requests[MOST];
    ww_tick arrived[MOST], taken[MOST];
} rig;

static void take(void *owner)
{
    rig *r = owner;
    ww_tick now = ww_engine_now(r->engine);
    ww_request *request = ww_port_peek(&r->out);
    if (request && now >= r->opens) {
        size_t index = (size_t)(request - r->requests);
        r->arrived[index] = request->since;
        r->taken[index] = now;
        ww_request_leave(request, NULL, WW_CAUSE_L2_PORTS, now);
        ww_port_pop(&r->out);
        r->opens = now + 1;
    }
    ww_tick next = ww_port_next(&r->out);
    if (next != WW_NEVER)
        ww_wake(r->engine, &r->sink, next > r->opens ? next : r->opens);
}

static ww_link_config plain(void)
{
    return (ww_link_config){.direction = WW_CROSSBAR_DOWN,
                            .clock = {1, 1},
                            .ports = 1,
                            .queue = MOST,
                            .latency = LATENCY,
                            .bandwidth = 16,
                            .header = 8,
                            .sector_size = 32};
}

static void rig_create(rig *r, const ww_link_config *config, uint32_t entries, ww_tick opens)
{
    *r = (rig){.engine = ww_engine_create(), .opens = opens};
    r->link = ww_link_create(config, r->engine);
    ww_task_init(r->engine, &r->sink, WW_PHASE_L2, take, r);
    ww_port_init(&r->out, r->engine, entries, 1);
    ww_port_connect(&r->out, &r->sink);
    ww_link_connect(r->link, &(ww_port *){&r->out});
}

static void rig_send(rig *r, unsigned index, ww_request_kind kind, ww_tick at)
{
    ww_request *request = &r->requests[index];
    *request = (ww_request){.kind = (uint8_t)kind, .sectors = 1, .blamed = true};
    ww_request_join(request, ww_link_in(r->link, 0)->blame, WW_CAUSE_NONE, 0);
    ww_port_send(ww_link_in(r->link, 0), request, at);
}

static void rig_run(rig *r)
{
    assert_false(ww_engine_run(r->engine, WW_NEVER));
}

static void rig_destroy(rig *r)
{
    ww_link_destroy(r->link);
    ww_port_clear(&r->out);
    ww_engine_destroy(r->engine);
}

/* A read has 8 bytes on its way down: one cycle of 16. */
static void one_packet_takes_the_latency(void **state)
{
    (void)state;
    ww_link_config config = plain();
    rig r;
    rig_create(&r, &config, MOST, 0);
    rig_send(&r, 0, WW_REQUEST_READ, 10);
    rig_run(&r);
    assert_int_equal(r.arrived[0], 10 + LATENCY);
    assert_int_equal(r.taken[0], 10 + LATENCY);
    assert_int_equal(r.requests[0].stages[WW_STAGE_NETWORK_DOWN], 10 + LATENCY);
    rig_destroy(&r);
}

/* A write has 40 bytes: 3 cycles of 16. Its reply has 8. */
static void bytes_take_cycles(void **state)
{
    (void)state;
    static const struct {
        ww_crossbar_direction direction;
        ww_request_kind kind;
        unsigned cycles, bytes;
    } cases[] = {{WW_CROSSBAR_DOWN, WW_REQUEST_READ, 1, 8},
                 {WW_CROSSBAR_DOWN, WW_REQUEST_WRITE, 3, 40},
                 {WW_CROSSBAR_DOWN, WW_REQUEST_ATOMIC, 3, 40},
                 {WW_CROSSBAR_UP, WW_REQUEST_READ, 3, 40},
                 {WW_CROSSBAR_UP, WW_REQUEST_WRITE, 1, 8}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ww_link_config config = plain();
        config.direction = cases[i].direction;
        rig r;
        rig_create(&r, &config, MOST, 0);
        rig_send(&r, 0, cases[i].kind, 10);
        rig_run(&r);
        assert_int_equal(r.arrived[0], 10 + LATENCY + cases[i].cycles - 1);
        assert_int_equal(ww_link_count(r.link)->bytes, cases[i].bytes);
        assert_int_equal(ww_link_count(r.link)->busy_cycles, cases[i].cycles);
        rig_destroy(&r);
    }
}

/* The second of two writes starts when the first has passed: 3 cycles later. What it waits for is
 * the width, then the latency. */
static void two_packets_in_a_row(void **state)
{
    (void)state;
    ww_link_config config = plain();
    rig r;
    rig_create(&r, &config, MOST, 0);
    rig_send(&r, 0, WW_REQUEST_WRITE, 10);
    rig_send(&r, 1, WW_REQUEST_WRITE, 10);
    rig_run(&r);
    assert_int_equal(r.arrived[0], 10 + LATENCY + 2);
    assert_int_equal(r.arrived[1], 13 + LATENCY + 2);
    assert_int_equal(r.requests[1].after_l1.ticks[WW_CAUSE_NETWORK], 3);
    assert_int_equal(ww_link_count(r.link)->packets, 2);
    assert_int_equal(ww_link_count(r.link)->full_cycles, 0);
    rig_destroy(&r);
}

/* A receiver of 2 entries that opens at 100: two reads start at 10 and 11 and arrive LATENCY later.
 * The third starts in the tick in which the first is taken, since the receiver is before the link
 * in a tick; the fourth one tick later. */
static void a_full_queue_holds_packets_back(void **state)
{
    (void)state;
    ww_link_config config = plain();
    rig r;
    rig_create(&r, &config, 2, 100);
    for (unsigned i = 0; i < 4; i++)
        rig_send(&r, i, WW_REQUEST_READ, 10);
    rig_run(&r);
    assert_int_equal(r.arrived[0], 10 + LATENCY);
    assert_int_equal(r.arrived[1], 11 + LATENCY);
    assert_int_equal(r.taken[0], 100);
    assert_int_equal(r.taken[1], 101);
    assert_int_equal(r.arrived[2], 100 + LATENCY);
    assert_int_equal(r.arrived[3], 101 + LATENCY);
    assert_int_equal(ww_link_count(r.link)->full_cycles, 88); /* from 12 to 100 */
    assert_int_equal(ww_link_count(r.link)->busy_cycles, 4);
    rig_destroy(&r);
}

/* With ww_link_flight entries a packet starts every cycle. */
static void a_receiver_with_the_flight_does_not_limit_the_rate(void **state)
{
    (void)state;
    ww_link_config config = plain();
    config.latency = 3;
    rig r;
    rig_create(&r, &config, ww_link_flight(&config), 0);
    for (unsigned i = 0; i < MOST; i++)
        rig_send(&r, i, WW_REQUEST_READ, 10);
    rig_run(&r);
    for (unsigned i = 0; i < MOST; i++)
        assert_int_equal(r.taken[i], 13 + i);
    assert_int_equal(ww_link_count(r.link)->full_cycles, 0);
    rig_destroy(&r);
}

/* A clock with an edge every third tick: a packet that is there at tick 10 starts at 12, cycle 4,
 * and arrives at the edge of cycle 4 + LATENCY. */
static void packets_start_at_edges(void **state)
{
    (void)state;
    ww_link_config config = plain();
    config.clock = ww_clock_make(1, 3);
    rig r;
    rig_create(&r, &config, MOST, 0);
    rig_send(&r, 0, WW_REQUEST_READ, 10);
    rig_run(&r);
    assert_int_equal(r.arrived[0], 3 * (4 + LATENCY));
    rig_destroy(&r);
}

static void a_stuck_link_explains_itself(void **state)
{
    (void)state;
    ww_link_config config = plain();
    config.from = 2;
    config.to = 1;
    rig r;
    rig_create(&r, &config, 1, WW_NEVER);
    rig_send(&r, 0, WW_REQUEST_READ, 10);
    rig_send(&r, 1, WW_REQUEST_READ, 10);
    ww_engine_run(r.engine, 1000);
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    ww_engine_explain(r.engine, out);
    fclose(out);
    assert_string_equal(text,
                        "link of requests from cluster 2 to 1: 1 packets wait; 1 of its ports "
                        "find no room behind them\n");
    rig_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_packet_takes_the_latency),
        cmocka_unit_test(bytes_take_cycles),
        cmocka_unit_test(two_packets_in_a_row),
        cmocka_unit_test(a_full_queue_holds_packets_back),
        cmocka_unit_test(a_receiver_with_the_flight_does_not_limit_the_rate),
        cmocka_unit_test(packets_start_at_edges),
        cmocka_unit_test(a_stuck_link_explains_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
