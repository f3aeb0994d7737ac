/* Statistics: sums over instances, derived values, histograms, laws and both writers. */
#include "base/fold.h"
#include "base/json.h"
#include "exec/exec.h"
#include "exec/exec_stats.h"
#include "sim/components.h"
#include "stats/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct counters {
    uint64_t accesses, hits, misses;
    double energy;
    ww_histogram latency;
} counters;

static double hit_rate(const void *of, const ww_config *config)
{
    const counters *c = of;
    (void)config;
    return ww_ratio((double)c->hits, (double)c->accesses);
}

static const ww_stat stat_list[] = {
    {"l1.accesses", "accesses", "all accesses", WW_STAT_COUNTER, offsetof(counters, accesses), NULL,
     false},
    {"l1.hits", "accesses", "found", WW_STAT_COUNTER, offsetof(counters, hits), NULL, false},
    {"l1.misses", "accesses", "not found", WW_STAT_COUNTER, offsetof(counters, misses), NULL,
     false},
    {"l1.energy", "nJ", "energy", WW_STAT_GAUGE, offsetof(counters, energy), NULL, false},
    {"l1.latency", "cycles", "latency", WW_STAT_HISTOGRAM, offsetof(counters, latency), NULL,
     false},
    {"l1.hit_rate", "", "share of hits", WW_STAT_DERIVED, 0, hit_rate, false},
};
static const char *const all[] = {"l1.accesses", NULL};
static const char *const parts[] = {"l1.hits", "l1.misses", NULL};
static const ww_law law_list[] = {{all, parts}};
static const ww_stat_table table = {"l1", "a cache", stat_list, 6, sizeof(counters), law_list, 1};

static counters one, two;
static ww_stats *stats;

static int set_up(void **state)
{
    (void)state;
    one = (counters){.accesses = 1000, .hits = 600, .misses = 400, .energy = 0.5};
    two = (counters){.accesses = 1234567, .hits = 1234567, .energy = 0.25};
    for (uint64_t i = 1; i <= 100; i++)
        ww_histogram_add(i % 2 ? &one.latency : &two.latency, i);
    stats = ww_stats_create(NULL);
    ww_stats_add(stats, &table, &one);
    ww_stats_add(stats, &table, &two);
    ww_stats_read(stats);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ww_stats_destroy(stats);
    return 0;
}

static void instances_are_summed(void **state)
{
    (void)state;
    assert_int_equal(ww_stats_count(stats), 10);
    assert_int_equal(ww_stats_find(stats, "l1.accesses")->count, 1235567);
    assert_true(ww_stats_find(stats, "l1.energy")->real == 0.75);
    assert_true(ww_stats_find(stats, "l1.hit_rate")->real == 1235167.0 / 1235567.0);
    assert_int_equal(ww_stats_find(stats, "l1.latency_count")->count, 100);
    assert_true(ww_stats_find(stats, "l1.latency_mean")->real == 50.5);
    assert_int_equal(ww_stats_find(stats, "l1.latency_max")->count, 100);
    assert_null(ww_stats_find(stats, "l1.latency"));
    one.accesses++;
    assert_int_equal(ww_stats_find(stats, "l1.accesses")->count, 1235567);
    ww_stats_read(stats);
    assert_int_equal(ww_stats_find(stats, "l1.accesses")->count, 1235568);
}

static void laws_are_checked(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_stats_check(stats, errors), WW_OK);
    one.misses--;
    ww_stats_read(stats);
    assert_int_equal(ww_stats_check(stats, errors), WW_FAILED);
    assert_string_equal(ww_errors_line(errors, 0),
                        "internal error: statistics disagree: l1.accesses = 1235567 but l1.hits + "
                        "l1.misses = 1235566");
    ww_errors_destroy(errors);
}

static char *written(void (*write)(const ww_stats *, FILE *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(stats, out);
    fclose(out);
    return text;
}

static void write_text(const ww_stats *of, FILE *out)
{
    ww_stats_write(of, WW_ANY_WIDTH, out);
}

static void text_is_aligned(void **state)
{
    (void)state;
    char *text = written(write_text);
    assert_string_equal(
        text,
        "l1: a cache\n"
        "  l1.accesses       1,235,567  accesses  all accesses\n"
        "  l1.hits           1,235,167  accesses  found\n"
        "  l1.misses               400  accesses  not found\n"
        "  l1.energy              0.75  nJ        energy\n"
        "  l1.latency_count        100            latency: how many\n"
        "  l1.latency_mean        50.5  cycles    latency: mean\n"
        "  l1.latency_p50           51  cycles    latency: median, at most an eighth too high\n"
        "  l1.latency_p99          100  cycles    latency: 99th percentile, at most an eighth too "
        "high\n"
        "  l1.latency_max          100  cycles    latency: largest\n"
        "  l1.hit_rate        0.999676            share of hits\n");
    free(text);
}

static void write_json(const ww_stats *of, FILE *out)
{
    json_t *json = ww_stats_json(of);
    ww_json_write(json, out);
    json_decref(json);
}

static void json_is_flat_and_shortest(void **state)
{
    (void)state;
    char *text = written(write_json);
    assert_string_equal(text, "{\n  \"l1.accesses\": 1235567,\n  \"l1.hits\": 1235167,\n"
                              "  \"l1.misses\": 400,\n  \"l1.energy\": 0.75,\n"
                              "  \"l1.latency_count\": 100,\n  \"l1.latency_mean\": 50.5,\n"
                              "  \"l1.latency_p50\": 51,\n  \"l1.latency_p99\": 100,\n"
                              "  \"l1.latency_max\": 100,\n  \"l1.hit_rate\": 0.9996762619914582\n"
                              "}\n");
    free(text);
}

static void doubles_read_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},       {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"},  {0, "0"},
                 {5e-324, "5e-324"}, {123456789, "123456789"},
                 {-0.25, "-0.25"},   {INFINITY, "inf"},
                 {240, "240"},       {-2e6, "-2000000"},
                 {1e15, "1e+15"}};
    char text[WW_DOUBLE_CHARS];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ww_double_text(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void percentiles_are_close(void **state)
{
    (void)state;
    static ww_histogram h;
    assert_int_equal(ww_histogram_percentile(&h, 0.5), 0);
    assert_true(ww_histogram_mean(&h) == 0);
    for (uint64_t i = 1; i <= 100000; i++)
        ww_histogram_add(&h, i);
    for (int percent = 1; percent < 100; percent++) {
        double share = percent / 100.0;
        double exact = share * 100000, got = (double)ww_histogram_percentile(&h, share);
        assert_true(got >= exact - 1 && got <= exact * 1.125 + 1);
    }
    ww_histogram_add(&h, UINT64_MAX);
    assert_true(ww_histogram_percentile(&h, 1) == UINT64_MAX);
}

static void execution_obeys_its_law(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_config *config = ww_config_create(&ww_all_schemas);
    ww_stats *exec = ww_stats_create(config);
    ww_exec_counters c = {.warp_instructions = 10,
                          .thread_instructions = 160,
                          .arithmetic = 6,
                          .memory = 2,
                          .control = 1,
                          .synchronisation = 1};
    ww_stats_add(exec, &ww_exec_stats, &c);
    ww_stats_read(exec);
    assert_int_equal(ww_stats_check(exec, errors), WW_OK);
    assert_true(ww_stats_find(exec, "exec.lane_utilisation")->real == 0.5);
    assert_true(ww_stats_find(exec, "exec.divergence")->real == 0);
    c.memory++;
    ww_stats_read(exec);
    assert_int_equal(ww_stats_check(exec, errors), WW_FAILED);
    ww_stats_destroy(exec);
    ww_config_destroy(config);
    ww_errors_destroy(errors);
}

static void declarations_have_units_and_docs(void **state)
{
    (void)state;
    ww_stats *declared = ww_stats_create(NULL);
    ww_declare_all_stats(declared);
    assert_true(ww_stats_count(declared) > 0);
    for (size_t i = 0; i < ww_stats_count(declared); i++) {
        const ww_reading *reading = ww_stats_at(declared, i);
        assert_non_null(strchr(reading->name, '.'));
        assert_non_null(reading->unit);
        assert_true(strlen(reading->doc) > 0 && !strchr(reading->doc, '\n'));
    }
    ww_stats_destroy(declared);
}

/* 10 hits that count three times and 4 that count once and a half; what was before the mark and after
 * the last weight does not count. */
static void weights_scale_what_was_counted(void **state)
{
    (void)state;
    counters c = {.accesses = 7, .hits = 7, .energy = 1};
    ww_stats *weighed = ww_stats_create(NULL);
    ww_stats_add(weighed, &table, &c);
    ww_stats_mark(weighed);
    c.accesses += 20, c.hits += 10, c.misses += 10, c.energy += 2;
    ww_stats_weigh(weighed, 3);
    c.hits += 100;
    ww_stats_mark(weighed);
    c.accesses += 4, c.hits += 4;
    ww_stats_weigh(weighed, 1.5);
    c.misses += 50;
    ww_stats_read(weighed);
    assert_int_equal(ww_stats_find(weighed, "l1.hits")->count, 36);
    assert_int_equal(ww_stats_find(weighed, "l1.misses")->count, 30);
    assert_int_equal(ww_stats_find(weighed, "l1.accesses")->count, 66);
    assert_true(ww_stats_find(weighed, "l1.energy")->real == 6);
    assert_true(ww_stats_find(weighed, "l1.hit_rate")->real == 36.0 / 66);
    ww_stats_destroy(weighed);
}

/* Parts: the sum has all instances, and each part has its own; laws are checked for the sum. */
static void parts_have_sums_of_their_own(void **state)
{
    (void)state;
    counters three = {.accesses = 10, .hits = 9, .misses = 1};
    ww_stats *machine = ww_stats_create(NULL);
    ww_stats_add_to_part(machine, &table, 0, &one);
    ww_stats_add_to_part(machine, &table, 1, &two);
    ww_stats_add_to_part(machine, &table, 1, &three);
    ww_stats_mark(machine);
    three.accesses += 10;
    three.hits += 5;
    three.misses += 5;
    ww_stats_read(machine);
    assert_int_equal(ww_stats_find(machine, "l1.hits")->count, 5);
    assert_int_equal(ww_stats_find(machine, "l1[0].hits")->count, 0);
    assert_int_equal(ww_stats_find(machine, "l1[1].hits")->count, 5);
    assert_true(ww_stats_find(machine, "l1[1].hit_rate")->real == 0.5);
    assert_int_equal(ww_stats_find(machine, "l1[0].latency_count")->count, 50);
    assert_int_equal(ww_stats_find(machine, "l1.hits")->part, WW_ALL_PARTS);
    assert_int_equal(ww_stats_find(machine, "l1[1].hits")->part, 1);
    assert_null(ww_stats_find(machine, "l1[2].hits"));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ww_stats_write(machine, 100, out);
    fclose(out);
    assert_non_null(strstr(text, "\nl1[1]: a cache\n"));
    free(text);
    ww_stats_destroy(machine);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(instances_are_summed),
        TEST(weights_scale_what_was_counted),
        TEST(parts_have_sums_of_their_own),
        TEST(laws_are_checked),
        TEST(text_is_aligned),
        TEST(json_is_flat_and_shortest),
        TEST(doubles_read_back),
        TEST(percentiles_are_close),
        TEST(execution_obeys_its_law),
        TEST(declarations_have_units_and_docs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
