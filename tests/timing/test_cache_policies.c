/* What a cache asks and tells its policies: ways of new lines, evictions, bypasses. */
#include "config/config.h"
#include "mem/cache_internal.h"
#include "mem/replace/ship.h"
#include "sim/components.h"
#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define R WW_REQUEST_READ
#define W WW_REQUEST_WRITE

static cache_bench b;

static void begin(const ww_cache_config *config)
{
    cache_bench_begin(&b, config, 64, 64);
}

static ww_request *send(ww_tick tick, char letter, ww_request_kind kind, uint64_t line,
                        uint16_t pc_tag)
{
    ww_request *request = cache_bench_send(&b, tick, letter, kind, line);
    request->pc_tag = pc_tag;
    return request;
}

/* ---- replacement: instructions with odd numbers have way 1, the others way 0 ---- */

static char told[256];

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(told + strlen(told), sizeof(told) - strlen(told), format, args);
    va_end(args);
}

static void expect_told(const char *text)
{
    assert_string_equal(told, text);
    told[0] = '\0';
}

static void ignore(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)state;
    (void)set;
    (void)way;
    (void)request;
}

static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    (void)state;
    (void)set;
    uint32_t wanted = request->pc_tag % 2;
    assert_int_equal(ways.free & ~ways.allowed, 0);
    note("%x/%x ", (unsigned)ways.free, (unsigned)ways.allowed);
    return ways.allowed >> wanted & 1 ? wanted : ww_ways_first(ways.allowed);
}

static void evict(void *state, uint32_t set, uint32_t way, const ww_evicted *line)
{
    (void)state;
    note("%u.%u:%u@%u%s%s%s ", set, way, (unsigned)line->number, line->pc_tag,
         line->was_hit ? " hit" : "", line->dirty ? " dirty" : "",
         line->invalidated ? " invalidated" : "");
}

static const ww_replace partition = {.policy = {.name = "partition", .doc = "d"},
                                     .hit = ignore,
                                     .insert = ignore,
                                     .choose = choose,
                                     .evict = evict};

/* Lines 0, 4, 8, 12 and 16 are of set 0. */
static void a_policy_may_leave_ways_free_and_is_told_who_leaves(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.replace = &partition;
    begin(&config);
    send(10, 'a', R, 0, 1);
    cache_bench_expect(&b, "11vR0 35^a");
    expect_told("3/3 ");
    send(100, 'b', R, 4, 1); /* way 0 stays free */
    cache_bench_expect(&b, "101vR4 125^b");
    expect_told("1/3 0.1:0@1 ");
    send(200, 'c', R, 4, 2);
    send(201, 'd', W, 8, 3); /* dirty from here on; its hit does not change who inserted it */
    cache_bench_expect(&b, "204^c 205^d");
    expect_told("1/3 0.1:4@1 hit ");
    send(300, 'e', W, 8, 6);
    send(301, 'f', R, 12, 5);
    cache_bench_expect(&b, "302vR12 304^e 323vB8 326^f");
    expect_told("1/3 0.1:8@3 hit dirty ");
    send(400, 'g', R, 16, 4);
    cache_bench_expect(&b, "401vR16 425^g");
    expect_told("1/3 ");
    ww_cache_invalidate(b.cache);
    expect_told("0.0:16@4 invalidated 0.1:12@5 invalidated ");
    cache_bench_end(&b);
}

/* ---- bypass ---- */

static bool bypass_odd(void *state, const ww_request *request)
{
    ++*(unsigned *)state;
    return request->pc_tag % 2;
}

static const ww_bypass odd = {.policy = {.name = "odd", .doc = "d", .state_size = sizeof(unsigned)},
                              .bypasses = bypass_odd};

static unsigned *asked;

static void start_asked(void *state, const ww_policy_start *start)
{
    asked = state;
    assert_int_equal(start->sets, 4);
    assert_int_equal(start->ways, 2);
}

static void bypassed_reads_take_no_register_and_no_way(void **state)
{
    (void)state;
    ww_bypass spy = odd;
    spy.policy.start = start_asked;
    ww_cache_config config = cache_bench_config();
    config.mshrs = 1;
    config.bypass = &spy;
    begin(&config);
    send(10, 'a', R, 0, 0);
    send(11, 'b', R, 1, 1);
    send(12, 'c', R, 1, 1);
    send(50, 'd', R, 0, 1); /* a hit is a hit */
    send(51, 'e', R, 1, 0);
    cache_bench_expect(&b, "11vR0 12vR1 13vR1 35^a 36^b 37^c 52vR1 54^d 76^e");
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 2);
    /* g waits for the miss register from 101 to 121; tried again in between, the policy is asked
     * once. */
    *asked = 0;
    send(100, 'f', R, 4, 0);
    send(101, 'g', R, 5, 0);
    ww_engine_run(b.engine, 105);
    assert_int_equal(ww_cache_stall_reason(b.cache), WW_CACHE_STALL_MSHR);
    ww_wake(b.engine, ww_cache_in(b.cache)->consumer, 110);
    cache_bench_expect(&b, "101vR4 122vR5 125^f 146^g");
    assert_int_equal(*asked, 2);
    cache_bench_end(&b);
}

static const ww_bypass *bypass_named(const char *name)
{
    const ww_policy *policy = ww_policy_find(&ww_bypass_family, name);
    assert_non_null(policy);
    return (const ww_bypass *)(const void *)policy;
}

/* Two loads of the same sector go down both, though misses fetch whole lines. What a store left is
 * hit. */
static void with_all_no_load_is_kept(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.sector = 16;
    config.whole_lines = true;
    config.bypass = bypass_named("all");
    begin(&config);
    send(10, 'a', R, 0, 0)->sectors = 1;
    send(11, 'b', R, 0, 0)->sectors = 3;
    send(12, 'c', W, 1, 0);
    send(100, 'd', R, 0, 0)->sectors = 1;
    send(101, 'e', R, 1, 0);
    cache_bench_expect(&b, "11vR0:1 12vR0:3 16^c 35^a 36^b 101vR0:1 105^e 125^d");
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 3);
    assert_int_equal(ww_cache_counters_of(b.cache)->misses, 4);
    assert_int_equal(ww_cache_counters_of(b.cache)->merged, 0);
    cache_bench_end(&b);
}

static void with_none_every_load_is_kept(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    config.bypass = bypass_named("none");
    begin(&config);
    send(10, 'a', R, 0, 0);
    send(100, 'b', R, 0, 0);
    cache_bench_expect(&b, "11vR0 35^a 104^b");
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 0);
    cache_bench_end(&b);
}

/* ---- use and thrashing: 1 set of 2 ways ---- */

static ww_config *keys;

static void begin_small_merging(const ww_bypass *bypass, bool merge_is_reuse)
{
    ww_cache_config config = cache_bench_config();
    config.size = 128;
    config.merge_is_reuse = merge_is_reuse;
    config.bypass = bypass;
    config.start = (ww_policy_start){.config = keys, .prefix = "l1d"};
    begin(&config);
    b.silent = true;
}

static void begin_small(const ww_bypass *bypass)
{
    begin_small_merging(bypass, false);
}

static void load(uint64_t line)
{
    send(ww_engine_now(b.engine), 'a', R, line, 5);
    assert_false(ww_engine_run(b.engine, WW_NEVER));
}

static uint64_t hits(void)
{
    return ww_cache_counters_of(b.cache)->hits;
}

static void three_in_turn(int rounds)
{
    for (int i = 0; i < 3 * rounds; i++)
        load((uint64_t)i % 3);
}

static bool bypass_third(void *state, const ww_request *request)
{
    (void)state;
    return request->address / 64 == 2;
}

static const ww_bypass third = {.policy = {.name = "third", .doc = "d"}, .bypasses = bypass_third};

/* Three lines in turn do not fit: none is ever hit. Without the third, two of three are. */
static void two_ways_hold_two_of_three_lines(void **state)
{
    (void)state;
    begin_small(NULL);
    three_in_turn(10);
    const ww_cache_counters *c = ww_cache_counters_of(b.cache);
    assert_int_equal(c->hits, 0);
    assert_int_equal(c->evictions, 28);
    assert_int_equal(c->zero_reuse, 28);
    cache_bench_end(&b);
    begin_small(&third);
    three_in_turn(10);
    c = ww_cache_counters_of(b.cache);
    assert_int_equal(c->hits, 18);
    assert_int_equal(c->misses, 12);
    assert_int_equal(c->bypasses, 10);
    assert_int_equal(c->evictions, 0);
    cache_bench_end(&b);
}

/* Lines 10, 11, ... one after the other, 200 times each. */
static void stay_with_each(int lines)
{
    for (int i = 0; i < 200 * lines; i++)
        load(10 + (uint64_t)(i / 200));
}

/* Loads 3 to 10 evict lines without a hit: 8 are the limit, and nothing is kept from the 11th on.
 * The lines of the ninth and tenth stay, and are not hit again. */
static void pc_adaptive_does_not_return(void **state)
{
    (void)state;
    begin_small(bypass_named("pc_adaptive"));
    three_in_turn(3); /* 7 evictions without a hit */
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 0);
    load(0); /* the eighth */
    load(1);
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 1);
    stay_with_each(20);
    assert_int_equal(hits(), 0);
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, 1 + 20 * 200);
    cache_bench_end(&b);
}

/* With a period of 4 lines it halves what is kept after 4 evictions without a hit, then after 2, 1,
 * 1 and so on. Of each line that stays, at most 127 loads bypass, and the others hit; each line that
 * leaves with hits is a step down, so that the last ones are kept at once. */
static void ctrl_c_recovers(void **state)
{
    (void)state;
    begin_small(bypass_named("ctrl_c"));
    three_in_turn(1000);
    uint64_t before = hits(), bypasses = ww_cache_counters_of(b.cache)->bypasses;
    assert_true(before > 0); /* what is kept is hit now and then: 3 lines in turn do not thrash */
    assert_true(bypasses > 0);
    stay_with_each(40);
    bypasses = ww_cache_counters_of(b.cache)->bypasses;
    before = hits();
    for (int i = 0; i < 200; i++)
        load(100 + (uint64_t)i / 20);
    assert_int_equal(hits() - before, 190);
    assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, bypasses);
    cache_bench_end(&b);
}

/* Way 0 is for critical lines; a's miss holds way 1, the other part, until its fill at 31. With
 * allocation at the fill, nothing is held. */
static void a_miss_waits_for_its_part(void **state)
{
    (void)state;
    for (int on_miss = 0; on_miss < 2; on_miss++) {
        ww_cache_config config = cache_bench_config();
        config.size = 128;
        config.replace = cache_bench_policy("cacp");
        config.allocate = on_miss ? WW_ALLOCATE_ON_MISS : WW_ALLOCATE_ON_FILL;
        config.start = (ww_policy_start){.config = keys, .prefix = "l1d"};
        begin(&config);
        send(10, 'a', R, 0, 0);
        send(11, 'b', R, 1, 0);
        ww_engine_run(b.engine, 20);
        assert_int_equal(ww_cache_stall_reason(b.cache),
                         on_miss ? WW_CACHE_STALL_WAYS : WW_CACHE_FLOWS);
        cache_bench_expect(&b, on_miss ? "11vR0 32vR1 35^a 56^b" : "11vR0 12vR1 35^a 36^b");
        assert_int_equal(ww_cache_counters_of(b.cache)->evictions, 1); /* way 0 stays free */
        cache_bench_end(&b);
    }
}

/* Lines 0, 1 and 2; the second load of 0 merges with the first. */
static void a_merge_is_a_use_if_the_key_says_so(void **state)
{
    (void)state;
    for (int is_use = 0; is_use < 2; is_use++) {
        ww_cache_config config = cache_bench_config();
        config.size = 128;
        config.merge_is_reuse = is_use;
        begin(&config);
        send(10, 'a', R, 0, 0);
        send(11, 'b', R, 0, 0);
        send(100, 'c', R, 1, 0);
        send(200, 'd', R, 2, 0); /* evicts 0 */
        send(300, 'e', R, 3, 0); /* evicts 1 */
        cache_bench_expect(&b, "11vR0 35^a 36^b 101vR1 125^c 201vR2 225^d 301vR3 325^e");
        assert_int_equal(ww_cache_counters_of(b.cache)->merged, 1);
        assert_int_equal(ww_cache_counters_of(b.cache)->zero_reuse, 2 - is_use);
        cache_bench_end(&b);
    }
}

/* One definition for all who learn from reuse: the counter of the line's signature, which
 * is that of its instruction for line 0. */
static void a_merge_is_a_use_for_every_policy(void **state)
{
    (void)state;
    enum { SIGNATURE = 9 };
    static const char *const names[] = {"ship", "cacp"}; /* both begin with a ww_ship */
    for (int i = 0; i < 4; i++) {
        bool is_use = i % 2;
        ww_cache_config config = cache_bench_config();
        config.size = 128;
        config.merge_is_reuse = is_use;
        config.replace = cache_bench_policy(names[i / 2]);
        config.start = (ww_policy_start){.config = keys, .prefix = "l1d"};
        begin(&config);
        send(10, 'a', R, 0, SIGNATURE);
        send(11, 'b', R, 0, SIGNATURE)->critical = true;
        cache_bench_expect(&b, "11vR0 35^a 36^b");
        const ww_ship *ship = b.cache->tags->state;
        assert_int_equal(ship->hits[SIGNATURE], 1 + is_use);
        cache_bench_end(&b);
    }
}

/* Each line is loaded twice at once, and left: from eight evictions on, nothing is kept if the
 * merges are no uses. */
static void pc_adaptive_learns_from_merges(void **state)
{
    (void)state;
    for (int is_use = 0; is_use < 2; is_use++) {
        begin_small_merging(bypass_named("pc_adaptive"), is_use);
        for (uint64_t line = 0; line < 20; line++) {
            send(ww_engine_now(b.engine), 'a', R, line, 5);
            load(line);
        }
        assert_int_equal(hits(), 0);
        assert_int_equal(ww_cache_counters_of(b.cache)->bypasses, is_use ? 0 : 2 * 10);
        cache_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_may_leave_ways_free_and_is_told_who_leaves),
        cmocka_unit_test(bypassed_reads_take_no_register_and_no_way),
        cmocka_unit_test(with_all_no_load_is_kept),
        cmocka_unit_test(with_none_every_load_is_kept),
        cmocka_unit_test(two_ways_hold_two_of_three_lines),
        cmocka_unit_test(pc_adaptive_does_not_return),
        cmocka_unit_test(ctrl_c_recovers),
        cmocka_unit_test(a_miss_waits_for_its_part),
        cmocka_unit_test(a_merge_is_a_use_if_the_key_says_so),
        cmocka_unit_test(a_merge_is_a_use_for_every_policy),
        cmocka_unit_test(pc_adaptive_learns_from_merges),
    };
    ww_errors *errors = ww_errors_create();
    keys = ww_config_create(&ww_all_schemas);
    if (ww_config_set(keys, "l1d.bypass_period=4", errors) ||
        ww_config_set(keys, "l1d.critical_ways=1", errors))
        return 1;
    ww_errors_destroy(errors);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ww_config_destroy(keys);
    return failed;
}
