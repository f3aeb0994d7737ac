/* A cache with predicting policies on random loads, one at a time: it hits, bypasses and evicts as
 * naive models do that follow the published algorithms line by line. */
#include "config/config.h"
#include "sim/components.h"
#include "support/cache_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SETS = 4, WAYS = 4, CRITICAL_WAYS = 2, LINES = 64, INSTRUCTIONS = 12, STEPS = 6000 };
enum { PERIOD = 16, LIMIT = 8 };

static cache_bench b;
static ww_rng rng;
static ww_config *config;

typedef struct line {
    bool present, c_reuse, nc_reuse;
    uint64_t number, used;
    int pc, signature, interval;
} line;

typedef struct control {
    int agg, byp, insert, zero;
} control;

static struct {
    const char *replacement, *bypass;
    line lines[SETS][WAYS];
    int ccbp[256], ship[256];
    control ireuse[128];
    int confidence[128];
    uint64_t time, hits, misses, bypasses, evictions, zero_reuse;
} n;

static void step_within(int *counter, int by, int most)
{
    if (*counter + by >= 0 && *counter + by <= most)
        *counter += by;
}

/* ---- replacement ---- */

static bool is(const char *name)
{
    return strcmp(n.replacement, name) == 0;
}

static bool in_critical_part(int way)
{
    return is("cacp") && way < CRITICAL_WAYS;
}

/* The ways from *first to before *last are those that a line may have. */
static void part_of(int signature, int *first, int *last)
{
    *first = 0;
    *last = WAYS;
    if (!is("cacp"))
        return;
    if (n.ccbp[signature] > 1)
        *last = CRITICAL_WAYS;
    else
        *first = CRITICAL_WAYS;
}

static int victim_of(line *set, int first, int last)
{
    for (int way = first; way < last; way++)
        if (!set[way].present)
            return way;
    if (is("lru")) {
        int oldest = first;
        for (int way = first; way < last; way++)
            oldest = set[way].used < set[oldest].used ? way : oldest;
        return oldest;
    }
    for (;;) {
        for (int way = first; way < last; way++)
            if (set[way].interval == 3)
                return way;
        for (int way = first; way < last; way++)
            set[way].interval++;
    }
}

static void at_hit(line *l, bool critical)
{
    n.hits++;
    l->used = ++n.time;
    l->interval = 0;
    if (critical) {
        l->c_reuse = true;
        step_within(&n.ccbp[l->signature], 1, 3);
    } else {
        l->nc_reuse = true;
    }
    step_within(&n.ship[l->signature], 1, 3);
    step_within(&n.confidence[l->pc], -1, 15);
}

/* ---- bypass ---- */

static bool bypasses(int pc)
{
    control *c = &n.ireuse[pc];
    if (strcmp(n.bypass, "pc_adaptive") == 0)
        return n.confidence[pc] >= LIMIT;
    if (strcmp(n.bypass, "ctrl_c") != 0)
        return false;
    if (c->byp < (1 << c->agg) - 1) {
        c->byp++;
        return true;
    }
    c->byp = 0;
    return false;
}

static void train_control(int pc, bool reuse)
{
    control *c = &n.ireuse[pc];
    c->insert++;
    if (!reuse)
        c->zero++;
    if (c->insert < PERIOD >> c->agg)
        return;
    if (10 * c->zero > 4 * c->insert)
        step_within(&c->agg, 1, 7);
    else if (10 * c->zero < c->insert)
        step_within(&c->agg, -1, 7);
    c->insert = c->zero = 0;
}

static void at_eviction(const line *l, int way)
{
    bool reuse = l->c_reuse || l->nc_reuse;
    n.evictions++;
    n.zero_reuse += !reuse;
    if (!l->c_reuse && l->nc_reuse && in_critical_part(way))
        step_within(&n.ccbp[l->signature], -1, 3);
    else if (!reuse)
        step_within(&n.ship[l->signature], -1, 3);
    train_control(l->pc, reuse);
    if (!reuse)
        step_within(&n.confidence[l->pc], 1, 15);
}

/* ---- a load ---- */

static void load_naive(uint64_t number, int pc, bool critical)
{
    line *set = n.lines[number % SETS];
    for (int way = 0; way < WAYS; way++)
        if (set[way].present && set[way].number == number) {
            at_hit(&set[way], critical);
            return;
        }
    n.misses++;
    if (bypasses(pc)) {
        n.bypasses++;
        return;
    }
    int first, last, signature = (int)((uint64_t)pc ^ number) & 255;
    part_of(signature, &first, &last);
    int way = victim_of(set, first, last);
    if (set[way].present)
        at_eviction(&set[way], way);
    set[way] = (line){.present = true,
                      .number = number,
                      .used = ++n.time,
                      .pc = pc,
                      .signature = signature,
                      .interval = n.ship[signature] ? 2 : 3};
}

/* Some instructions have few lines, others many; some are of critical warps more often. */
static void one_step(int step)
{
    int pc = (int)ww_rng_below(&rng, INSTRUCTIONS);
    uint64_t number = ww_rng_below(&rng, 1 + (uint64_t)pc * (LINES - 1) / (INSTRUCTIONS - 1));
    if (step / (STEPS / 3) == 1) /* a phase with reuse for all */
        number %= 6;
    bool critical = ww_rng_below(&rng, 4) < (uint64_t)pc % 4;
    ww_request *request =
        cache_bench_send(&b, ww_engine_now(b.engine), 'a', WW_REQUEST_READ, number);
    request->pc_tag = (uint16_t)pc;
    request->critical = critical;
    assert_false(ww_engine_run(b.engine, WW_NEVER));
    load_naive(number, pc, critical);
    const ww_cache_counters *c = ww_cache_counters_of(b.cache);
    assert_int_equal(c->hits, n.hits);
    assert_int_equal(c->misses, n.misses);
    assert_int_equal(c->bypasses, n.bypasses);
    assert_int_equal(c->evictions, n.evictions);
    assert_int_equal(c->zero_reuse, n.zero_reuse);
}

static void run(const char *replacement, const char *bypass, ww_allocate allocate)
{
    memset(&n, 0, sizeof(n));
    n.replacement = replacement;
    n.bypass = bypass;
    for (int i = 0; i < 256; i++)
        n.ccbp[i] = n.ship[i] = 1;
    ww_cache_config c = cache_bench_config();
    c.ways = WAYS;
    c.size = (uint64_t)SETS * WAYS * c.line;
    c.allocate = allocate;
    c.merge_is_reuse = true;
    c.replace = cache_bench_policy(replacement);
    c.bypass = (const ww_bypass *)(const void *)ww_policy_find(&ww_bypass_family, bypass);
    c.start = (ww_policy_start){.config = config, .prefix = "l1d"};
    cache_bench_begin(&b, &c, 4, 4);
    b.silent = true;
    for (int i = 0; i < STEPS; i++)
        one_step(i);
    printf("%s, %s: hits %llu, bypasses %llu, zero reuse %llu of %llu\n", replacement, bypass,
           (unsigned long long)n.hits, (unsigned long long)n.bypasses,
           (unsigned long long)n.zero_reuse, (unsigned long long)n.evictions);
    assert_true(n.hits && n.zero_reuse && n.evictions > n.zero_reuse);
    assert_int_equal(n.bypasses != 0, strcmp(bypass, "none") != 0);
    cache_bench_end(&b);
}

static void it_is_the_naive_cache(void **state)
{
    (void)state;
    static const char *const replacements[] = {"lru", "ship", "cacp"};
    static const char *const bypasses_of[] = {"none", "pc_adaptive", "ctrl_c"};
    for (uint64_t seed = 1; seed <= 2; seed++)
        for (int r = 0; r < 3; r++)
            for (int p = 0; p < 3; p++) {
                ww_rng_seed(&rng, seed);
                run(replacements[r], bypasses_of[p],
                    seed == 1 ? WW_ALLOCATE_ON_FILL : WW_ALLOCATE_ON_MISS);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_naive_cache)};
    ww_errors *errors = ww_errors_create();
    config = ww_config_create(&ww_all_schemas);
    if (ww_config_set(config, "l1d.critical_ways=2", errors) ||
        ww_config_set(config, "l1d.bypass_period=16", errors))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ww_errors_destroy(errors);
    ww_config_destroy(config);
    return failed;
}
