/* Malicious databases (docs/trust.md): a report runs nothing of theirs, writes nowhere else,
 * and comes to an end. */
#include "base/fold.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "study/report.h"
#include "study/results.h"
#include "study/runner.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define DB "trust.db"

/* A database with a run that failed. */
static void make_database(void)
{
    static const char text[] = "workloads: [atax]\nsize: tiny\n";
    ww_errors *errors = ww_errors_create();
    ww_study *study = ww_study_parse("test.yaml", text, strlen(text), errors);
    ww_plan *plan = ww_plan_create(study, NULL, NULL, errors);
    ww_known_runs known;
    unlink(DB);
    unlink(DB "-journal");
    ww_results *results = ww_results_open(DB, WW_RESULTS_WRITE, errors);
    assert_int_equal(ww_results_register(results, plan, NULL, errors), WW_OK);
    assert_int_equal(ww_results_known(results, plan, &known, errors), WW_OK);
    ww_outcome outcome = {.run = known.numbers[0], .exit_status = 1, .message = "why"};
    assert_int_equal(ww_results_store(results, &outcome, errors), WW_OK);
    ww_results_close(results);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    assert_int_equal(ww_errors_count(errors), 0);
    ww_errors_destroy(errors);
}

static void change(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(DB, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* The report as text; the caller frees it. NULL after an error that has this part. */
static char *report(const char *part)
{
    char *text = NULL;
    size_t length = 0;
    ww_errors *errors = ww_errors_create();
    FILE *out = open_memstream(&text, &length);
    int status = ww_report_write(DB, NULL, WW_REPORT_TEXT, WW_ANY_WIDTH, out, errors);
    fclose(out);
    assert_int_equal(status, part ? WW_BAD_INPUT : WW_OK);
    if (part)
        assert_non_null(strstr(ww_errors_line(errors, 0), part));
    ww_errors_destroy(errors);
    if (!part)
        return text;
    free(text);
    return NULL;
}

static void names_of_raw_results_stay_in_their_folder(void **state)
{
    (void)state;
    static const char *const names[] = {
        "'../../outside'",
        "'/tmp/outside'",
        "''",
        "'a/b'",
        "'.x'",
        "'a b'",
        "'<script>'",
        "hex(zeroblob(100000))",
        "'../out' || char(0)",
        "char(10)",
        "x'2e2e2f78'",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *sql = ww_format("UPDATE runs SET identity = %s, build = '/../x'", names[i]);
        ww_errors *errors = ww_errors_create();
        make_database();
        change(sql);
        assert_int_equal(ww_report_write_page(DB, "trust_page/inner", errors), WW_BAD_INPUT);
        assert_non_null(strstr(ww_errors_line(errors, 0), "a run has the identity '"));
        assert_int_equal(rmdir("trust_page/inner/runs"), 0); /* it is empty */
        assert_int_equal(rmdir("trust_page/inner"), 0);
        assert_int_equal(rmdir("trust_page"), 0);
        ww_errors_destroy(errors);
        free(sql);
    }
}

static void a_report_has_no_control_characters(void **state)
{
    (void)state;
    make_database();
    change("UPDATE runs SET message = char(27) || ']0;x' || char(7), machine = char(27) || '[2J', "
           "command = char(155) || 'x' || char(13), size = char(127)");
    char *text = report(NULL);
    assert_non_null(strstr(text, "exit status 1: ?]0;x?"));
    for (const char *c = text; *c; c++)
        assert_true(((unsigned char)*c >= ' ' || *c == '\n') && *c != 127 &&
                    (unsigned char)*c != 0x9b);
    free(text);
}

static void a_schema_computes_nothing(void **state)
{
    (void)state;
    make_database();
    change("PRAGMA foreign_keys = OFF; ALTER TABLE studies RENAME TO old; CREATE VIEW Studies AS "
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT i AS id, 'x' AS name, '' AS file, '' AS text, '' AS asked_size FROM n");
    report("a database, but not of warpwalk results");

    make_database();
    change("CREATE TRIGGER evil AFTER INSERT ON studies BEGIN DELETE FROM runs; END");
    ww_errors *errors = ww_errors_create();
    ww_results *results = ww_results_open(DB, WW_RESULTS_WRITE, errors);
    assert_non_null(results);
    static const char text[] = "name: other\nworkloads: [bfs]\nsize: tiny\n";
    ww_study *study = ww_study_parse("other.yaml", text, strlen(text), errors);
    ww_plan *plan = ww_plan_create(study, NULL, NULL, errors);
    assert_int_equal(ww_results_register(results, plan, NULL, errors), WW_OK);
    ww_results_close(results);
    ww_plan_destroy(plan);
    ww_study_destroy(study);
    ww_errors_destroy(errors);
    char *shown = report(NULL);
    assert_non_null(strstr(shown, "1 failed"));
    free(shown);
}

/* A journal of no pages that names a file, as SQLite writes it for several databases at once. */
static void make_journal(const char *victim)
{
    static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char head[512] = {0}, *numbers = head + 8;
    struct stat info;
    assert_int_equal(stat(DB, &info), 0);
    uint32_t pages = (uint32_t)(info.st_size / 4096), sum = 0, length = (uint32_t)strlen(victim);
    memcpy(head, mark, 8);
    numbers[11] = (unsigned char)pages;
    numbers[10] = (unsigned char)(pages >> 8);
    numbers[14] = 2;  /* sectors of 512 bytes */
    numbers[18] = 16; /* pages of 4096 */
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)victim[i];
    FILE *out = fopen(DB "-journal", "w");
    assert_non_null(out);
    fwrite(head, 1, sizeof(head), out);
    uint32_t numbers_behind[2] = {__builtin_bswap32(length), __builtin_bswap32(sum)};
    fwrite("\0\4\0\1", 1, 4, out);
    fwrite(victim, 1, length, out);
    fwrite(numbers_behind, 4, 2, out);
    fwrite(mark, 1, 8, out);
    fclose(out);
}

static void a_journal_removes_no_file(void **state)
{
    (void)state;
    char *victim = realpath(".", NULL), *path = ww_format("%s/victim", victim);
    ww_errors *errors = ww_errors_create();
    assert_int_equal(ww_write_file(path, "dear", 4, errors), WW_OK);
    make_database();
    change("PRAGMA journal_mode = DELETE");
    make_journal(path);
    report("a journal that names another file");
    assert_null(ww_results_open(DB, WW_RESULTS_WRITE, errors));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    unlink(DB "-journal");
    ww_errors_destroy(errors);
    free(path);
    free(victim);
}

static void insides_and_outsides(void **state)
{
    (void)state;
    mkdir("trust_folder", 0777);
    assert_true(ww_path_is_inside("trust_folder", "."));
    assert_true(ww_path_is_inside("trust_folder", ""));
    assert_true(ww_path_is_inside("trust_folder/../trust_folder", "trust_folder"));
    assert_true(ww_path_is_inside("trust_folder", "/"));
    assert_false(ww_path_is_inside(".", "trust_folder"));
    assert_false(ww_path_is_inside("trust_folder/none", "."));
    mkdir("trust_folder2", 0777);
    assert_false(ww_path_is_inside("trust_folder2", "trust_folder"));
    rmdir("trust_folder2");
    rmdir("trust_folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_raw_results_stay_in_their_folder),
        cmocka_unit_test(a_report_has_no_control_characters),
        cmocka_unit_test(a_schema_computes_nothing),
        cmocka_unit_test(a_journal_removes_no_file),
        cmocka_unit_test(insides_and_outsides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
