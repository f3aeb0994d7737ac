#include "support/cache_bench.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const ww_replace *cache_bench_policy(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_replace_l1d_family, name);
    assert_non_null(policy);
    return (const ww_replace *)(const void *)policy;
}

ww_cache_config cache_bench_config(void)
{
    return (ww_cache_config){
        .name = "cache",
        .level = WW_LEVEL_L1,
        .size = 512,
        .line = 64,
        .sector = 64,
        .ways = 2,
        .slices = 1,
        .slice_lines = 1,
        .replace = cache_bench_policy("lru"),
        .clock = {1, 1},
        .latency = 4,
        .ports = 1,
        .mshrs = 4,
        .merges = 2,
        .in_queue = 64,
        .fill_queue = 64,
        .producers = 1,
        .suppliers = 1,
    };
}

static void note(cache_bench *bench, const char *format, ...)
{
    if (bench->silent)
        return;
    va_list args;
    va_start(args, format);
    int length =
        vsnprintf(bench->log + bench->used, sizeof(bench->log) - bench->used, format, args);
    va_end(args);
    bench->used += (size_t)length;
    assert_true(bench->used < sizeof(bench->log));
}

/* A request's blame starts with its arrival in the queue, which may be to come. */
static void begin_blame(cache_bench *bench, ww_request *request)
{
    const ww_blame_clock *clock = ww_cache_in(bench->cache)->blame;
    ww_tick now = ww_engine_now(bench->engine);
    bool l1 = bench->config.level == WW_LEVEL_L1;
    ww_blame *blame = l1 ? &request->before_l1 : &request->after_l1;
    request->blamed = true;
    request->before_l1 = request->after_l1 = (ww_blame){.ticks = {0}};
    ww_blame_subtract(blame, clock, now);
    blame->ticks[l1 ? WW_CAUSE_L1_LATENCY : WW_CAUSE_NETWORK_LATENCY] -=
        (uint32_t)(request->made - now);
}

/* What was noted of a request's stages adds up to its time, and so does its blame. */
static void check_stages(const cache_bench *bench, ww_request *request, ww_tick now)
{
    uint64_t sum = 0;
    uint32_t blame = 0;
    bool l1 = bench->config.level == WW_LEVEL_L1;
    for (int i = 0; i < WW_STAGE_COUNT; i++)
        sum += request->stages[i];
    assert_int_equal(sum, now - request->made);
    ww_request_leave(request, NULL, l1 ? WW_CAUSE_L1_LATENCY : WW_CAUSE_L2_LATENCY, now);
    for (int i = 0; i < WW_CAUSE_ALL; i++)
        blame += request->before_l1.ticks[i] + request->after_l1.ticks[i];
    assert_int_equal(blame, now - request->made);
}

static void take_above(cache_bench *bench, ww_port *port, ww_task *task, char sign)
{
    ww_tick now = ww_engine_now(bench->engine);
    if (now < bench->above_hold) {
        ww_wake(bench->engine, task, bench->above_hold);
        return;
    }
    ww_request *request;
    for (uint32_t n = 0; n < bench->above_rate && (request = ww_port_peek(port)) != NULL; n++) {
        ww_port_pop(port);
        ww_request_stage(request, WW_STAGE_REPLY, now);
        check_stages(bench, request, now);
        note(bench, "%llu%c%c ", (unsigned long long)now, sign, (char)(uintptr_t)request->owner);
        bench->replies++;
        if (bench->on_reply)
            bench->on_reply(bench, request);
        ww_request_free(bench->pool, request);
    }
    if (ww_port_next(port) != WW_NEVER)
        ww_wake(bench->engine, task, ww_port_next(port));
}

static void run_above(void *owner)
{
    cache_bench *bench = owner;
    take_above(bench, &bench->out, &bench->above, '^');
}

static void run_other_above(void *owner)
{
    cache_bench *bench = owner;
    take_above(bench, &bench->other_out, &bench->other_above, '/');
}

static void note_below(cache_bench *bench, const ww_request *request)
{
    bool is_write_back = request->class == WW_CLASS_WRITE_BACK;
    char sectors[16] = "";
    if (request->sectors != bench->all_sectors)
        snprintf(sectors, sizeof(sectors), ":%x", request->sectors);
    note(bench, "%llu%s%c%llu%s%s ", (unsigned long long)ww_engine_now(bench->engine), "v",
         is_write_back ? 'B' : "RWA"[request->kind],
         (unsigned long long)(request->address / bench->config.line), sectors,
         request -> kind == WW_REQUEST_WRITE && !request -> full ? "p" : "");
}

/* What the cache charges to a port below that has no clock. */
static ww_cause missing(const cache_bench *bench)
{
    return bench->config.level == WW_LEVEL_L1 ? WW_CAUSE_L1_MISS : WW_CAUSE_DRAM_LATENCY;
}

static void run_below(void *owner)
{
    cache_bench *bench = owner;
    ww_tick now = ww_engine_now(bench->engine);
    if (now < bench->below_hold) {
        ww_wake(bench->engine, &bench->below, bench->below_hold);
        return;
    }
    ww_request *request;
    for (uint32_t n = 0; n < bench->below_rate && (request = ww_port_peek(&bench->down)); n++) {
        ww_port_pop(&bench->down);
        note_below(bench, request);
        if (bench->on_below)
            bench->on_below(bench, request);
        if (request->class == WW_CLASS_WRITE_BACK) {
            ww_request_free(bench->pool, request);
            continue;
        }
        ww_request_stage(request, WW_STAGE_DRAM, now + bench->below_latency);
        ww_request_leave(request, bench->down.blame, missing(bench), now);
        ww_request_join(request, ww_cache_fill(bench->cache)->blame, WW_CAUSE_NONE, now);
        ww_port_send(ww_cache_fill(bench->cache), request, now + bench->below_latency);
    }
    if (ww_port_next(&bench->down) != WW_NEVER)
        ww_wake(bench->engine, &bench->below, ww_port_next(&bench->down));
}

static uint32_t by_warp(const void *context, const ww_request *request)
{
    (void)context;
    return request->warp % 2;
}

void cache_bench_connect(cache_bench *bench, bool two_outs)
{
    ww_cache_connect(bench->cache, &(ww_cache_wiring){.down = &bench->down,
                                                      .outs = bench->outs,
                                                      .route = two_outs ? by_warp : NULL});
}

void cache_bench_begin(cache_bench *bench, const ww_cache_config *config, uint32_t out_room,
                       uint32_t down_room)
{
    memset(bench, 0, sizeof(*bench));
    bench->config = *config;
    bench->engine = ww_engine_create();
    bench->pool = ww_request_pool_create();
    bench->below_latency = 20;
    bench->above_rate = bench->below_rate = UINT32_MAX;
    bench->all_sectors = (uint32_t)(~0ull >> (64 - config->line / config->sector));
    bench->cache = ww_cache_create(config, bench->engine, bench->pool);
    ww_task_init(bench->engine, &bench->above, WW_PHASE_LOAD_STORE, run_above, bench);
    ww_task_init(bench->engine, &bench->other_above, WW_PHASE_LOAD_STORE, run_other_above, bench);
    ww_task_init(bench->engine, &bench->below, WW_PHASE_DRAM, run_below, bench);
    ww_port_init(&bench->out, bench->engine, out_room, 1);
    ww_port_init(&bench->other_out, bench->engine, out_room, 1);
    ww_port_init(&bench->down, bench->engine, down_room, 1);
    ww_port_connect(&bench->out, &bench->above);
    ww_port_connect(&bench->other_out, &bench->other_above);
    ww_port_connect(&bench->down, &bench->below);
    bench->outs[0] = &bench->out;
    bench->outs[1] = &bench->other_out;
    cache_bench_connect(bench, false);
}

static void check_laws(cache_bench *bench)
{
    ww_errors *errors = ww_errors_create();
    ww_stats *stats = ww_stats_create(NULL);
    ww_stats_add(stats, &ww_l1d_stats, ww_cache_counters_of(bench->cache));
    ww_stats_read(stats);
    ww_stats_check(stats, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_stats_destroy(stats);
    ww_errors_destroy(errors);
}

void cache_bench_end(cache_bench *bench)
{
    assert_true(ww_cache_is_idle(bench->cache));
    assert_int_equal(ww_cache_stall_reason(bench->cache), WW_CACHE_FLOWS);
    assert_int_equal(ww_request_pool_in_use(bench->pool), 0);
    check_laws(bench);
    ww_cache_destroy(bench->cache);
    ww_port_clear(&bench->out);
    ww_port_clear(&bench->other_out);
    ww_port_clear(&bench->down);
    ww_request_pool_destroy(bench->pool);
    ww_engine_destroy(bench->engine);
}

ww_request *cache_bench_send(cache_bench *bench, ww_tick tick, char letter, ww_request_kind kind,
                             uint64_t line)
{
    ww_request *request = ww_request_allocate(bench->pool, tick);
    request->kind = (uint8_t)kind;
    request->address = line * bench->config.line;
    request->sectors = bench->all_sectors;
    request->full = true;
    request->lanes = 1;
    request->owner = (void *)(uintptr_t)letter;
    begin_blame(bench, request);
    ww_port_send(ww_cache_in(bench->cache), request, tick);
    return request;
}

void cache_bench_expect(cache_bench *bench, const char *log)
{
    assert_false(ww_engine_run(bench->engine, WW_NEVER));
    if (bench->used && bench->log[bench->used - 1] == ' ')
        bench->log[--bench->used] = '\0';
    assert_string_equal(bench->log, log);
    bench->used = 0;
    bench->log[0] = '\0';
}
