/* Warming a cache leaves the lines that the same requests leave when they take their time, one after
 * the other: random requests, every write policy, replacement policy and size of sectors. */
#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define REQUESTS 600
#define APART 100 /* ticks: each request has been answered before the next */

static cache_bench timed, warmed;

static void expect_equal_lines(unsigned seed, unsigned number)
{
    const ww_tags *a = ww_cache_tags(timed.cache), *b = ww_cache_tags(warmed.cache);
    for (uint32_t i = 0; i < a->config.sets * a->config.ways; i++) {
        if (a->lines[i].number == b->lines[i].number && a->lines[i].valid == b->lines[i].valid &&
            a->lines[i].dirty == b->lines[i].dirty)
            continue;
        fail_msg("seed %u, request %u, entry %u: line %llu valid %x dirty %x, warmed line %llu "
                 "valid %x dirty %x",
                 seed, number, i, (unsigned long long)a->lines[i].number, a->lines[i].valid,
                 a->lines[i].dirty, (unsigned long long)b->lines[i].number, b->lines[i].valid,
                 b->lines[i].dirty);
    }
}

static ww_cache_config config_of(ww_rng *rng)
{
    static const char *const policies[] = {"lru", "plru", "srrip"};
    ww_cache_config c = cache_bench_config();
    c.replace = cache_bench_policy(policies[ww_rng_below(rng, 3)]);
    c.sector = 16u << ww_rng_below(rng, 3);
    c.write = (ww_write_policy)ww_rng_below(rng, 3);
    c.allocate = (ww_allocate)ww_rng_below(rng, 2);
    c.atomics_here = c.write == WW_WRITE_BACK && ww_rng_below(rng, 2);
    c.whole_lines = ww_rng_below(rng, 2);
    return c;
}

static void run_both(unsigned seed)
{
    ww_rng rng;
    ww_rng_seed(&rng, seed);
    ww_cache_config config = config_of(&rng);
    cache_bench_begin(&timed, &config, 64, 64);
    cache_bench_begin(&warmed, &config, 64, 64);
    timed.silent = warmed.silent = true;
    for (unsigned i = 1; i <= REQUESTS; i++) {
        ww_request_kind kind = (ww_request_kind)ww_rng_below(&rng, 3);
        ww_request *r =
            cache_bench_send(&timed, (ww_tick)i * APART, 'a', kind, ww_rng_below(&rng, 16));
        r->sectors = 1 + (uint32_t)ww_rng_below(&rng, timed.all_sectors);
        r->full = kind == WW_REQUEST_WRITE && ww_rng_below(&rng, 2);
        ww_request copy = *r;
        ww_cache_victim victim;
        ww_engine_run(timed.engine, (ww_tick)i * APART + APART - 1);
        ww_cache_warm(warmed.cache, &copy, &victim);
        expect_equal_lines(seed, i);
    }
    cache_bench_end(&timed);
    cache_bench_end(&warmed);
}

static void warmed_lines_are_those_of_timed_requests(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 60; seed++)
        run_both(seed);
}

/* What goes down: a miss, a line that was written and had to leave, and nothing for a hit. */
static void warming_tells_what_goes_down(void **state)
{
    (void)state;
    ww_cache_config config = cache_bench_config();
    ww_cache_victim victim;
    cache_bench_begin(&warmed, &config, 64, 64);
    ww_request write = {.kind = WW_REQUEST_WRITE, .sectors = 1, .full = true};
    assert_int_equal(ww_cache_warm(warmed.cache, &write, &victim), 0);
    assert_int_equal(victim.sectors, 0);
    for (uint64_t line = 4; line <= 8; line += 4) { /* of the same set, which has two ways */
        ww_request read = {.kind = WW_REQUEST_READ, .sectors = 1, .address = line * 64};
        assert_int_equal(ww_cache_warm(warmed.cache, &read, &victim), 1);
        assert_int_equal(victim.sectors, line == 8);
        assert_int_equal(ww_cache_warm(warmed.cache, &read, &victim), 0);
    }
    cache_bench_end(&warmed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warmed_lines_are_those_of_timed_requests),
        cmocka_unit_test(warming_tells_what_goes_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
