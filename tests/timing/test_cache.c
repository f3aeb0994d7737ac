/* A cache between mocks: the tick of every request below and of every reply above. What goes down
 * at tick t is below at t + 1, is answered 20 ticks later, and the reply is above 4 ticks after
 * that. */
#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define R WW_REQUEST_READ
#define W WW_REQUEST_WRITE
#define A WW_REQUEST_ATOMIC

static cache_bench b;

static void begin(const ww_cache_config *config)
{
    cache_bench_begin(&b, config, 64, 64);
}

static ww_request *send(ww_tick tick, char letter, ww_request_kind kind, uint64_t line)
{
    return cache_bench_send(&b, tick, letter, kind, line);
}

static void send_part(ww_tick tick, char letter, ww_request_kind kind, uint64_t line,
                      uint32_t sectors, bool full)
{
    ww_request *request = send(tick, letter, kind, line);
    request->sectors = sectors;
    request->full = full;
}

static const ww_cache_counters *counters(void)
{
    return ww_cache_counters_of(b.cache);
}

static void a_miss_then_a_hit(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', R, 3);
    send(50, 'b', R, 3);
    cache_bench_expect(&b, "11vR3 35^a 54^b");
    assert_int_equal(counters()->hits, 1);
    assert_int_equal(counters()->misses, 1);
    cache_bench_end(&b);
}

/* Stores and atomics of critical warps find their line, too, and are not counted. */
static void critical_loads_are_counted_apart(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.atomics_here = true;
    begin(&config);
    send(10, 'a', R, 3)->critical = true;
    send(50, 'b', R, 3)->critical = true;
    send(60, 'c', R, 3);
    send(70, 'd', W, 3)->critical = true;
    send(80, 'e', A, 3)->critical = true;
    send(90, 'f', W, 4)->critical = true;
    ww_engine_run(b.engine, 200);
    assert_int_equal(counters()->accesses, 6);
    assert_int_equal(counters()->hits, 4);
    assert_int_equal(counters()->critical_accesses, 2);
    assert_int_equal(counters()->critical_hits, 1);
    cache_bench_end(&b);
}

static void hits_flow_at_the_rate_of_the_ports(void **state)
{
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        ww_cache_config config = cache_bench_config();
        config.ports = ports;
        begin(&config);
        send(10, 'a', R, 0);
        send(10, 'b', R, 1);
        cache_bench_expect(&b, ports == 1 ? "11vR0 12vR1 35^a 36^b" : "11vR0 11vR1 35^a 35^b");
        for (char c = 'a'; c < 'f'; c++)
            send(100, c, R, (uint64_t)(c % 2));
        cache_bench_expect(&b, ports == 1 ? "104^a 105^b 106^c 107^d 108^e"
                                          : "104^a 104^b 105^c 105^d 106^e");
        cache_bench_end(&b);
    }
}

static void a_slow_clock_has_its_own_edges(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.clock = ww_clock_make(800, 2000); /* edges at 0 3 5 8 10 13 ... */
    begin(&config);
    send(11, 'a', R, 0);
    cache_bench_expect(&b,
                       "14vR0 45^a"); /* looked up at 13, filled at 35, four cycles from there */
    for (char c = 'a'; c < 'e'; c++)
        send(100, c, R, 0);
    cache_bench_expect(&b, "110^a 113^b 115^c 118^d");
    cache_bench_end(&b);
}

static void misses_of_a_line_merge(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.merges = 3;
    begin(&config);
    send(10, 'a', R, 3);
    send(11, 'b', R, 3);
    send(12, 'c', R, 3);
    cache_bench_expect(&b, "11vR3 35^a 36^b 37^c");
    assert_int_equal(counters()->merged, 2);
    assert_int_equal(counters()->fills, 1);
    cache_bench_end(&b);
}

static uint32_t seen[128][WW_STAGE_COUNT];

static void record_stages(cache_bench *bench, ww_request *request)
{
    (void)bench;
    memcpy(seen[(uintptr_t)request->owner], request->stages, sizeof(request->stages));
}

static void stages_say_where_time_went(void **state)
{
    (void)state;
    for (int level = 0; level < 2; level++) {
        ww_cache_config config = cache_bench_config();
        config.level = level ? WW_LEVEL_L2 : WW_LEVEL_L1;
        ww_stage stall = level ? WW_STAGE_L2_STALL : WW_STAGE_L1_STALL;
        ww_stage lookup = level ? WW_STAGE_L2 : WW_STAGE_L1;
        ww_stage merged = level ? WW_STAGE_L2_MERGED : WW_STAGE_L1_MERGED;
        begin(&config);
        b.on_reply = record_stages;
        send(10, 'a', R, 3);
        send(10, 'b', R, 3);
        cache_bench_expect(&b, "11vR3 35^a 36^b");
        assert_int_equal(seen['a'][stall], 0);
        assert_int_equal(seen['a'][WW_STAGE_DRAM], 21);
        assert_int_equal(seen['a'][lookup], 4);
        assert_int_equal(seen['a'][merged], 0);
        assert_int_equal(seen['b'][stall], 1);
        assert_int_equal(seen['b'][merged], 20);
        assert_int_equal(seen['b'][lookup], 5); /* one of them behind the reply of a */
        cache_bench_end(&b);
    }
}

/* The head of the queue waits, and nothing behind it passes: c would hit. */
static void miss_registers_run_out(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.mshrs = 1;
    begin(&config);
    send(10, 'x', R, 0);
    cache_bench_expect(&b, "11vR0 35^x");
    send(100, 'a', R, 1);
    send(101, 'b', R, 2);
    send(102, 'c', R, 0);
    ww_engine_run(b.engine, 110);
    assert_int_equal(ww_cache_stall_reason(b.cache), WW_CACHE_STALL_MSHR);
    char text[200];
    FILE *out = fmemopen(text, sizeof(text), "w");
    ww_engine_explain(b.engine, out);
    fclose(out);
    assert_string_equal(text,
                        "cache: requests in its queue: 2 (held: all miss registers are in use), "
                        "lines with a miss on its way: 1, replies from below: 1\n");
    /* a's fill comes at 121: b goes down in the same tick, c follows. */
    cache_bench_expect(&b, "101vR1 122vR2 125^a 126^c 146^b");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_MSHR], 20);
    cache_bench_end(&b);
}

static void a_register_holds_so_many_requests(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', R, 3);
    send(11, 'b', R, 3);
    send(12, 'c', R, 3);
    /* At the fill, 31, c finds the line. Its reply leaves beside a's. */
    cache_bench_expect(&b, "11vR3 35^a 35^c 36^b");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_MERGE], 19);
    assert_int_equal(counters()->hits, 1);
    cache_bench_end(&b);
}

static void reserved_ways_hold_back_misses(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.allocate = WW_ALLOCATE_ON_MISS;
    begin(&config);
    send(10, 'a', R, 0);
    send(11, 'b', R, 4);
    send(12, 'c', R, 8);
    send(13, 'd', R, 1);
    ww_engine_run(b.engine, 20);
    assert_int_equal(ww_cache_mshr_cycles(b.cache, 20), 8); /* c waits from 12 on */
    cache_bench_expect(&b, "11vR0 12vR4 32vR8 33vR1 35^a 36^b 56^c 57^d");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_WAYS], 19);
    assert_int_equal(ww_cache_mshr_cycles(b.cache, 60), 19); /* what holds the ways are misses */
    cache_bench_end(&b);
    config.allocate = WW_ALLOCATE_ON_FILL;
    begin(&config);
    send(10, 'a', R, 0);
    send(11, 'b', R, 4);
    send(12, 'c', R, 8);
    cache_bench_expect(&b, "11vR0 12vR4 13vR8 35^a 36^b 37^c");
    assert_int_equal(counters()->evictions, 1);
    cache_bench_end(&b);
}

static void no_room_below(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 64, 1);
    b.below_hold = 30;
    send(10, 'a', R, 0);
    send(11, 'b', R, 1);
    /* Below takes a at 30, so that b can go down at 30 and is there at 31. */
    cache_bench_expect(&b, "30vR0 31vR1 54^a 55^b");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_DOWN], 19);
    cache_bench_end(&b);
}

static void no_room_above(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 2, 64);
    send(10, 'x', R, 0);
    cache_bench_expect(&b, "11vR0 35^x");
    b.above_hold = 120;
    for (char c = 'a'; c < 'e'; c++)
        send(100, c, R, 0);
    /* Above comes after the cache in a tick, so that freed entries are used at 121. */
    cache_bench_expect(&b, "120^a 120^b 125^c 126^d");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_OUT], 19);
    b.above_hold = 240;
    send(200, 'e', R, 1); /* filled at 221 */
    send(200, 'f', R, 2); /* filled at 222: `out` is full */
    send(200, 'g', R, 3);
    cache_bench_expect(&b, "201vR1 202vR2 203vR3 240^e 240^f 245^g");
    cache_bench_end(&b);
}

/* While replies wait, fills stay in their queue, so that their sender stalls. */
static void fills_wait_behind_replies(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 1, 64);
    b.above_hold = 60;
    for (char c = 'a'; c < 'e'; c++)
        send(10, c, R, (uint64_t)(c - 'a'));
    send(45, 'e', R, 0);
    ww_engine_run(b.engine, 50);
    /* One is in `out`, one waits for it. */
    assert_int_equal(ww_cache_fill(b.cache)->count, 2);
    cache_bench_expect(&b, "11vR0 12vR1 13vR2 14vR3 60^a 65^b 70^c 75^d 80^e");
    cache_bench_end(&b);
}

static void banks_do_one_thing_at_a_time(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.ports = 4;
    config.banks = 2;
    begin(&config);
    for (uint64_t line = 0; line < 4; line++)
        send(10, 'x', R, line);
    cache_bench_expect(&b, "11vR0 11vR1 12vR2 12vR3 35^x 35^x 36^x 36^x");
    static const uint64_t lines[] = {0, 1, 2, 0, 1, 3};
    for (int i = 0; i < 6; i++)
        send(100, (char)('a' + i), R, lines[i]);
    cache_bench_expect(&b, "104^a 104^b 105^c 106^d 106^e 107^f");
    cache_bench_end(&b);
}

/* ---- writes ---- */

static void written_lines_go_down_when_evicted(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', W, 0);
    send(20, 'b', W, 4);
    send(30, 'c', R, 0); /* all its bytes are known */
    cache_bench_expect(&b, "14^a 24^b 34^c");
    send(100, 'd', W, 8); /* 4 is the older one */
    send(110, 'e', R, 12);
    cache_bench_expect(&b, "101vB4 104^d 111vR12 132vB0 135^e");
    assert_int_equal(counters()->evictions, 2);
    assert_int_equal(counters()->write_backs, 2);
    assert_int_equal(counters()->misses, 4);
    cache_bench_end(&b);
}

/* A fill does not wait for the way down; what would follow its victim does. */
static void victims_of_fills_wait_beside(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 64, 1);
    send(10, 'a', W, 0);
    send(20, 'b', W, 4);
    cache_bench_expect(&b, "14^a 24^b");
    send(100, 'c', R, 8);
    ww_engine_run(b.engine, 105);
    b.below_hold = 150;
    send(110, 'd', R, 1); /* fills the way down */
    send(130, 'e', R, 4); /* hits */
    send(131, 'f', W, 4); /* hits */
    send(132, 'g', R, 2); /* behind the victim */
    cache_bench_expect(&b, "101vR8 125^c 134^e 135^f 150vR1 151vB0 152vR2 174^d 176^g");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_DOWN], 19);
    cache_bench_end(&b);
}

static void partly_written_sectors_are_fetched(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', W, 0)->full = false;
    send(20, 'b', R, 0);
    send(60, 'c', R, 0);
    cache_bench_expect(&b, "14^a 21vR0 45^b 64^c");
    send(100, 'd', R, 4);
    send(140, 'e', R, 8); /* 0 is known in full by now */
    send(180, 'f', W, 12)->full = false;
    cache_bench_expect(&b, "101vR4 125^d 141vR8 162vB0 165^e 184^f");
    send(200, 'g', R, 16);
    send(240, 'h', R, 20);
    cache_bench_expect(&b, "201vR16 225^g 241vR20 262vB12p 265^h");
    cache_bench_end(&b);
}

/* A dirty line with an outstanding fetch is not evicted: the fill would restore its old bytes. */
static void a_dirty_line_with_a_miss_is_held(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.size = 128; /* one set */
    begin(&config);
    send(10, 'a', R, 0);
    send(11, 'b', W, 0);
    send(12, 'c', R, 1);
    send(13, 'd', W, 1);
    send(14, 'e', W, 2); /* both ways are held until 31 */
    cache_bench_expect(&b, "11vR0 13vR1 15^b 17^d 32vB0 35^a 35^e 37^c");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_WAYS], 17);
    cache_bench_end(&b);
}

static void write_through_updates(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.write = WW_WRITE_THROUGH;
    begin(&config);
    send(10, 'a', W, 0);
    send(50, 'b', R, 0); /* the store did not allocate */
    send(100, 'c', W, 0);
    send(150, 'd', R, 0);
    cache_bench_expect(&b, "11vW0 35^a 51vR0 75^b 101vW0 125^c 154^d");
    assert_int_equal(counters()->hits, 2);
    /* What comes for a miss that was overtaken by a write is not kept. */
    send(200, 'e', R, 1);
    send(201, 'f', W, 1);
    send(250, 'g', R, 1);
    cache_bench_expect(&b, "201vR1 202vW1 225^e 226^f 251vR1 275^g");
    cache_bench_end(&b);
}

static void write_evict_drops_the_copy(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.write = WW_WRITE_EVICT;
    begin(&config);
    send(10, 'a', R, 0);
    send(50, 'b', W, 0);
    send(100, 'c', R, 0);
    cache_bench_expect(&b, "11vR0 35^a 51vW0 75^b 101vR0 125^c");
    assert_int_equal(counters()->hits, 1);
    assert_int_equal(counters()->evictions, 0);
    cache_bench_end(&b);
}

static void write_backs_from_above_have_no_reply(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 1, 64);
    b.above_hold = 100;
    send(10, 'a', W, 0);
    send(11, 'b', W, 1)->class = WW_CLASS_WRITE_BACK;
    send(200, 'c', R, 1);
    cache_bench_expect(&b, "100^a 204^c");
    assert_int_equal(counters()->class_accesses[WW_CLASS_WRITE_BACK], 1);
    cache_bench_end(&b);
}

/* ---- sectors ---- */

static ww_cache_config sectored(void)
{
    ww_cache_config config = cache_bench_config();
    config.sector = 16;
    config.merges = 4;
    return config;
}

static void only_missing_sectors_are_fetched(void **state)
{
    (void)state;
    ww_cache_config config = sectored();
    begin(&config);
    b.on_reply = record_stages;
    send_part(10, 'a', R, 0, 0x1, true);
    send_part(50, 'b', R, 0, 0x3, true); /* 1 is here */
    cache_bench_expect(&b, "11vR0:1 35^a 51vR0:2 75^b");
    assert_int_equal(seen['b'][WW_STAGE_DRAM], 21);
    assert_int_equal(seen['b'][WW_STAGE_L1], 4);
    assert_int_equal(seen['b'][WW_STAGE_L1_MERGED], 0);
    /* Of c to f: 4 is on its way for c, 8 for d, which waits for both; e merges; f hits. */
    send_part(100, 'c', R, 0, 0x4, true);
    send_part(105, 'd', R, 0, 0xc, true);
    send_part(110, 'e', R, 0, 0x5, true);
    send_part(112, 'f', R, 0, 0x3, true);
    cache_bench_expect(&b, "101vR0:4 106vR0:8 116^f 125^c 126^e 130^d");
    assert_int_equal(counters()->misses, 4);
    assert_int_equal(counters()->merged, 1);
    assert_int_equal(seen['d'][WW_STAGE_DRAM], 21);
    cache_bench_end(&b);
}

static void a_line_can_be_fetched_whole(void **state)
{
    (void)state;
    ww_cache_config config = sectored();
    config.whole_lines = true;
    begin(&config);
    send_part(10, 'a', R, 0, 0x1, true);
    send_part(12, 'b', R, 0, 0x8, true);
    send_part(50, 'c', R, 0, 0x6, true);
    cache_bench_expect(&b, "11vR0 35^a 36^b 54^c");
    cache_bench_end(&b);
}

/* A store of one sector evicts the line where lines are fetched whole, and the sector alone where
 * they are not. */
static void an_evicting_store_takes_what_is_fetched_together(void **state)
{
    (void)state;
    for (unsigned whole = 0; whole < 2; whole++) {
        ww_cache_config config = sectored();
        config.write = WW_WRITE_EVICT;
        config.whole_lines = whole;
        begin(&config);
        send_part(10, 'a', R, 0, 0xf, true);
        send_part(50, 'b', W, 0, 0x1, true);
        send_part(100, 'c', R, 0, 0x8, true);
        cache_bench_expect(&b, whole ? "11vR0 35^a 51vW0:1 75^b 101vR0 125^c"
                                     : "11vR0 35^a 51vW0:1 75^b 104^c");
        cache_bench_end(&b);
    }
}

static void sectors_are_dirty_one_by_one(void **state)
{
    (void)state;
    ww_cache_config config = sectored();
    config.size = 64;
    config.ways = 1;
    begin(&config);
    send_part(10, 'a', W, 0, 0x2, true);
    send_part(20, 'b', R, 0, 0x3, true);
    send_part(50, 'c', W, 1, 0x4, false);
    send_part(60, 'd', W, 1, 0x1, true);
    send(70, 'e', R, 2);
    cache_bench_expect(&b, "14^a 21vR0:1 45^b 51vB0:2 54^c 64^d 71vR2 92vB1:5p 95^e");
    cache_bench_end(&b);
}

/* ---- atomics ---- */

static void atomics_take_their_time(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.atomics_here = true;
    config.atomic_interval = 2;
    config.banks = 2;
    begin(&config);
    send(10, 'x', R, 0);
    send(11, 'y', R, 1);
    cache_bench_expect(&b, "11vR0 12vR1 35^x 36^y");
    send(100, 'a', A, 0)->lanes = 5; /* until 110 */
    send(101, 'b', R, 1);            /* the other bank */
    send(102, 'c', A, 0)->lanes = 1; /* 110 to 112 */
    send(103, 'd', R, 0);            /* at 112 */
    cache_bench_expect(&b, "105^b 114^a 116^c 116^d");
    assert_int_equal(counters()->stalls[WW_CACHE_STALL_BANK], 8 + 1);
    assert_int_equal(counters()->hits, 4);
    cache_bench_end(&b);
}

static void atomics_take_cycles_of_a_slow_clock(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.clock = ww_clock_make(800, 2000); /* edges at 0 3 5 8 10 13 ... */
    config.atomics_here = true;
    config.atomic_interval = 1;
    begin(&config);
    send(10, 'x', R, 0);
    cache_bench_expect(&b, "11vR0 43^x");
    send(100, 'a', A, 0)->lanes = 10; /* cycles 40 to 50: until 125 */
    send(100, 'b', A, 0)->lanes = 2;  /* until 130 */
    cache_bench_expect(&b, "135^a 140^b");
    cache_bench_end(&b);
}

static void atomics_that_miss_fetch_first(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.atomics_here = true;
    config.atomic_interval = 3;
    config.size = 64;
    config.ways = 1;
    begin(&config);
    b.on_reply = record_stages;
    send(10, 'a', A, 0)->lanes = 2; /* filled at 31, performed until 37 */
    send(11, 'b', A, 0)->lanes = 1; /* until 40 */
    cache_bench_expect(&b, "11vR0 41^a 44^b");
    assert_int_equal(seen['a'][WW_STAGE_DRAM], 21);
    assert_int_equal(seen['b'][WW_STAGE_L1_MERGED], 20);
    send(100, 'c', R, 1);
    cache_bench_expect(&b, "101vR1 122vB0 125^c");
    cache_bench_end(&b);
}

static void atomics_pass_down_and_evict(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', R, 0);
    send(50, 'b', A, 0);
    send(100, 'c', R, 0);
    cache_bench_expect(&b, "11vR0 35^a 51vA0 75^b 101vR0 125^c");
    send(200, 'd', W, 1);
    send(210, 'e', A, 1);
    cache_bench_expect(&b, "204^d 211vB1 211vA1 235^e");
    cache_bench_end(&b);
    cache_bench_begin(&b, &config, 64, 1);
    send(200, 'd', W, 1);
    send(210, 'e', A, 1);
    cache_bench_expect(&b, "204^d 211vB1 212vA1 236^e");
    cache_bench_end(&b);
}

/* ---- the rest ---- */

static void without_lines_everything_passes(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.size = 0;
    config.latency = 1;
    begin(&config);
    send(10, 'a', R, 0);
    send(10, 'b', R, 0);
    send(10, 'c', W, 0);
    send(50, 'd', A, 0);
    cache_bench_expect(&b, "11vR0 12vR0 13vW0 32^a 33^b 34^c 51vA0 72^d");
    assert_int_equal(counters()->misses, 4);
    cache_bench_end(&b);
}

static void replies_go_to_who_asked(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    cache_bench_connect(&b, true);
    send(10, 'a', R, 0)->warp = 1;
    send(11, 'b', R, 0)->warp = 2;
    send(50, 'c', R, 0)->warp = 3;
    cache_bench_expect(&b, "11vR0 35/a 36^b 54/c");
    cache_bench_end(&b);
}

static void invalidation_spares_what_is_dirty(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send(10, 'a', R, 0);
    send(11, 'b', W, 1);
    cache_bench_expect(&b, "11vR0 15^b 35^a");
    send(100, 'c', R, 2);
    ww_engine_run(b.engine, 110);
    ww_cache_invalidate(b.cache); /* c is on its way */
    cache_bench_expect(&b, "101vR2 125^c");
    send(200, 'd', R, 0);
    send(201, 'e', R, 1);
    send(202, 'f', R, 2);
    cache_bench_expect(&b, "201vR0 203vR2 205^e 225^d 227^f");
    cache_bench_end(&b);
}

/* Lines 1 to 3 are invalidated: 1 is clean, 2 dirty, 3 on its way; 0 and 4 are kept. */
static void a_range_is_invalidated_with_what_is_dirty(void **state)
{
    (void)state;
    for (int on_miss = 0; on_miss < 2; on_miss++) {
        ww_cache_config config = cache_bench_config();
        config.allocate = on_miss ? WW_ALLOCATE_ON_MISS : WW_ALLOCATE_ON_FILL;
        begin(&config);
        send(10, 'a', R, 0);
        send(11, 'b', R, 1);
        send(12, 'c', W, 2);
        send(13, 'd', W, 4);
        cache_bench_expect(&b, "11vR0 12vR1 16^c 17^d 35^a 36^b");
        send(100, 'e', R, 3);
        ww_engine_run(b.engine, 110);
        ww_cache_invalidate_range(b.cache, 64, 3 * 64);
        ww_cache_invalidate_range(b.cache, 5 * 64, 0);
        cache_bench_expect(&b, "101vR3 125^e");
        for (char c = 'a'; c < 'f'; c++)
            send(200 + 10 * (ww_tick)(c - 'a'), c, R, (uint64_t)(c - 'a'));
        cache_bench_expect(&b, "204^a 211vR1 221vR2 231vR3 235^b 244^e 245^c 255^d");
        assert_int_equal(counters()->write_backs, 0);
        cache_bench_end(&b);
    }
}

/* Line 0 is partly dirty, and a miss fetches it: both ways of set 0 are held, by it and by line 4.
 * The write of line 8 waits for a way until the range with line 0 is invalidated, in tick 25. */
static void an_invalidated_range_frees_ways(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    send_part(10, 'a', W, 0, 1, false);
    send_part(10, 'b', W, 4, 1, false);
    send(12, 'c', R, 0);
    send(13, 'd', R, 4);
    send(14, 'e', W, 8);
    ww_engine_run(b.engine, 25);
    ww_cache_invalidate_range(b.cache, 0, 64);
    cache_bench_expect(&b, "13vR0 14vR4 14^a 15^b 29^e 37^c 38^d");
    cache_bench_end(&b);
}

static ww_tick flushed;

static void note_flushed(void *context)
{
    flushed = ww_engine_now(*(ww_engine **)context);
}

/* Lines 0, 1 and 2 are dirty, and 3 is clean; 5 is on its way. */
static void a_flush_writes_back_and_invalidates(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    begin(&config);
    for (char c = 'a'; c < 'd'; c++)
        send(10, c, W, (uint64_t)(c - 'a'));
    send(20, 'd', R, 3);
    cache_bench_expect(&b, "14^a 15^b 16^c 21vR3 45^d");
    send(95, 'e', R, 5);
    ww_engine_run(b.engine, 100);
    flushed = 0;
    ww_cache_flush(b.cache, note_flushed, &b.engine);
    assert_false(ww_cache_is_idle(b.cache));
    cache_bench_expect(&b, "96vR5 101vB2 101vB1 101vB0 120^e");
    assert_int_equal(flushed, 100);
    for (char c = 'a'; c < 'g'; c++)
        send(200 + 10 * (ww_tick)(c - 'a'), c, R, (uint64_t)(c - 'a'));
    cache_bench_expect(
        &b, "201vR0 211vR1 221vR2 225^a 231vR3 235^b 241vR4 245^c 251vR5 255^d 265^e 275^f");
    assert_int_equal(counters()->write_backs, 3);
    cache_bench_end(&b);
}

/* The port below has room for one, and is emptied from tick 150 on, one in each tick. A read of
 * tick 120 goes down behind the write-backs. */
static void a_flush_waits_for_room_below(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    cache_bench_begin(&b, &config, 64, 1);
    for (char c = 'a'; c < 'd'; c++)
        send(10, c, W, (uint64_t)(c - 'a'));
    cache_bench_expect(&b, "14^a 15^b 16^c");
    b.below_hold = 150;
    b.below_rate = 1;
    send(120, 'd', R, 3);
    flushed = 0;
    ww_cache_flush(b.cache, note_flushed, &b.engine);
    ww_engine_run(b.engine, 149);
    assert_int_equal(flushed, 0);
    cache_bench_expect(&b, "150vB2 151vB1 152vB0 153vR3 177^d");
    assert_int_equal(flushed, 151);
    cache_bench_end(&b);
}

/* Nothing is dirty, or nothing is kept at all: the flush is done in its first cycle. */
static void a_flush_may_have_nothing_to_write(void **state)
{
    (void)state;
    for (int size = 0; size < 2; size++) {
        ww_cache_config config = cache_bench_config();
        config.size = size ? config.size : 0;
        begin(&config);
        send(10, 'a', R, 0);
        cache_bench_expect(&b, "11vR0 35^a");
        flushed = 0;
        ww_cache_flush(b.cache, note_flushed, &b.engine);
        cache_bench_expect(&b, "");
        assert_true(flushed > 0);
        send(100, 'b', R, 0);
        cache_bench_expect(&b, "101vR0 125^b");
        cache_bench_end(&b);
    }
}

static size_t errors_of(const ww_cache_config *config, const char *first)
{
    ww_errors *errors = ww_errors_create();
    if (ww_cache_line_check(config->line, config->sector, WW_NOWHERE, errors) == WW_OK)
        ww_cache_config_check(config, "l2", WW_NOWHERE, errors);
    size_t count = ww_errors_count(errors);
    assert_int_equal(ww_errors_status(errors), count ? WW_BAD_INPUT : WW_OK);
    if (first)
        assert_string_equal(ww_errors_line(errors, 0), first);
    ww_errors_destroy(errors);
    return count;
}

static void impossible_geometry_is_refused(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    assert_int_equal(errors_of(&config, NULL), 0);
    config.line = 48;
    assert_int_equal(
        errors_of(&config, "l1d.line is 48 (a power of two is needed, such as 64 or 128)"), 1);
    config = cache_bench_config();
    config.size = 768 * 1024; /* 4096 sets: any number will do */
    config.ways = 3;
    assert_int_equal(errors_of(&config, NULL), 0);
    config.size = 500;
    assert_int_equal(errors_of(&config, "l2.size is 500, no whole number of sets (a multiple of "
                                        "192: l2.ways, 3, of l1d.line, 64)"),
                     1);
    config.replace = cache_bench_policy("plru");
    assert_int_equal(errors_of(&config, "l2.ways is 3 (l2.replacement: plru needs a power of two)"),
                     1);
    config.ways = 65;
    assert_int_equal(errors_of(&config, "l2.ways is 65 (1 to 64)"), 1);
    config = cache_bench_config();
    config.sector = 1;
    assert_int_equal(errors_of(&config, "l1d.sector is 1, no part of l1d.line, 64 (a power of two "
                                        "from 2 to 64)"),
                     1);
    config = cache_bench_config();
    config.atomics_here = true;
    config.size = 0;
    assert_int_equal(errors_of(&config, "l2.size is 0 (atomics are performed in this cache: more "
                                        "than 0)"),
                     1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_then_a_hit),
        cmocka_unit_test(critical_loads_are_counted_apart),
        cmocka_unit_test(hits_flow_at_the_rate_of_the_ports),
        cmocka_unit_test(a_slow_clock_has_its_own_edges),
        cmocka_unit_test(misses_of_a_line_merge),
        cmocka_unit_test(stages_say_where_time_went),
        cmocka_unit_test(miss_registers_run_out),
        cmocka_unit_test(a_register_holds_so_many_requests),
        cmocka_unit_test(reserved_ways_hold_back_misses),
        cmocka_unit_test(no_room_below),
        cmocka_unit_test(no_room_above),
        cmocka_unit_test(fills_wait_behind_replies),
        cmocka_unit_test(banks_do_one_thing_at_a_time),
        cmocka_unit_test(written_lines_go_down_when_evicted),
        cmocka_unit_test(victims_of_fills_wait_beside),
        cmocka_unit_test(partly_written_sectors_are_fetched),
        cmocka_unit_test(a_dirty_line_with_a_miss_is_held),
        cmocka_unit_test(write_through_updates),
        cmocka_unit_test(write_evict_drops_the_copy),
        cmocka_unit_test(write_backs_from_above_have_no_reply),
        cmocka_unit_test(only_missing_sectors_are_fetched),
        cmocka_unit_test(a_line_can_be_fetched_whole),
        cmocka_unit_test(an_evicting_store_takes_what_is_fetched_together),
        cmocka_unit_test(sectors_are_dirty_one_by_one),
        cmocka_unit_test(atomics_take_their_time),
        cmocka_unit_test(atomics_take_cycles_of_a_slow_clock),
        cmocka_unit_test(atomics_that_miss_fetch_first),
        cmocka_unit_test(atomics_pass_down_and_evict),
        cmocka_unit_test(without_lines_everything_passes),
        cmocka_unit_test(replies_go_to_who_asked),
        cmocka_unit_test(invalidation_spares_what_is_dirty),
        cmocka_unit_test(a_range_is_invalidated_with_what_is_dirty),
        cmocka_unit_test(an_invalidated_range_frees_ways),
        cmocka_unit_test(a_flush_writes_back_and_invalidates),
        cmocka_unit_test(a_flush_waits_for_room_below),
        cmocka_unit_test(a_flush_may_have_nothing_to_write),
        cmocka_unit_test(impossible_geometry_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
