/* A study that is killed at random moments and begun again ends with the same database as an undisturbed one. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define KILLS 10
#define SEED 20260101

static const char study[] =
    "machine: gtx480-cawa\n"
    "size: tiny\n"
    "workloads: [backprop, hotspot, transpose]\n"
    "variants:\n"
    "  rr: {core.scheduler: rr}\n"
    "  gto: {core.scheduler: gto}\n"
    "axes: {l1d.size: [16KiB, 0]}\n"
    "figures: {a: {metric: cycles, where: {l1d.size: 16KiB}, sets: [all]}}\n";

/* All that does not depend on the host, in a fixed order. */
static const char *const questions[] = {
    "SELECT * FROM results",
    "SELECT study, number, name, value FROM result_measures "
    "WHERE name NOT LIKE 'host%' ORDER BY study, number, name",
    "SELECT id, identity, build, workload, size, machine, region, seed, command, status, "
    "exit_status, "
    "message, verified, cycles FROM runs ORDER BY id",
    "SELECT run, key, value FROM settings ORDER BY run, key",
    "SELECT * FROM kernels ORDER BY run, entry",
    "SELECT * FROM published",
};

static pid_t start(const char *database)
{
    pid_t pid = fork();
    if (pid == 0) {
        freopen("/dev/null", "w", stdout);
        freopen("kill_errors.txt", "w", stderr);
        execl(getenv("WARPWALK"), "warpwalk", "sweep", "killed.yaml", "--jobs", "2", "--db",
              database, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static int finish(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void write_row(sqlite3_stmt *s, FILE *out)
{
    for (int i = 0; i < sqlite3_column_count(s); i++)
        fprintf(out, "%s|",
                sqlite3_column_text(s, i) ? (const char *)sqlite3_column_text(s, i) : "");
    fputc('\n', out);
}

static char *content_of(const char *path)
{
    sqlite3 *db;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        sqlite3_stmt *s;
        assert_int_equal(sqlite3_prepare_v2(db, questions[i], -1, &s, NULL), SQLITE_OK);
        while (sqlite3_step(s) == SQLITE_ROW)
            write_row(s, out);
        sqlite3_finalize(s);
    }
    sqlite3_close(db);
    fclose(out);
    return text;
}

static void killed_studies_end_alike(void **state)
{
    (void)state;
    ww_rng rng;
    ww_errors *errors = ww_errors_create();
    assert_int_equal(system("rm -rf whole.db killed.db whole.db.work killed.db.work"), 0);
    assert_int_equal(ww_write_file("killed.yaml", study, strlen(study), errors), WW_OK);
    assert_int_equal(finish(start("whole.db")), 0);
    ww_rng_seed(&rng, SEED);
    int killed = 0;
    for (int i = 0; i < KILLS; i++) {
        struct timespec pause = {.tv_nsec = (long)ww_rng_below(&rng, 150000000)};
        pid_t pid = start("killed.db");
        nanosleep(&pause, NULL);
        kill(pid, SIGKILL);
        killed += finish(pid) == -SIGKILL;
    }
    assert_int_equal(finish(start("killed.db")), 0);
    char *whole = content_of("whole.db"), *other = content_of("killed.db");
    print_message("seed %d: %d of %d were killed in time\n", SEED, killed, KILLS);
    assert_true(strlen(whole) > 10000);
    assert_string_equal(whole, other);
    assert_int_equal(access("killed.db.work", F_OK), -1);
    free(whole);
    free(other);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_studies_end_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
