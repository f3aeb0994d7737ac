/* Copies between the link and the GPU's memory, with times counted by hand. The memory is a mock
 * that takes what comes into its port and answers each request some ticks later. Lines have 128
 * bytes and 4 sectors. */
#include "paging/dma.h"

#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE = 128, LATENCY = 100, MOST = 1024, SOURCE = 7 };

typedef struct owner {
    ww_tick done;  /* 0: not yet */
    uint64_t then; /* the address of a line that it writes when it is done; 0: none */
} owner;

typedef struct arrival {
    ww_tick at;
    ww_request request; /* as it came */
} arrival;

static ww_engine *engine;
static ww_request_pool *pool;
static ww_dma *dma;
static ww_port network;
static ww_task memory;
static ww_tick opens; /* the memory takes nothing before; then one request a tick */
static ww_tick latency_of_odd_lines;
static arrival arrivals[MOST];
static unsigned arrived;
static owner owners[8];

/* The reply of an odd line may take longer: it is sent by a task of its own. */
static ww_task late;
static ww_request *late_reply;

static void send_late(void *unused)
{
    (void)unused;
    ww_port_send(ww_dma_replies(dma), late_reply, ww_engine_now(engine));
}

static void answer(ww_request *r, ww_tick now)
{
    if (latency_of_odd_lines && r->address / LINE % 2) {
        late_reply = r;
        ww_wake(engine, &late, now + latency_of_odd_lines);
        return;
    }
    ww_port_send(ww_dma_replies(dma), r, now + LATENCY);
}

static void take(void *unused)
{
    (void)unused;
    ww_tick now = ww_engine_now(engine);
    ww_request *r = ww_port_peek(&network);
    if (r && now >= opens) {
        ww_port_pop(&network);
        arrivals[arrived++] = (arrival){now, *r};
        answer(r, now);
        opens = now + 1;
    }
    ww_tick next = ww_port_next(&network);
    if (next != WW_NEVER)
        ww_wake(engine, &memory, next > opens ? next : opens);
}

static ww_dma_config plain(void)
{
    return (ww_dma_config){
        .clock = {1, 1}, .line = LINE, .sector = 32, .outstanding = 256, .lines_per_cycle = 1};
}

static void begin(const ww_dma_config *config, uint32_t entries)
{
    engine = ww_engine_create();
    pool = ww_request_pool_create();
    dma = ww_dma_create(config, engine, pool);
    ww_task_init(engine, &memory, WW_PHASE_L2, take, NULL);
    ww_task_init(engine, &late, WW_PHASE_NETWORK, send_late, NULL);
    ww_port_init(&network, engine, entries, 1);
    ww_port_connect(&network, &memory);
    ww_dma_connect(dma, &network, SOURCE);
    ww_dma_resume(dma, 0);
    opens = latency_of_odd_lines = 0;
    arrived = 0;
    memset(owners, 0, sizeof(owners));
}

static void end(void)
{
    assert_int_equal(ww_request_pool_in_use(pool), 0);
    ww_dma_destroy(dma);
    ww_port_clear(&network);
    ww_request_pool_destroy(pool);
    ww_engine_destroy(engine);
}

static void note_done(void *context)
{
    owner *o = context;
    assert_int_equal(o->done, 0);
    o->done = ww_engine_now(engine);
    if (o->then)
        ww_dma_write(dma, o->then, LINE, note_done, o + 1);
}

static void write_lines(uint64_t line, uint64_t count, unsigned index)
{
    ww_dma_write(dma, line * LINE, count * LINE, note_done, &owners[index]);
}

static void run(void)
{
    assert_false(ww_engine_run(engine, WW_NEVER));
}

/* ---- one copy ---- */

/* The first line is sent in tick 0, arrives in tick 1 and is answered in tick 101; 31 others follow
 * in one tick each. */
static void one_page(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    write_lines(1000, 32, 0);
    run();
    assert_int_equal(arrived, 32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(arrivals[i].at, 1 + i);
        assert_int_equal(arrivals[i].request.address, (1000 + i) * LINE);
    }
    assert_int_equal(owners[0].done, 1 + 31 + LATENCY);
    const ww_dma_counters *c = ww_dma_count(dma);
    assert_int_equal(c->copies, 1);
    assert_int_equal(c->writes, 32);
    assert_int_equal(c->reads, 0);
    assert_int_equal(c->latency_ticks, 32 * (1 + LATENCY));
    end();
}

static void requests_are_as_they_should(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    write_lines(3, 1, 0);
    ww_dma_read(dma, 4 * LINE, LINE, note_done, &owners[1]);
    run();
    for (unsigned i = 0; i < 2; i++) {
        const ww_request *r = &arrivals[i].request;
        assert_int_equal(r->address, (3 + i) * LINE);
        assert_int_equal(r->sectors, 0xf);
        assert_int_equal(r->class, WW_CLASS_DMA);
        assert_int_equal(r->source, SOURCE);
        assert_int_equal(r->ticket, 0);
    }
    assert_int_equal(arrivals[0].request.kind, WW_REQUEST_WRITE);
    assert_true(arrivals[0].request.full);
    assert_int_equal(arrivals[1].request.kind, WW_REQUEST_READ);
    assert_int_equal(ww_dma_count(dma)->reads, 1);
    assert_int_equal(ww_dma_count(dma)->writes, 1);
    end();
}

static void a_line_of_32_sectors(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    config.sector = 4;
    begin(&config, 8);
    write_lines(3, 1, 0);
    run();
    assert_int_equal(arrivals[0].request.sectors, UINT32_MAX);
    end();
}

/* ---- several ---- */

/* The lines of the second follow those of the first. */
static void copies_in_a_row(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    write_lines(10, 3, 0);
    ww_dma_read(dma, 50 * LINE, 2 * LINE, note_done, &owners[1]);
    write_lines(20, 1, 2);
    run();
    static const uint64_t lines[] = {10, 11, 12, 50, 51, 20};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(arrivals[i].at, 1 + i);
        assert_int_equal(arrivals[i].request.address, lines[i] * LINE);
    }
    assert_int_equal(owners[0].done, 3 + LATENCY);
    assert_int_equal(owners[1].done, 5 + LATENCY);
    assert_int_equal(owners[2].done, 6 + LATENCY);
    end();
}

/* Line 11 is answered in tick 2 + 500, after the second copy. */
static void a_copy_is_done_with_its_last_reply(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    latency_of_odd_lines = 500;
    write_lines(10, 2, 0);
    write_lines(20, 1, 1);
    run();
    assert_int_equal(owners[0].done, 502);
    assert_int_equal(owners[1].done, 3 + LATENCY);
    end();
}

/* The first is done in tick 101, and sends the next in the same tick. */
static void done_starts_another(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    owners[0].then = 20 * LINE;
    write_lines(10, 1, 0);
    run();
    assert_int_equal(owners[0].done, 101);
    assert_int_equal(arrivals[1].at, 102);
    assert_int_equal(owners[1].done, 202);
    end();
}

/* ---- limits ---- */

/* 4 lines are sent in ticks 0 to 3 and answered in ticks 101 to 104: then the next 4 are. */
static void lines_outstanding(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    config.outstanding = 4;
    begin(&config, 8);
    write_lines(0, 10, 0);
    run();
    static const ww_tick times[] = {1, 2, 3, 4, 102, 103, 104, 105, 203, 204};
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(arrivals[i].at, times[i]);
    assert_int_equal(owners[0].done, 304);
    end();
}

/* The memory takes one line a tick: 3 a tick fill the 6 entries, then each taken line makes way for
 * one. Lines 0 to 2 are sent in tick 0, 3 to 5 in tick 1. */
static void lines_a_cycle(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    config.lines_per_cycle = 3;
    begin(&config, 6);
    opens = 10;
    write_lines(0, 7, 0);
    assert_true(ww_engine_run(engine, 1));
    assert_int_equal(network.count, 3);
    assert_true(ww_engine_run(engine, 2));
    assert_int_equal(network.count, 6);
    run();
    assert_int_equal(owners[0].done, 10 + 6 + LATENCY);
    end();
}

/* At half the base clock: a line every other tick. */
static void a_slower_clock(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    config.clock = ww_clock_make(1, 2);
    begin(&config, 8);
    write_lines(0, 3, 0);
    run();
    assert_int_equal(arrivals[0].at, 1);
    assert_int_equal(arrivals[1].at, 3);
    assert_int_equal(arrivals[2].at, 5);
    assert_int_equal(owners[0].done, 106); /* the first edge after tick 105 */
    end();
}

/* Nothing is taken before tick 50: 2 entries are full. A line that is taken in tick t makes way for
 * one that is sent in tick t and taken in t + 1, behind the other. */
static void a_full_port(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 2);
    opens = 50;
    write_lines(0, 5, 0);
    assert_true(ww_engine_run(engine, 10));
    assert_int_equal(ww_dma_count(dma)->writes, 2);
    run();
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(arrivals[i].at, 50 + i);
    assert_int_equal(owners[0].done, 54 + LATENCY);
    end();
}

/* ---- pauses ---- */

/* Lines 0 to 4 are sent in ticks 0 to 4 and are answered in the pause; the others when it ends. */
static void a_pause_in_the_middle(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    write_lines(0, 8, 0);
    assert_true(ww_engine_run(engine, 5));
    ww_dma_pause(dma);
    write_lines(100, 1, 1);
    run();
    assert_int_equal(arrived, 5);
    assert_int_equal(ww_request_pool_in_use(pool), 0);
    assert_int_equal(owners[0].done, 0);
    ww_tick now = ww_engine_now(engine);
    assert_int_equal(now, 5 + LATENCY + 1);
    ww_dma_resume(dma, ww_engine_now(engine));
    run();
    assert_int_equal(arrivals[5].at, now + 1);
    assert_int_equal(owners[0].done, now + 3 + LATENCY);
    assert_int_equal(owners[1].done, now + 4 + LATENCY);
    end();
}

/* A copy whose lines are all sent is done in the pause. The port that was full does not make it
 * send. */
static void a_pause_with_a_full_port(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 2);
    opens = 50;
    write_lines(0, 2, 0);
    write_lines(10, 2, 1);
    assert_true(ww_engine_run(engine, 10));
    ww_dma_pause(dma);
    run();
    assert_int_equal(arrived, 2);
    assert_int_equal(owners[0].done, 51 + LATENCY);
    ww_dma_resume(dma, ww_engine_now(engine));
    run();
    assert_int_equal(owners[1].done, 51 + LATENCY + 1 + 2 + LATENCY);
    end();
}

/* Lines 0 and 1 are answered in ticks 101 and 102, before it may send. */
static void it_resumes_at_a_tick(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 8);
    write_lines(0, 4, 0);
    assert_true(ww_engine_run(engine, 2));
    ww_dma_pause(dma);
    assert_true(ww_engine_run(engine, 50));
    ww_dma_resume(dma, 300);
    write_lines(10, 1, 1);
    run();
    assert_int_equal(arrivals[2].at, 301);
    assert_int_equal(owners[0].done, 302 + LATENCY);
    assert_int_equal(owners[1].done, 303 + LATENCY);
    end();
}

static void it_starts_paused(void **state)
{
    (void)state;
    ww_dma_config config = plain();
    begin(&config, 2);
    ww_dma *other = ww_dma_create(&config, engine, pool);
    ww_dma_connect(other, &network, SOURCE);
    ww_dma_write(other, 0, LINE, note_done, &owners[0]);
    run();
    assert_int_equal(arrived, 0);
    ww_dma_destroy(other);
    end();
}

/* ---- messages ---- */

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
    ww_dma_config config = plain();
    begin(&config, 2);
    expect_explanation("");
    opens = 50;
    write_lines(0, 4, 0);
    write_lines(10, 3, 1);
    assert_true(ww_engine_run(engine, 10));
    expect_explanation("DMA: 5 lines to send, 2 outstanding; the network's queue is full\n");
    ww_dma_pause(dma);
    run();
    expect_explanation("DMA: 5 lines to send (paused), 0 outstanding\n");
    end();
}

/* ---- statistics ---- */

/* A cache counts a miss and a hit of DMA as such, not as the program's data; cache_bench_end checks
 * the laws. */
static void caches_count_dma_by_itself(void **state)
{
    (void)state;
    cache_bench bench;
    ww_cache_config cache = cache_bench_config();
    cache_bench_begin(&bench, &cache, 8, 8);
    cache_bench_send(&bench, 0, 'a', WW_REQUEST_READ, 1)->class = WW_CLASS_DMA;
    cache_bench_send(&bench, 500, 'b', WW_REQUEST_READ, 1)->class = WW_CLASS_DMA;
    bench.silent = true;
    cache_bench_expect(&bench, "");
    const ww_cache_counters *c = ww_cache_counters_of(bench.cache);
    assert_int_equal(c->class_accesses[WW_CLASS_DMA], 2);
    assert_int_equal(c->class_hits[WW_CLASS_DMA], 1);
    assert_int_equal(c->class_accesses[WW_CLASS_DATA], 0);
    cache_bench_end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_page),
        cmocka_unit_test(requests_are_as_they_should),
        cmocka_unit_test(a_line_of_32_sectors),
        cmocka_unit_test(copies_in_a_row),
        cmocka_unit_test(a_copy_is_done_with_its_last_reply),
        cmocka_unit_test(done_starts_another),
        cmocka_unit_test(lines_outstanding),
        cmocka_unit_test(lines_a_cycle),
        cmocka_unit_test(a_slower_clock),
        cmocka_unit_test(a_full_port),
        cmocka_unit_test(a_pause_in_the_middle),
        cmocka_unit_test(a_pause_with_a_full_port),
        cmocka_unit_test(it_resumes_at_a_tick),
        cmocka_unit_test(it_starts_paused),
        cmocka_unit_test(says_what_it_waits_for),
        cmocka_unit_test(caches_count_dma_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
