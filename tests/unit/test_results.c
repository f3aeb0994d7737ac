/* The database: what a run stores in it, older and newer versions, and files that are not what they
 * should be. */
#include "base/build_id.h"
#include "base/text.h"
#include "study/results.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char study_text[] = "machine: gtx480-cawa\nsize: tiny\nworkloads: [atax]\n"
                                 "seeds: [1, 2, 3, 4, 5, 6, 7, 8]\n";

/* Runs a statement on a file and returns its first column's first value; the caller frees it. */
static char *ask(const char *path, const char *statement)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    char *answer = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    const char *rest = statement;
    while (*rest) {
        assert_int_equal(sqlite3_prepare_v2(db, rest, -1, &s, &rest), SQLITE_OK);
        if (sqlite3_step(s) == SQLITE_ROW && !answer)
            answer = ww_strdup(sqlite3_column_text(s, 0) ? (const char *)sqlite3_column_text(s, 0)
                                                         : "NULL");
        sqlite3_finalize(s);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return answer;
}

static void expect_answer(const char *path, const char *question, const char *wanted)
{
    char *answer = ask(path, question);
    assert_string_equal(answer, wanted);
    free(answer);
}

static void change(const char *path, const char *statements)
{
    free(ask(path, statements));
}

static void remove_database(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 4; i++) {
        char *name = ww_format("%s%s", path, ends[i]);
        unlink(name);
        free(name);
    }
}

/* A database of eight runs, all done but the last. */
static void make_database(const char *path)
{
    ww_errors *errors = ww_errors_create();
    ww_study *study = ww_study_parse("test.yaml", study_text, strlen(study_text), errors);
    ww_plan *plan = ww_plan_create(study, NULL, NULL, errors);
    ww_known_runs known;
    remove_database(path);
    ww_results *results = ww_results_open(path, WW_RESULTS_WRITE, errors);
    assert_non_null(results);
    assert_int_equal(ww_results_register(results, plan, NULL, errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    assert_int_equal(plan->runs.count, 8);
    for (size_t i = 0; i < 7; i++) {
        json_t *result =
            json_pack("{s:i, s:{s:i, s:f}, s:{s:s, s:s}, s:{s:i, s:[f, i, i], s:[i, f]}, "
                      "s:[{s:s, s:i, s:i, s:i}], s:b}",
                      "cycles", 100 * (int)i, "stats", "l1d.hits", (int)i, "l1d.hit_rate", 0.5,
                      "config", "l1d.size", "16KiB", "gpu.clock", "2GHz", "series", "cycles", 3000,
                      "faults", 0.25, 7, (int)i, "link_in", 1, 0.1, "kernels", "entry", "one",
                      "cycles", 5, "warp_instructions", 6, "thread_instructions", 7, "verified", 1);
        ww_outcome outcome = {.run = known.numbers[i], .result = result, .wall_seconds = 90};
        assert_int_equal(ww_results_store(results, &outcome, errors), WW_OK);
        json_decref(result);
    }
    ww_results_close(results);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    ww_errors_destroy(errors);
}

/* Opening the file fails with this status and this one line. */
static void expect_refusal(const char *path, ww_results_mode mode, int status, const char *line)
{
    ww_errors *errors = ww_errors_create();
    assert_null(ww_results_open(path, mode, errors));
    assert_int_equal(ww_errors_count(errors), 1);
    assert_string_equal(ww_errors_line(errors, 0), line);
    assert_int_equal(ww_errors_status(errors), status);
    ww_errors_destroy(errors);
}

static void a_run_tells_where_it_comes_from(void **state)
{
    (void)state;
    char host[128] = "", commit[WW_COMMIT_CHARS], build[WW_IDENTITY_CHARS];
    make_database("origin.db");
    gethostname(host, sizeof(host) - 1);
    ww_build_commit(commit);
    ww_build_text(build);
    expect_answer("origin.db", "SELECT count(*) FROM runs WHERE status = 'done'", "7");
    expect_answer("origin.db", "SELECT version FROM runs WHERE id = 3", WW_VERSION);
    expect_answer("origin.db", "SELECT build FROM runs WHERE id = 3", build);
    expect_answer("origin.db", "SELECT git_commit FROM runs WHERE id = 3", commit);
    expect_answer("origin.db", "SELECT seed FROM runs WHERE id = 3", "3");
    expect_answer("origin.db", "SELECT host FROM runs WHERE id = 3", host);
    expect_answer("origin.db", "SELECT value FROM settings WHERE run = 3 AND key = 'l1d.size'",
                  "16KiB");
    expect_answer("origin.db",
                  "SELECT round((julianday(finished) - julianday(started)) * 86400) FROM runs "
                  "WHERE id = 3",
                  "90.0");
    expect_answer("origin.db",
                  "SELECT count(*) FROM runs WHERE finished LIKE '20__-__-__T__:__:__Z'", "7");
    expect_answer("origin.db", "SELECT host IS NULL AND started IS NULL FROM runs WHERE id = 8",
                  "1");
    assert_true(strlen(commit) > 0 && strlen(commit) < WW_COMMIT_CHARS);
}

/* ---- numbers over time ---- */

static ww_stored_series series_of(const char *path, size_t point, const char *name, ww_arena *arena)
{
    ww_errors *errors = ww_errors_create();
    ww_results *results = ww_results_open(path, WW_RESULTS_READ, errors);
    assert_non_null(results);
    ww_stored_series series = ww_results_series(results, 1, point, name, arena, errors);
    assert_int_equal(ww_errors_status(errors), WW_OK);
    ww_results_close(results);
    ww_errors_destroy(errors);
    return series;
}

static void a_run_has_its_numbers_over_time(void **state)
{
    (void)state;
    ww_arena *arena = ww_arena_create();
    make_database("series.db");
    expect_answer("series.db", "SELECT bins FROM series WHERE run = 3 AND name = 'link_in'",
                  "[1,0.1]");
    ww_stored_series faults = series_of("series.db", 6, "faults", arena);
    assert_int_equal(faults.count, 3);
    assert_true(faults.seconds == 3000 / 2e9); /* cycles of the series, not of the run */
    assert_true(faults.bins[0] == 0.25 && faults.bins[1] == 7 && faults.bins[2] == 6);
    assert_int_equal(series_of("series.db", 6, "resident", arena).count, 0);
    assert_int_equal(series_of("series.db", 7, "faults", arena).count, 0); /* not done */
    ww_arena_destroy(arena);
}

static void a_repeated_run_has_its_new_numbers_only(void **state)
{
    (void)state;
    ww_arena *arena = ww_arena_create();
    ww_errors *errors = ww_errors_create();
    make_database("series.db");
    ww_results *results = ww_results_open("series.db", WW_RESULTS_WRITE, errors);
    json_t *result = json_pack("{s:{s:s}, s:{s:i, s:[i]}}", "config", "gpu.clock", "1GHz", "series",
                               "cycles", 500, "faults", 9);
    ww_outcome outcome = {.run = 3, .result = result};
    assert_int_equal(ww_results_store(results, &outcome, errors), WW_OK);
    json_decref(result);
    ww_results_close(results);
    ww_stored_series faults = series_of("series.db", 2, "faults", arena);
    assert_int_equal(faults.count, 1);
    assert_true(faults.bins[0] == 9 && faults.seconds == 500 / 1e9);
    assert_int_equal(series_of("series.db", 2, "link_in", arena).count, 0);
    ww_errors_destroy(errors);
    ww_arena_destroy(arena);
}

/* Where a file says nonsense, there are no bins. */
static void nonsense_over_time_is_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "bins = '[1,'",
        "bins = '{\"a\": 1}'",
        "bins = '[1, \"2\"]'",
        "bins = '[[1], 2]'",
        "bins = ''",
        "bins = '[]'",
        "cycles = 0",
        "cycles = -5",
        "cycles = 'many'",
        "bins = '[' || substr(replace(hex(zeroblob(5000)), '00', ',1'), 2) || ']'"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ww_arena *arena = ww_arena_create();
        make_database("series.db");
        char *text = ww_format("UPDATE series SET %s", wrong[i]);
        change("series.db", text);
        assert_int_equal(series_of("series.db", 2, "faults", arena).count, 0);
        free(text);
        ww_arena_destroy(arena);
    }
}

/* What came with later versions is taken away. */
static void make_version_1(const char *path)
{
    make_database(path);
    change(path,
           "DROP VIEW comparisons; DROP VIEW pairs; DROP VIEW result_measures; DROP VIEW measures; "
           "DROP VIEW run_numbers; ALTER TABLE runs DROP COLUMN started; "
           "ALTER TABLE runs DROP COLUMN git_commit; DROP TABLE series; DROP TABLE lists; "
           "CREATE VIEW comparisons AS SELECT 1 AS ratio; PRAGMA user_version = 1;");
}

static void older_versions_are_brought_up_to_date(void **state)
{
    (void)state;
    make_database("new.db");
    char *columns = ask("new.db", "SELECT group_concat(name) FROM pragma_table_info('runs')");
    for (int mode = WW_RESULTS_READ; mode <= WW_RESULTS_WRITE; mode++) {
        ww_errors *errors = ww_errors_create();
        make_version_1("old.db");
        ww_results *results = ww_results_open("old.db", (ww_results_mode)mode, errors);
        assert_non_null(results);
        ww_results_close(results);
        expect_answer("old.db", "PRAGMA user_version", "6");
        expect_answer("old.db", "SELECT group_concat(name) FROM pragma_table_info('runs')",
                      columns);
        expect_answer("old.db", "SELECT sum(cycles) FROM results", "2100");
        expect_answer("old.db", "SELECT count(baseline_value) FROM comparisons", "0");
        expect_answer("old.db", "SELECT sum(value) FROM measures WHERE name = 'l1d.hits'", "21");
        expect_answer("old.db", "SELECT group_concat(name) FROM pragma_table_info('series')",
                      "run,name,cycles,bins");
        expect_answer("old.db", "SELECT group_concat(name) FROM pragma_table_info('lists')",
                      "run,name,number,entry");
        expect_answer("old.db", "SELECT count(*) FROM sqlite_master WHERE name = 'reuse'", "0");
        ww_errors_destroy(errors);
    }
    free(columns);
}

/* Version 5 had reuse distances in a table of their own. */
static void reuse_distances_of_version_5_are_kept(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    make_database("five.db");
    change("five.db",
           "DROP TABLE lists; CREATE TABLE reuse (run INTEGER, kernel TEXT, pc INTEGER, counts "
           "TEXT); INSERT INTO reuse VALUES (2, 'b\"', 7, '{\"uses\":3,\"0_3\":1}'), "
           "(2, 'a', 12, '{\"uses\":4}'), (1, 'a', 9, '{\"uses\":5}'); PRAGMA user_version = 5;");
    ww_results *results = ww_results_open("five.db", WW_RESULTS_READ, errors);
    assert_non_null(results);
    ww_results_close(results);
    expect_answer("five.db", "SELECT group_concat(run || name || number || entry, ';') FROM lists",
                  "1reuse0{\"kernel\":\"a\",\"pc\":9,\"uses\":5};"
                  "2reuse0{\"kernel\":\"a\",\"pc\":12,\"uses\":4};"
                  "2reuse1{\"kernel\":\"b\\\"\",\"pc\":7,\"uses\":3,\"0_3\":1}");
    ww_errors_destroy(errors);
}

static void later_versions_are_refused(void **state)
{
    (void)state;
    make_database("later.db");
    change("later.db", "PRAGMA user_version = 77;");
    for (int mode = WW_RESULTS_READ; mode <= WW_RESULTS_WRITE; mode++)
        expect_refusal("later.db", (ww_results_mode)mode, WW_BAD_INPUT,
                       "later.db: results of version 77 (this warpwalk knows those up to version "
                       "6)");
    expect_answer("later.db", "SELECT sum(cycles) FROM results", "2100");
}

/* Another program's database is not changed, not even its journal. */
static void databases_of_others_stay_as_they_are(void **state)
{
    (void)state;
    ww_errors *errors = ww_errors_create();
    char *before, *after;
    size_t before_count, after_count;
    remove_database("other.db");
    change("other.db", "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('here');");
    assert_int_equal(ww_read_file("other.db", WW_NOWHERE, &before, &before_count, errors), WW_OK);
    for (int mode = WW_RESULTS_READ; mode <= WW_RESULTS_WRITE; mode++)
        expect_refusal("other.db", (ww_results_mode)mode, WW_BAD_INPUT,
                       "other.db: a database, but not of warpwalk results");
    assert_int_equal(ww_read_file("other.db", WW_NOWHERE, &after, &after_count, errors), WW_OK);
    assert_int_equal(before_count, after_count);
    assert_memory_equal(before, after, before_count);
    free(before);
    free(after);
    /* One whose own version happens to be one of ours. */
    for (int version = 1; version <= 6; version++) {
        char *text = ww_format("PRAGMA user_version = %d;", version);
        change("other.db", text);
        free(text);
        for (int mode = WW_RESULTS_READ; mode <= WW_RESULTS_WRITE; mode++)
            expect_refusal("other.db", (ww_results_mode)mode, WW_BAD_INPUT,
                           "other.db: a database, but not of warpwalk results");
    }
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_tells_where_it_comes_from),
        cmocka_unit_test(a_run_has_its_numbers_over_time),
        cmocka_unit_test(a_repeated_run_has_its_new_numbers_only),
        cmocka_unit_test(nonsense_over_time_is_nothing),
        cmocka_unit_test(older_versions_are_brought_up_to_date),
        cmocka_unit_test(reuse_distances_of_version_5_are_kept),
        cmocka_unit_test(later_versions_are_refused),
        cmocka_unit_test(databases_of_others_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
