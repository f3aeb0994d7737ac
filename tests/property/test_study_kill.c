/* A study that is killed at random moments and begun again ends with the same database as an
 * undisturbed one. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "support/study_content.h"

#include <setjmp.h>
#include <signal.h>
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
    char *whole = study_content("whole.db"), *other = study_content("killed.db");
    print_message("seed %d: %d of %d were killed in time\n", SEED, killed, KILLS);
    assert_non_null(whole);
    assert_non_null(other);
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
