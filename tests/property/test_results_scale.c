/* A database of 10,000 runs stays quick: what SQLite does for a plan, a report or a question grows
 * with the number of runs, not with its square. Counted in steps of its virtual machine, which are
 * the same on every host. */
#include "base/fold.h"
#include "base/text.h"
#include "study/results.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define STEPS_AT_ONCE 100
#define STATISTICS 12

static unsigned long long steps; /* of all connections, in units of STEPS_AT_ONCE */

static int count_steps(void *context)
{
    (void)context;
    steps++;
    return 0;
}

/* SQLite calls it for each connection that is opened. */
static int watch(sqlite3 *db, char **message, const void *api)
{
    (void)message;
    (void)api;
    sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, NULL);
    return SQLITE_OK;
}

/* Ten workloads, of alternating sizes: runs of a kind do not follow each other. */
static char *study_of(size_t runs)
{
    char *sizes = ww_strdup("tiny"), *mshrs = ww_strdup("1");
    for (size_t i = 2; i <= runs / 20; i++) {
        char *more_sizes = ww_format("%s, %s", sizes, i % 2 ? "tiny" : "small");
        char *more_mshrs = ww_format("%s, %zu", mshrs, i);
        free(sizes);
        free(mshrs);
        sizes = more_sizes;
        mshrs = more_mshrs;
    }
    char *text = ww_format(
        "name: scale\nmachine: gtx480-cawa\n"
        "workloads: [atax, bicg, bfs, hotspot, backprop, mvt, gups, xsbench, transpose, kmeans]\n"
        "variants: {rr: {core.scheduler: rr}, gto: {core.scheduler: gto}}\n"
        "axes: {n: {l1d.mshrs: [%s], size: [%s]}}\n"
        "metrics: {speedup: 'cycles[rr] / cycles', misses: l1d.misses}\n"
        "figures:\n"
        "  a: {metric: speedup, where: {n: 16}, sets: [all]}\n"
        "  b: {metric: misses, rows: n, columns: variant}\n",
        mshrs, sizes);
    free(sizes);
    free(mshrs);
    return text;
}

/* Every run is done, with some statistics. */
static void fill(const char *path)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *text = ww_format(
        "BEGIN; INSERT INTO configs (hash, keys) VALUES ('c', '{\"l1d.size\": \"16KiB\"}');"
        "UPDATE runs SET status = 'done', cycles = 1000 + id %% 97, wall_seconds = 0.1, config = 1;"
        "INSERT INTO stat_names (name) VALUES ('l1d.misses');"
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
        "INSERT INTO stat_names (name) SELECT 's.' || i FROM n;"
        "INSERT INTO stat_values SELECT runs.id, stat_names.id, runs.id FROM runs, stat_names; "
        "COMMIT",
        STATISTICS - 1);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    free(text);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

typedef struct costs {
    unsigned long long begin, resume, text, csv, json, questions[5];
} costs;

static const char *const questions[5] = {
    "SELECT workload, variant, 1 / ratio FROM comparisons "
    "WHERE study = 'scale' AND name = 'cycles' AND baseline = 'rr'",
    "SELECT workload, variant, ratio FROM comparisons "
    "WHERE study = 'scale' AND name = 'l1d.misses' AND baseline = 'rr'",
    "SELECT workload, variant, value FROM result_measures "
    "WHERE study = 'scale' AND name = 'l1d.misses'",
    "SELECT * FROM progress",
    "SELECT workload, variant, message FROM failures",
};

static unsigned long long since(unsigned long long before)
{
    return steps - before;
}

static unsigned long long cost_of_question(const char *path, const char *question)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    unsigned long long before = steps;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, question, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        continue;
    assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
    sqlite3_close(db);
    return since(before);
}

static unsigned long long cost_of_report(const char *path, ww_report_format format, size_t most)
{
    ww_errors *errors = ww_errors_create();
    FILE *out = tmpfile();
    unsigned long long before = steps;
    assert_int_equal(ww_report_write(path, NULL, format, WW_ANY_WIDTH, out, errors), WW_OK);
    assert_true(ftell(out) > 500 && (size_t)ftell(out) < most);
    fclose(out);
    ww_errors_destroy(errors);
    return since(before);
}

/* A start of the study up to where runs would be made: opened, registered, asked what is done. */
static unsigned long long cost_of_start(const char *path, const ww_plan *plan, size_t wanted)
{
    ww_errors *errors = ww_errors_create();
    ww_known_runs known;
    unsigned long long before = steps;
    ww_results *results = ww_results_open(path, WW_RESULTS_WRITE, errors);
    assert_non_null(results);
    assert_int_equal(ww_results_register(results, plan, NULL, errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    size_t done = 0;
    for (size_t i = 0; i < plan->runs.count; i++)
        done += known.states[i] == WW_RUN_DONE;
    assert_int_equal(done, wanted);
    ww_results_close(results);
    ww_errors_destroy(errors);
    return since(before);
}

static costs measure(size_t runs)
{
    costs c;
    ww_errors *errors = ww_errors_create();
    char *path = ww_format("scale_%zu.db", runs), *text = study_of(runs);
    ww_study *study = ww_study_parse("scale.yaml", text, strlen(text), errors);
    ww_plan *plan = ww_plan_create(study, NULL, NULL, errors);
    ww_errors_print(errors, stderr);
    assert_int_equal(plan->runs.count, runs);
    unlink(path);
    c.begin = cost_of_start(path, plan, 0);
    fill(path);
    c.resume = cost_of_start(path, plan, runs);
    c.text = cost_of_report(path, WW_REPORT_TEXT, 1000000);
    c.csv = cost_of_report(path, WW_REPORT_CSV, 1000000);
    c.json = cost_of_report(path, WW_REPORT_JSON, 100000000);
    for (size_t i = 0; i < 5; i++)
        c.questions[i] = cost_of_question(path, questions[i]);
    unlink(path);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    ww_errors_destroy(errors);
    free(text);
    free(path);
    return c;
}

/* Ten times the runs: ten times the steps, and a little for what is done once. */
static void expect_linear(const char *what, unsigned long long few, unsigned long long many)
{
    print_message("%-40.40s %8.1f and %8.1f thousand steps\n", what, (double)few / 10,
                  (double)many / 10);
    assert_true(many <= 12 * few + 100);
}

static void ten_thousand_runs_stay_quick(void **state)
{
    (void)state;
    sqlite3_auto_extension((void (*)(void))watch);
    costs few = measure(1000), many = measure(10000);
    expect_linear("begin", few.begin, many.begin);
    expect_linear("resume", few.resume, many.resume);
    expect_linear("report", few.text, many.text);
    expect_linear("report --csv", few.csv, many.csv);
    expect_linear("report --json", few.json, many.json);
    for (size_t i = 0; i < 5; i++)
        expect_linear(questions[i], few.questions[i], many.questions[i]);
    assert_true(many.begin > 1000 && many.text > 1000); /* something was counted */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_runs_stay_quick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
