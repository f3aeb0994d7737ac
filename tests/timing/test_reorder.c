/* A reorder buffer answers in the order of the requests, passes exactly its width in a cycle, and
 * holds exactly its entries. A mock stands for the cache: it answers each request a number of ticks
 * after its arrival, in any order. Cycles are ticks. */
#include "mem/reorder.h"

#include "base/memory.h"
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 8

typedef struct rig {
    ww_engine *engine;
    ww_reorder *buffer;
    ww_port cache, makers[2], *outs[2];
    ww_task mock, sinks[2];
    ww_request requests[MOST];
    ww_tick slow[MOST]; /* ticks that the mock takes */
    ww_tick looked_up[MOST], due[MOST], replied[MOST];
    unsigned replies;
} rig;

static rig r;

static size_t index_of(const ww_request *request)
{
    return (size_t)(request - r.requests);
}

/* Answers what is due, the lowest number first, and takes what has arrived. */
static void answer(void *owner)
{
    ww_tick now = ww_engine_now(r.engine), next = WW_NEVER;
    (void)owner;
    for (ww_request *q; (q = ww_port_peek(&r.cache)) != NULL; ww_port_pop(&r.cache)) {
        r.looked_up[index_of(q)] = now;
        r.due[index_of(q)] = now + r.slow[index_of(q)];
    }
    for (unsigned i = 0; i < MOST; i++) {
        if (r.due[i] == now)
            ww_port_send(ww_reorder_replies(r.buffer), &r.requests[i], now);
        else if (r.due[i] > now && r.due[i] < next)
            next = r.due[i];
    }
    next = ww_port_next(&r.cache) < next ? ww_port_next(&r.cache) : next;
    if (next != WW_NEVER)
        ww_wake(r.engine, &r.mock, next);
}

static void take(void *owner)
{
    ww_port *port = owner;
    for (ww_request *q; (q = ww_port_peek(port)) != NULL; ww_port_pop(port)) {
        r.replied[index_of(q)] = ww_engine_now(r.engine);
        r.replies++;
    }
    if (ww_port_next(port) != WW_NEVER)
        ww_wake(r.engine, &r.sinks[port - r.makers], ww_port_next(port));
}

static uint32_t maker_of(const void *context, const ww_request *request)
{
    (void)context;
    return request->warp;
}

static void rig_create(uint32_t entries, uint32_t width, uint32_t latency)
{
    r = (rig){.engine = ww_engine_create()};
    ww_reorder_config config = {.clock = {1, 1},
                                .entries = entries,
                                .width = width,
                                .latency = latency,
                                .queue = MOST,
                                .producers = 2};
    r.buffer = ww_reorder_create(&config, r.engine);
    ww_task_init(r.engine, &r.mock, WW_PHASE_L1, answer, &r);
    ww_port_init(&r.cache, r.engine, MOST, 1);
    ww_port_connect(&r.cache, &r.mock);
    for (unsigned i = 0; i < 2; i++) {
        ww_task_init(r.engine, &r.sinks[i], WW_PHASE_LOAD_STORE, take, &r.makers[i]);
        ww_port_init(&r.makers[i], r.engine, MOST, 1);
        ww_port_connect(&r.makers[i], &r.sinks[i]);
        r.outs[i] = &r.makers[i];
    }
    ww_reorder_connect(r.buffer, &(ww_reorder_wiring){&r.cache, r.outs, maker_of, NULL});
}

/* All at tick 1; the mock takes so many ticks for each. Odd ones are of the second maker. */
static void rig_run(unsigned count, const ww_tick *slow)
{
    for (unsigned i = 0; i < count; i++) {
        r.slow[i] = slow[i];
        r.requests[i].warp = i & 1;
        ww_port_send(ww_reorder_in(r.buffer), &r.requests[i], 1);
    }
    assert_false(ww_engine_run(r.engine, WW_NEVER));
    assert_int_equal(r.replies, count);
    for (unsigned i = 1; i < count; i++)
        assert_true(r.replied[i] >= r.replied[i - 1]);
}

static void rig_destroy(void)
{
    ww_sleep(r.engine, &r.mock);
    for (unsigned i = 0; i < 2; i++) {
        ww_sleep(r.engine, &r.sinks[i]);
        ww_port_clear(&r.makers[i]);
    }
    ww_port_clear(&r.cache);
    ww_reorder_destroy(r.buffer);
    ww_engine_destroy(r.engine);
}

/* Starts at 1, at the cache at 3, answered at 13, at its maker at 15. */
static void one_request_takes_the_latency_twice(void **state)
{
    (void)state;
    rig_create(4, 4, 2);
    rig_run(1, (ww_tick[]){10});
    assert_int_equal(r.looked_up[0], 3);
    assert_int_equal(r.replied[0], 15);
    assert_int_equal(ww_reorder_count(r.buffer)->held, 0);
    rig_destroy();
}

/* The second and third, of another maker and of the same one, are there at 8 and wait for the
 * first, which is there at 103. */
static void a_hit_waits_for_an_older_miss_of_another_maker(void **state)
{
    (void)state;
    rig_create(4, 4, 2);
    rig_run(3, (ww_tick[]){100, 5, 5});
    assert_int_equal(r.replied[0], 105);
    assert_int_equal(r.replied[1], 105);
    assert_int_equal(r.replied[2], 105);
    assert_int_equal(ww_reorder_count(r.buffer)->held, 2);
    assert_int_equal(ww_reorder_count(r.buffer)->held_ticks, 2 * 95);
    rig_destroy();
}

/* Two a cycle start, and two leave: 1, 1, 2, 2; answered 10 later, each waits for none. */
static void the_width_limits_both_ways(void **state)
{
    (void)state;
    rig_create(8, 2, 1);
    rig_run(4, (ww_tick[]){10, 9, 9, 8});
    assert_int_equal(r.looked_up[1], 2);
    assert_int_equal(r.looked_up[2], 3);
    assert_int_equal(r.replied[0], 13);
    assert_int_equal(r.replied[1], 13);
    assert_int_equal(r.replied[2], 14);
    assert_int_equal(r.replied[3], 14);
    rig_destroy();
}

/* Two entries: the third starts when the first leaves, at 12, and is at the cache at 13. */
static void a_request_waits_for_an_entry(void **state)
{
    (void)state;
    rig_create(2, 4, 1);
    rig_run(3, (ww_tick[]){10, 20, 5});
    assert_int_equal(r.looked_up[1], 2);
    assert_int_equal(r.looked_up[2], 13);
    assert_int_equal(r.replied[1], 23);
    assert_int_equal(r.replied[2], 23);
    assert_int_equal(ww_reorder_count(r.buffer)->full, 1);
    rig_destroy();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_takes_the_latency_twice),
        cmocka_unit_test(a_hit_waits_for_an_older_miss_of_another_maker),
        cmocka_unit_test(the_width_limits_both_ways),
        cmocka_unit_test(a_request_waits_for_an_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
