/* Accesses to pages on the host, by hand: 1 byte a tick, a latency of 100 ticks, memory of 10. */
#include "base/memory.h"
#include "paging/remote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct rig {
    ww_engine *engine;
    ww_timers *timers;
    ww_pcie *pcie;
    ww_remote *remote;
    ww_request_pool *pool;
    ww_task task;
    ww_port out;
    ww_tick answered[8];
    unsigned count;
} rig;

static void receive(void *owner)
{
    rig *r = owner;
    for (ww_request *request; (request = ww_port_peek(&r->out)) != NULL;) {
        ww_port_pop(&r->out);
        r->answered[r->count++] = ww_engine_now(r->engine);
        ww_request_free(r->pool, request);
    }
    if (r->out.count)
        ww_wake(r->engine, &r->task, ww_port_next(&r->out));
}

static void make(rig *r, uint32_t outstanding)
{
    *r = (rig){.engine = ww_engine_create()};
    r->timers = ww_timers_create(r->engine);
    r->pool = ww_request_pool_create();
    r->pcie = ww_pcie_create(&(ww_pcie_config){.base_hertz = 1000,
                                               .bandwidth = 1000,
                                               .latency = 100,
                                               .payload = 256,
                                               .header = 4,
                                               .duplex = true},
                             r->engine, r->timers);
    r->remote = ww_remote_create(
        &(ww_remote_config){
            .sector = 32, .outstanding = outstanding, .producers = 1, .memory_ticks = 10},
        r->engine, r->timers, r->pcie);
    ww_task_init(r->engine, &r->task, WW_PHASE_NETWORK, receive, r);
    ww_port_init(&r->out, r->engine, 1, 1);
    ww_port_connect(&r->out, &r->task);
    ww_port *outs[] = {&r->out};
    ww_remote_connect(r->remote, outs, 64);
    ww_timers_resume(r->timers, 0);
}

static void clear(rig *r)
{
    ww_port_clear(&r->out);
    ww_remote_destroy(r->remote);
    ww_pcie_destroy(r->pcie);
    ww_timers_destroy(r->timers);
    ww_request_pool_destroy(r->pool);
    ww_engine_destroy(r->engine);
}

static void ask(rig *r, ww_request_kind kind, uint32_t sectors)
{
    ww_request *request = ww_request_allocate(r->pool, 0);
    request->address = WW_HOST_MEMORY | 4096;
    request->kind = (uint8_t)kind;
    request->sectors = sectors;
    ww_port_send(ww_remote_in(r->remote), request, 0);
}

/* Accepted in tick 0. A header of 4 to the host, 104; memory, 114; 4 + 64 back, 182, 282; the
 * reply leaves in tick 283 and arrives in 284. */
static void a_read_goes_there_and_back(void **state)
{
    rig r;
    (void)state;
    make(&r, 8);
    ask(&r, WW_REQUEST_READ, 3);
    ww_engine_run(r.engine, 10000);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.answered[0], 284);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_GPU)->bytes, 64);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_HOST)->bytes, 0);
    clear(&r);
}

/* 4 + 32 to the host, 36, 136; memory, 146. */
static void a_write_takes_effect_at_the_host(void **state)
{
    rig r;
    (void)state;
    make(&r, 8);
    ask(&r, WW_REQUEST_WRITE, 1);
    ww_engine_run(r.engine, 10000);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.answered[0], 148);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_HOST)->bytes, 32);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_GPU)->transfers, 0);
    clear(&r);
}

/* Both ways: 36, 136; 146; 182, 282. */
static void an_atomic_has_data_both_ways(void **state)
{
    rig r;
    (void)state;
    make(&r, 8);
    ask(&r, WW_REQUEST_ATOMIC, 1);
    ww_engine_run(r.engine, 10000);
    assert_int_equal(r.answered[0], 284);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_HOST)->bytes, 32);
    assert_int_equal(ww_pcie_count(r.pcie, WW_PCIE_TO_GPU)->bytes, 32);
    clear(&r);
}

/* The second header follows the first: its data comes 4 ticks later, and waits for the first's. */
static void packets_pass_one_after_the_other(void **state)
{
    rig r;
    (void)state;
    make(&r, 8);
    ask(&r, WW_REQUEST_READ, 1);
    ask(&r, WW_REQUEST_READ, 1);
    ww_engine_run(r.engine, 10000);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.answered[0], 252);
    assert_int_equal(r.answered[1], 252 + 36);
    clear(&r);
}

static void one_at_a_time(void **state)
{
    rig r;
    (void)state;
    make(&r, 1);
    ask(&r, WW_REQUEST_READ, 1);
    ww_engine_run(r.engine, 1);
    ask(&r, WW_REQUEST_READ, 1);
    ww_engine_run(r.engine, 10000);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.answered[0], 252);
    assert_true(r.answered[1] > 252 + 250);
    assert_int_equal(ww_remote_count(r.remote), 2);
    clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_goes_there_and_back),
        cmocka_unit_test(a_write_takes_effect_at_the_host),
        cmocka_unit_test(an_atomic_has_data_both_ways),
        cmocka_unit_test(packets_pass_one_after_the_other),
        cmocka_unit_test(one_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
