/* What a request waits for in the end, worked out by hand: a full queue passes the blame on, and
 * all ticks are there. */
#include "support/cache_bench.h"
#include "support/crossbar_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint32_t sum_of(const ww_blame *blame)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < WW_CAUSE_ALL; i++)
        sum += blame->ticks[i];
    return sum;
}

/* ---- clocks ---- */

/* B waits for the bank, from tick 10 on for its own ports. A waits for width up to tick 5, for a
 * free entry of B up to tick 25. */
static void who_follows_is_charged_what_the_other_waits_for(void **state)
{
    (void)state;
    ww_blame_clock a = {.cause = WW_CAUSE_NETWORK}, b = {.cause = WW_CAUSE_DRAM_BANK};
    ww_blame request = {.ticks = {0}}, late = {.ticks = {0}};
    ww_blame_subtract(&request, &a, 2);
    ww_blame_wait(&a, &b, WW_CAUSE_NETWORK, 5);
    ww_blame_wait(&b, NULL, WW_CAUSE_L2_PORTS, 10);
    ww_blame_subtract(&late, &a, 12);
    ww_blame_wait(&a, NULL, WW_CAUSE_L1_PORTS, 25);
    ww_blame_wait(&b, NULL, WW_CAUSE_DRAM_BANK, 26);
    ww_blame_add(&request, &a, 28);
    ww_blame_add(&late, &a, 25);
    assert_int_equal(request.ticks[WW_CAUSE_NETWORK], 3);
    assert_int_equal(request.ticks[WW_CAUSE_DRAM_BANK], 5);
    assert_int_equal(request.ticks[WW_CAUSE_L2_PORTS], 15);
    assert_int_equal(request.ticks[WW_CAUSE_L1_PORTS], 3);
    assert_int_equal(sum_of(&request), 26);
    assert_int_equal(late.ticks[WW_CAUSE_L2_PORTS], 13);
    assert_int_equal(sum_of(&late), 13);
}

/* Bursts at ticks 10 and 12 take 4 each: the bus is busy up to tick 18. */
static void a_busy_bus_has_its_share(void **state)
{
    (void)state;
    ww_blame_clock clock = {.cause = WW_CAUSE_DRAM_BANK}, above = {.cause = WW_CAUSE_L2_PORTS};
    ww_blame request = {.ticks = {0}}, waiting = {.ticks = {0}};
    ww_blame_wait(&above, &clock, WW_CAUSE_NONE, 0);
    ww_blame_subtract(&request, &clock, 4);
    ww_blame_use_bus(&clock, 4, 10);
    ww_blame_subtract(&waiting, &above, 11);
    ww_blame_use_bus(&clock, 4, 12);
    ww_blame_add(&request, &clock, 16);
    ww_blame_add(&waiting, &above, 21);
    assert_int_equal(request.ticks[WW_CAUSE_DRAM_BUS], 6);
    assert_int_equal(request.ticks[WW_CAUSE_DRAM_BANK], 6);
    assert_int_equal(waiting.ticks[WW_CAUSE_DRAM_BUS], 7);
    assert_int_equal(waiting.ticks[WW_CAUSE_DRAM_BANK], 3);
    assert_int_equal(sum_of(&waiting), 10);
}

static void an_amount_is_split_to_the_last_tick(void **state)
{
    (void)state;
    ww_blame_sum parts = {.ticks = {[WW_CAUSE_NETWORK] = 2, [WW_CAUSE_DRAM_BUS] = 1}};
    uint64_t shares[WW_CAUSE_COUNT] = {0};
    ww_blame_split(100, &parts, WW_CAUSE_L1_LATENCY, shares);
    assert_int_equal(shares[WW_CAUSE_NETWORK], 67); /* with what rounding left */
    assert_int_equal(shares[WW_CAUSE_DRAM_BUS], 33);
    ww_blame_split(5, &(ww_blame_sum){{0}}, WW_CAUSE_L1_LATENCY, shares);
    assert_int_equal(shares[WW_CAUSE_L1_LATENCY], 5);
}

/* 60 ticks behind misses that waited 30 for the network and 10 for the bus. */
static void waits_for_misses_go_to_what_misses_wait_for(void **state)
{
    (void)state;
    ww_blame_sum sum = {.ticks = {[WW_CAUSE_L1_PORTS] = 7, [WW_CAUSE_L1_MISS] = 60}};
    ww_blame_sum misses = {.ticks = {[WW_CAUSE_NETWORK] = 30, [WW_CAUSE_DRAM_BUS] = 10}};
    ww_blame_sum all = ww_blame_resolve(&sum, &misses);
    assert_int_equal(all.ticks[WW_CAUSE_L1_PORTS], 7);
    assert_int_equal(all.ticks[WW_CAUSE_NETWORK], 45);
    assert_int_equal(all.ticks[WW_CAUSE_DRAM_BUS], 15);
    assert_int_equal(all.ticks[WW_CAUSE_L1_MISS], 0);
}

/* ---- a cache ---- */

static cache_bench b;
static ww_blame blamed[256]; /* before the lookup, by letter */

static void keep(cache_bench *bench, ww_request *request)
{
    (void)bench;
    blamed[(uintptr_t)request->owner] = request->before_l1;
}

static void begin(uint32_t down_room)
{
    ww_cache_config config = cache_bench_config();
    memset(blamed, 0, sizeof(blamed));
    cache_bench_begin(&b, &config, 64, down_room);
    b.on_reply = keep;
}

/* One entry below, and nothing is taken there before tick 50: the second and third read wait for
 * what fills it. */
static void room_below(void **state)
{
    (void)state;
    static ww_blame_clock network = {.cause = WW_CAUSE_NETWORK};
    begin(1);
    b.down.blame = &network;
    b.below_hold = 50;
    cache_bench_send(&b, 10, 'a', WW_REQUEST_READ, 0);
    cache_bench_send(&b, 10, 'b', WW_REQUEST_READ, 1);
    cache_bench_send(&b, 10, 'c', WW_REQUEST_READ, 2);
    cache_bench_expect(&b, "50vR0 51vR1 52vR2 74^a 75^b 76^c");
    assert_int_equal(sum_of(&blamed['a']), 0);
    assert_int_equal(blamed['b'].ticks[WW_CAUSE_NETWORK], 40);
    assert_int_equal(sum_of(&blamed['b']), 40);
    assert_int_equal(blamed['c'].ticks[WW_CAUSE_NETWORK], 41);
    assert_int_equal(sum_of(&blamed['c']), 41);
    cache_bench_end(&b);
}

/* Four registers: the fifth miss waits for the port, then for a register, which the first fill
 * frees. */
static void registers(void **state)
{
    (void)state;
    begin(64);
    for (uint64_t i = 0; i < 5; i++)
        cache_bench_send(&b, 10, (char)('a' + i), WW_REQUEST_READ, i);
    cache_bench_expect(&b, "11vR0 12vR1 13vR2 14vR3 32vR4 35^a 36^b 37^c 38^d 56^e");
    assert_int_equal(blamed['d'].ticks[WW_CAUSE_L1_PORTS], 3);
    assert_int_equal(sum_of(&blamed['d']), 3);
    assert_int_equal(blamed['e'].ticks[WW_CAUSE_L1_PORTS], 3);
    assert_int_equal(blamed['e'].ticks[WW_CAUSE_L1_MISS], 18);
    assert_int_equal(sum_of(&blamed['e']), 21);
    cache_bench_end(&b);
}

/* ---- the network ---- */

#define LATENCY 20

static void cross(crossbar_packet *packets, size_t count, uint32_t output_entries)
{
    crossbar_rig_config config = {.crossbar = {.direction = WW_CROSSBAR_DOWN,
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
                                  .output_entries = output_entries};
    crossbar_rig *rig = crossbar_rig_create(&config, packets, count);
    assert_false(crossbar_rig_run(rig, WW_NEVER));
    for (size_t i = 0; i < count; i++) {
        const ww_request *request = &packets[i].request;
        assert_int_equal(sum_of(&request->after_l1), packets[i].taken - request->made);
    }
    crossbar_rig_destroy(rig);
}

static crossbar_packet write_at(ww_tick planned, uint32_t input)
{
    return (crossbar_packet){
        .input = input, .output = 0, .kind = WW_REQUEST_WRITE, .sectors = 4, .planned = planned};
}

/* Writes of 136 bytes take 5 cycles each: the third from one input waits 10 cycles for the
 * width. */
static void width(void **state)
{
    (void)state;
    crossbar_packet packets[3];
    for (size_t i = 0; i < 3; i++)
        packets[i] = write_at(10, 1);
    cross(packets, 3, 64);
    assert_int_equal(packets[0].request.after_l1.ticks[WW_CAUSE_NETWORK], 0);
    assert_int_equal(packets[2].request.after_l1.ticks[WW_CAUSE_NETWORK], 10);
    assert_int_equal(packets[2].request.after_l1.ticks[WW_CAUSE_L2_PORTS], 0);
}

/* One entry at the receiver, which pauses for 100 ticks after each: the third waits for the
 * receiver, not for the network. */
static void a_full_receiver(void **state)
{
    (void)state;
    crossbar_packet packets[3];
    for (size_t i = 0; i < 3; i++) {
        packets[i] = write_at(10, 1);
        packets[i].pause = 100;
    }
    cross(packets, 3, 2);
    const ww_blame *blame = &packets[2].request.after_l1;
    assert_true(blame->ticks[WW_CAUSE_L2_PORTS] > 60);
    assert_true(blame->ticks[WW_CAUSE_NETWORK] <= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_follows_is_charged_what_the_other_waits_for),
        cmocka_unit_test(a_busy_bus_has_its_share),
        cmocka_unit_test(an_amount_is_split_to_the_last_tick),
        cmocka_unit_test(waits_for_misses_go_to_what_misses_wait_for),
        cmocka_unit_test(room_below),
        cmocka_unit_test(registers),
        cmocka_unit_test(width),
        cmocka_unit_test(a_full_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
