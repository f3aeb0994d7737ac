/* Plans and figures: which runs points share, and numbers worked out by hand from made-up
 * results. */
#include "base/text.h"
#include "study/figure.h"
#include "study/runner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static ww_study *parse(const char *text)
{
    ww_errors *errors = ww_errors_create();
    ww_study *study = ww_study_parse("test.yaml", text, strlen(text), errors);
    ww_errors_print(errors, stderr);
    assert_non_null(study);
    ww_errors_destroy(errors);
    return study;
}

static ww_plan *plan_of(const ww_study *study, const char *size)
{
    ww_errors *errors = ww_errors_create();
    ww_plan *plan = ww_plan_create(study, size, NULL, errors);
    ww_errors_print(errors, stderr);
    assert_non_null(plan);
    ww_errors_destroy(errors);
    return plan;
}

static size_t runs_of(const char *text)
{
    ww_study *study = parse(text);
    ww_plan *plan = plan_of(study, NULL);
    size_t count = plan->runs.count;
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    return count;
}

static void points_that_mean_the_same_share_a_run(void **state)
{
    (void)state;
    assert_int_equal(runs_of("workloads: [atax, bfs]\nseeds: [1, 2, 3]\n"), 6);
    /* The value that the key has anyway; a key of a policy that was not chosen; a size by its name
     * and by its values. */
    assert_int_equal(
        runs_of("machine: gtx480-cawa\nworkloads: [atax]\n"
                "variants: {a: {}, b: {l1d.ways: 16}, c: {core.two_level_active: 3}}\n"),
        1);
    assert_int_equal(runs_of("workloads: [atax]\n"
                             "axes: {n: {size: [tiny, 'rows=256,columns=256,group=64', small]}}\n"),
                     2);
    /* Keys that matter, seeds, regions and machines. */
    assert_int_equal(
        runs_of("workloads: [atax]\nvariants: {a: {}, b: {core.scheduler: two_level}}\n"
                "axes: {core.two_level_active: [3, 4]}\n"),
        3);
    assert_int_equal(
        runs_of("workloads: [{name: atax}, {name: atax, label: part, region: measure=9}]\n"
                "axes: {m: {machine: [v100, apu-isca18]}}\n"),
        4);
    /* Hints, but not the way they are written. */
    assert_int_equal(
        runs_of("workloads: [atax]\nvariants: {a: {}, b: {hints: A=prefetch}, c: {hints: none},\n"
                "  d: {hints: 'A=prefetch:true '}, e: {hints: '*=prefetch'}}\n"),
        3);
    /* Sweeps share. */
    assert_int_equal(runs_of("workloads: [atax, bfs]\nvariants: {a: {}, b: {core.scheduler: rr}}\n"
                             "sweeps: {x: {variants: [a]}, y: {workloads: [atax]}}\n"),
                     3);
}

static void sizes_come_from_the_nearest(void **state)
{
    (void)state;
    static const char text[] =
        "size: tiny\n"
        "region: measure=7\n"
        "paper: {size: cuptw}\n"
        "workloads: [atax, {name: bicg, size: small, paper: {size: isca18, region: measure=5}}]\n";
    static const struct {
        const char *asked, *first, *second, *first_region, *second_region;
    } cases[] = {
        {NULL, "tiny", "small", "measure=7", "measure=7"},
        {"paper", "cuptw", "isca18", "", "measure=5"},
        {"small", "small", "small", "", ""},
    };
    ww_study *study = parse(text);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ww_plan *plan = plan_of(study, cases[i].asked);
        assert_string_equal(plan->runs.items[0]->size, cases[i].first);
        assert_string_equal(plan->runs.items[1]->size, cases[i].second);
        assert_string_equal(plan->runs.items[0]->region, cases[i].first_region);
        assert_string_equal(plan->runs.items[1]->region, cases[i].second_region);
        ww_plan_destroy(plan);
    }
    ww_study_destroy(study);
}

/* The nearest is the last one, which overrides: workload, study, sweep, variant, axes. */
static void hints_are_joined(void **state)
{
    (void)state;
    ww_study *study =
        parse("hints: b=prefetch\n"
              "workloads: [{name: atax, hints: a=prefetch}]\n"
              "variants: {v: {hints: 'd=preferred:gpu,read_mostly'}}\n"
              "sweeps: {s: {hints: c=accessed_by, axes: {x: {hints: [none, e=prefetch]}}}}\n");
    ww_plan *plan = plan_of(study, NULL);
    static const char shared[] = "a=prefetch:true b=prefetch:true c=accessed_by:gpu "
                                 "d=preferred:gpu d=read_mostly:true";
    assert_int_equal(plan->runs.count, 2);
    assert_string_equal(plan->runs.items[0]->hints, shared);
    assert_memory_equal(plan->runs.items[1]->hints, shared, sizeof(shared) - 1);
    assert_string_equal(plan->runs.items[1]->hints + sizeof(shared) - 1, " e=prefetch:true");
    assert_non_null(strstr(plan->runs.items[0]->command, " --hint 'a=prefetch:true b="));
    ww_plan_destroy(plan);
    ww_study_destroy(study);
}

static void a_point_and_its_number_agree(void **state)
{
    (void)state;
    ww_study *study =
        parse("workloads: [atax, bfs]\nvariants: {a: {}, b: {}, c: {}}\nseeds: [1, 2]\n"
              "axes: {l1d.size: [0, 16KiB], l2.size: [0, 1MiB, 2MiB]}\n");
    const ww_sweep *sweep = &study->sweeps[0];
    assert_int_equal(sweep->count, 2 * 3 * 2 * 3 * 2);
    for (size_t i = 0; i < sweep->count; i++) {
        ww_coordinates point = ww_sweep_point(sweep, i);
        assert_int_equal(ww_sweep_index(sweep, &point), i);
    }
    assert_int_equal(ww_sweep_point(sweep, 1).seed, 1);
    assert_int_equal(ww_sweep_point(sweep, 2).axis[1], 1);
    ww_study_destroy(study);
}

/* ---- figures ---- */

static const char study_text[] =
    "workloads: [atax, bfs]\n"
    "sets: {one: [bfs]}\n"
    "variants: {slow: {core.scheduler: rr}, fast: {core.scheduler: gto}}\n"
    "seeds: [1, 2]\n"
    "metrics:\n"
    "  speedup: cycles[slow] / cycles\n"
    "  hits: {value: l1d.hits, fold: sum}\n"
    "figures:\n"
    "  a: {metric: speedup, sets: [all, one], references: [{row: all, column: fast, value: 4, "
    "source: us}]}\n"
    "  b: {metric: hits, rows: variant, columns: seed}\n";

/* atax slow 800 1000, fast 100 500; bfs slow 90 90, fast 45 -: the last one failed. */
static const int64_t cycles[] = {800, 1000, 100, 500, 90, 90, 45, 0};

static ww_results *store_made_up(const ww_plan *plan, ww_errors *errors)
{
    ww_known_runs known;
    unlink("made_up.db");
    ww_results *results = ww_results_open("made_up.db", WW_RESULTS_WRITE, errors);
    assert_non_null(results);
    assert_int_equal(ww_results_register(results, plan, NULL, errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    for (size_t i = 0; i < 8; i++) {
        ww_outcome outcome = {.run = known.numbers[i], .exit_status = i == 7, .message = "why"};
        if (i < 7)
            outcome.result =
                json_pack("{s:I, s:{s:I}, s:{}, s:[]}", "cycles", (json_int_t)cycles[i], "stats",
                          "l1d.hits", (json_int_t)(i + 1), "config", "kernels");
        assert_int_equal(ww_results_store(results, &outcome, errors), WW_OK);
        json_decref(outcome.result);
    }
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    assert_int_equal(known.states[0], WW_RUN_DONE);
    assert_int_equal(known.states[7], WW_RUN_FAILED);
    return results;
}

static void expect_cell(const ww_grid *grid, size_t row, size_t column, double value, double low,
                        double high)
{
    const ww_cell *cell = &grid->cells[row * grid->column_count + column];
    if (isnan(value)) {
        assert_true(isnan(cell->value));
        return;
    }
    assert_true(fabs(cell->value - value) < 1e-12);
    assert_true(fabs(cell->low - low) < 1e-12 && fabs(cell->high - high) < 1e-12);
}

static void figures_fold_workloads_and_seeds(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_study *study = parse(study_text);
    ww_plan *plan = plan_of(study, "tiny");
    assert_int_equal(plan->runs.count, 8);
    ww_results *results = store_made_up(plan, errors);
    ww_measures *measures = ww_measures_read(study, results, 1, errors);
    ww_grid a = ww_figure_compute(study, &study->figures[0], measures);
    assert_int_equal(a.row_count, 4);
    assert_string_equal(a.rows[3], "one");
    expect_cell(&a, 0, 0, 1, 1, 1);
    expect_cell(&a, 0, 1, 5, 2, 8); /* seeds: 8 and 2 */
    expect_cell(&a, 1, 0, 1, 1, 1);
    expect_cell(&a, 1, 1, NAN, NAN, NAN);
    expect_cell(&a, 2, 1, NAN, NAN, NAN);
    assert_true(a.cells[2 * 2 + 1].reference->value == 4);
    ww_grid b = ww_figure_compute(study, &study->figures[1], measures);
    expect_cell(&b, 0, 0, 1 + 5, 6, 6);
    expect_cell(&b, 0, 1, 2 + 6, 8, 8);
    expect_cell(&b, 1, 0, 3 + 7, 10, 10);
    expect_cell(&b, 1, 1, NAN, NAN, NAN);
    ww_measures_destroy(measures);

    /* The failed run succeeds: geometric means of 8 and 2, and of 2 and 0.5, over the workloads. */
    ww_known_runs known;
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    ww_outcome outcome = {.run = known.numbers[7],
                          .result =
                              json_pack("{s:I, s:{s:I}, s:{}, s:[]}", "cycles", (json_int_t)180,
                                        "stats", "l1d.hits", (json_int_t)8, "config", "kernels")};
    assert_int_equal(ww_results_store(results, &outcome, errors), WW_OK);
    json_decref(outcome.result);
    measures = ww_measures_read(study, results, 1, errors);
    a = ww_figure_compute(study, &study->figures[0], measures);
    expect_cell(&a, 1, 1, 1.25, 0.5, 2);
    expect_cell(&a, 2, 1, 2.5, 1, 4); /* sqrt(8 * 2) and sqrt(2 * 0.5) */
    expect_cell(&a, 3, 1, 1.25, 0.5, 2);
    ww_measures_destroy(measures);
    ww_results_close(results);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
}

/* ---- the runner ---- */

/* A result that a process left behind in the work folder, as `run --json` writes it. */
static void leave_result(const ww_plan *plan, size_t run, ww_errors *errors)
{
    char *path =
        ww_format("left.db.work/%s-%.8s.json", plan->runs.items[run]->identity, plan->build);
    json_t *result =
        json_pack("{s:b, s:n, s:I, s:{s:I}, s:{}, s:[]}", "complete", 1, "verified", "cycles",
                  (json_int_t)(run + 5), "stats", "l1d.hits", (json_int_t)1, "config", "kernels");
    char *text = json_dumps(result, 0);
    assert_int_equal(ww_write_file(path, text, strlen(text), errors), WW_OK);
    free(text);
    json_decref(result);
    free(path);
}

static void results_that_were_left_behind_are_taken(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    ww_study *study = parse("workloads: [atax, bfs]\n");
    ww_plan *plan = plan_of(study, "tiny");
    ww_known_runs known;
    ww_run_counts counts;
    FILE *log = tmpfile();
    ww_study_options options = {.jobs = 1, .log = log};
    unlink("left.db");
    mkdir("left.db.work", 0777);
    leave_result(plan, 0, errors);
    leave_result(plan, 1, errors);
    ww_work_folder folder;
    assert_int_equal(ww_work_folder_open(&folder, "left.db", errors), WW_OK);
    ww_results *results = ww_results_open("left.db", WW_RESULTS_WRITE, errors);
    assert_int_equal(ww_results_register(results, plan, "tiny", errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    assert_int_equal(ww_runner_run(plan, results, &known, &options, &folder, &counts, errors),
                     WW_OK);
    assert_int_equal(counts.done, 2);
    double *cycles_there = ww_results_measure(results, 1, "cycles", 2, errors);
    assert_true(cycles_there[0] == 5 && cycles_there[1] == 6);
    ww_work_folder_close(&folder);
    assert_int_equal(access("left.db.work", F_OK), -1); /* nothing was in it any more */
    mkdir("left.db.work", 0777);
    leave_result(plan, 1, errors); /* which the database has */
    assert_int_equal(ww_work_folder_open(&folder, "left.db", errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    assert_int_equal(ww_runner_run(plan, results, &known, &options, &folder, &counts, errors),
                     WW_OK);
    assert_int_equal(counts.done, 0);
    ww_work_folder_close(&folder);
    assert_int_equal(access("left.db.work", F_OK), -1);
    free(cycles_there);
    fclose(log);
    ww_results_close(results);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_mean_the_same_share_a_run),
        cmocka_unit_test(sizes_come_from_the_nearest),
        cmocka_unit_test(hints_are_joined),
        cmocka_unit_test(a_point_and_its_number_agree),
        cmocka_unit_test(figures_fold_workloads_and_seeds),
        cmocka_unit_test(results_that_were_left_behind_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
