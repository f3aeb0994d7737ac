/* What a terminal shows while a study runs: a table in place, in windows of any size, and nothing
 * of it afterwards. */
#include "base/text.h"
#include "study/board.h"
#include "support/terminal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cmocka.h>

static const char study_text[] =
    "machine: gtx480-cawa\nsize: tiny\nworkloads: [atax, bfs]\n"
    "variants: {rr: {core.scheduler: rr}, gto: {core.scheduler: gto}}\n"
    "seeds: [1, 2]\n";

#define RUNS 8
typedef struct rig {
    terminal terminal;
    FILE *out;
    ww_study *study;
    ww_plan *plan;
    double usual[RUNS];
    ww_board board;
    ww_job jobs[RUNS];
    double seconds[RUNS]; /* that a job has run when it is shown */
} rig;

static void set_up(rig *r, size_t lines, size_t columns)
{
    ww_errors *errors = ww_errors_create();
    memset(r, 0, sizeof(*r));
    setenv("TERM", "xterm", 1);
    terminal_open(&r->terminal, lines, columns);
    r->out = fdopen(dup(r->terminal.slave), "w");
    r->study = ww_study_parse("test.yaml", study_text, strlen(study_text), errors);
    r->plan = ww_plan_create(r->study, NULL, NULL, errors);
    assert_non_null(r->plan);
    assert_int_equal(r->plan->runs.count, RUNS);
    for (size_t i = 0; i < RUNS; i++)
        r->usual[i] = NAN;
    fputs("before\n", r->out);
    ww_board_start(&r->board, r->plan, RUNS, r->usual, r->out);
    assert_true(r->board.terminal);
    ww_errors_destroy(errors);
}

static void tear_down(rig *r)
{
    fclose(r->out);
    terminal_close(&r->terminal);
    ww_plan_destroy(r->plan);
    ww_study_destroy(r->study);
}

static void begin(rig *r, size_t job, size_t run, double seconds)
{
    r->jobs[job] = (ww_job){.run = run, .pid = 1, .messages_path = (char *)(uintptr_t) "none.log"};
    r->seconds[job] = seconds;
}

static void show(rig *r, size_t jobs, double waiting)
{
    r->board.shown = 0; /* it is time to draw again */
    r->board.start = ww_seconds_now();
    for (size_t i = 0; i < RUNS; i++)
        r->jobs[i].start = r->board.start - r->seconds[i];
    ww_board_show(&r->board, r->jobs, jobs, waiting);
    terminal_take(&r->terminal);
}

static void expect_line(const rig *r, size_t line, const char *wanted)
{
    char text[TERMINAL_MOST + 1];
    assert_string_equal(terminal_line(&r->terminal, line, text), wanted);
}

static void expect_empty_from(const rig *r, size_t line)
{
    for (; line < r->terminal.lines; line++)
        expect_line(r, line, "");
}

static void the_table_is_drawn_in_place(void **state)
{
    (void)state;
    rig r;
    set_up(&r, 24, 100);
    begin(&r, 0, 0, 12.5);
    begin(&r, 1, 7, 200.5);
    r.usual[0] = 15.5;
    r.usual[7] = 4001;
    for (int i = 0; i < 3; i++)
        show(&r, 2, 400);
    expect_line(&r, 0, "before");
    expect_line(&r, 1, "0 of 8 runs done, 2 running, 6 waiting; 0 s, about 1:03:20 left");
    expect_line(&r, 2, "    time     usual  run");
    expect_line(&r, 3, "    12 s      15 s  atax tiny on gtx480-cawa core.scheduler=rr");
    expect_line(&r, 4, "    3:20   1:06:41  bfs tiny on gtx480-cawa core.scheduler=gto seed 2");
    expect_empty_from(&r, 5);

    /* One ended well, one did not; a third began. */
    json_t *result = json_object();
    ww_board_ended(&r.board, 0, &(ww_job_end){.result = result});
    ww_board_ended(&r.board, 7, &(ww_job_end){.message = (char *)(uintptr_t) "why\nand more"});
    json_decref(result);
    begin(&r, 0, 3, 0);
    r.jobs[1].pid = 0;
    show(&r, 2, NAN);
    expect_line(&r, 0, "before");
    expect_line(&r, 1, "[2/8] bfs tiny on gtx480-cawa core.scheduler=gto seed 2: FAILED: why");
    expect_line(&r, 2, "1 of 8 runs done, 1 failed, 1 running, 5 waiting; 0 s");
    expect_line(&r, 4, "     0 s         -  atax tiny on gtx480-cawa core.scheduler=gto seed 2");
    expect_empty_from(&r, 5);

    ww_board_end(&r.board);
    terminal_take(&r.terminal);
    expect_empty_from(&r, 2);
    assert_int_equal(r.terminal.line, 2);
    assert_int_equal(r.terminal.column, 0);
    tear_down(&r);
}

static void runs_tell_how_far_they_are(void **state)
{
    (void)state;
    rig r;
    ww_errors *errors = ww_errors_create();
    set_up(&r, 24, 100);
    begin(&r, 0, 0, 1);
    static const char text[] = "launch 1: 10%\nlaunch 2: 50%\n";
    assert_int_equal(ww_write_file("progress.log", text, strlen(text), errors), WW_OK);
    r.jobs[0].messages_path = (char *)(uintptr_t) "progress.log";
    show(&r, 1, 0);
    expect_line(&r, 3,
                "     1 s         -  atax tiny on gtx480-cawa core.scheduler=rr: launch 2: 50%");
    ww_board_end(&r.board);
    tear_down(&r);
    ww_errors_destroy(errors);
}

/* A log has a line for the first run that ended, for failures, for the last run, and one a
 * minute. */
static void a_log_has_a_line_a_minute(void **state)
{
    (void)state;
    rig r;
    char *text = NULL;
    size_t length = 0;
    set_up(&r, 24, 100);
    FILE *out = open_memstream(&text, &length);
    ww_board_start(&r.board, r.plan, RUNS, r.usual, out);
    assert_false(r.board.terminal);
    json_t *result = json_pack("{s:i}", "cycles", 7);
    for (size_t i = 0; i < RUNS; i++) {
        ww_job_end end = {
            .result = i == 2 ? NULL : result, .message = (char *)(uintptr_t) "why", .seconds = 1.5};
        if (i == 5)
            r.board.shown -= 60;
        ww_board_ended(&r.board, i, &end);
    }
    json_decref(result);
    fclose(out);
    assert_string_equal(
        text, "[1/8] atax tiny on gtx480-cawa core.scheduler=rr: 7 cycles, 1.5 s\n"
              "[3/8] atax tiny on gtx480-cawa core.scheduler=gto: FAILED: why\n"
              "[6/8] bfs tiny on gtx480-cawa core.scheduler=rr seed 2: 7 cycles, 1.5 s\n"
              "[8/8] bfs tiny on gtx480-cawa core.scheduler=gto seed 2: 7 cycles, 1.5 s\n");
    free(text);
    tear_down(&r);
}

static void the_table_fits_any_window(void **state)
{
    (void)state;
    for (size_t lines = 4; lines < 14; lines++)
        for (size_t columns = 10; columns < 90; columns += 13) {
            rig r;
            set_up(&r, lines, columns);
            for (size_t i = 0; i < RUNS; i++)
                begin(&r, i, i, 1);
            for (int i = 0; i < 3; i++)
                show(&r, RUNS, 0);
            /* Only "before" may have gone out at the top, once, whatever was drawn since. */
            assert_true(r.terminal.scrolled <= 1);
            char text[TERMINAL_MOST + 1];
            bool counted = strstr(terminal_line(&r.terminal, r.terminal.line - 1, text), " more");
            if (columns > 32)
                assert_int_equal(counted, lines < 11);
            ww_board_end(&r.board);
            terminal_take(&r.terminal);
            expect_empty_from(&r, r.terminal.line);
            assert_true(r.terminal.line <= 1);
            tear_down(&r);
        }
}

static void a_window_can_change_its_size(void **state)
{
    (void)state;
    rig r;
    set_up(&r, 30, 80);
    for (size_t i = 0; i < 3; i++)
        begin(&r, i, i + 2, 1);
    show(&r, 3, 0);
    static const size_t columns[] = {41, 21, 100, 33, 80};
    for (size_t i = 0; i < 5; i++) {
        terminal_resize(&r.terminal, 30, columns[i]);
        show(&r, 3, 0);
        char wanted[] = "0 of 8 runs done, 3 running, 5 waiting; 0 s";
        if (columns[i] < strlen(wanted))
            wanted[columns[i]] = 0;
        expect_line(&r, 0, "before");
        expect_line(&r, 1, wanted);
        expect_empty_from(&r, 6);
    }
    ww_board_end(&r.board);
    terminal_take(&r.terminal);
    expect_empty_from(&r, 1);
    tear_down(&r);
}

/* Where there is no terminal, or one that cannot move its cursor: a line for each end, and no
 * escape sequences. */
static void others_get_lines(void **state)
{
    (void)state;
    static const char *const kinds[] = {"xterm", "dumb", ""}; /* the first: into a file */
    for (int way = 0; way < 3; way++) {
        rig r;
        char *text = NULL;
        size_t length = 0;
        ww_errors *errors = ww_errors_create();
        set_up(&r, 24, 80);
        setenv("TERM", kinds[way], 1);
        FILE *file = fopen("lines.txt", "w");
        ww_board_start(&r.board, r.plan, RUNS, r.usual, way ? r.out : file);
        assert_false(r.board.terminal);
        show(&r, 2, 0);
        json_t *result = json_pack("{s:i}", "cycles", 77);
        ww_board_ended(&r.board, 1, &(ww_job_end){.result = result, .seconds = 1.25});
        ww_board_end(&r.board);
        json_decref(result);
        fclose(file);
        assert_int_equal(ww_read_file("lines.txt", WW_NOWHERE, &text, &length, errors), WW_OK);
        terminal_take(&r.terminal);
        static const char wanted[] =
            "[1/8] atax tiny on gtx480-cawa core.scheduler=rr seed 2: 77 cycles, 1.2 s";
        if (way)
            expect_line(&r, 1, wanted);
        else
            assert_memory_equal(text, wanted, strlen(wanted));
        free(text);
        tear_down(&r);
        ww_errors_destroy(errors);
    }
}

/* ---- the program itself ---- */

static pid_t start_program(const terminal *t)
{
    pid_t pid = fork();
    if (pid == 0) {
        close(t->master);
        login_tty(t->slave);
        setenv("TERM", "xterm", 1);
        execl(getenv("WARPWALK"), "warpwalk", "sweep", "long.yaml", "--jobs", "2", (char *)NULL);
        _exit(127);
    }
    return pid;
}

static bool shows_a_table(const terminal *t)
{
    char text[TERMINAL_MOST + 1];
    for (size_t i = 0; i + 1 < t->lines; i++)
        if (strcmp(terminal_line(t, i, text), "    time     usual  run") == 0)
            return true;
    return false;
}

/* Ctrl-C erases the table and leaves the cursor below the last line. */
static void an_interrupt_leaves_nothing_of_the_table(void **state)
{
    (void)state;
    terminal t;
    int status = 0;
    char text[TERMINAL_MOST + 1];
    ww_errors *errors = ww_errors_create();
    static const char study[] = "machine: gtx480-cawa\nsize: small\nworkloads: [atax, bicg]\n"
                                "seeds: [1, 2, 3, 4, 5, 6]\n";
    assert_int_equal(system("rm -rf long.db long.db-wal long.db-shm long.db.work"), 0);
    assert_int_equal(ww_write_file("long.yaml", study, strlen(study), errors), WW_OK);
    terminal_open(&t, 20, 90);
    pid_t pid = start_program(&t);
    while (!shows_a_table(&t) && waitpid(pid, &status, WNOHANG) == 0)
        terminal_wait(&t);
    assert_true(shows_a_table(&t));
    assert_int_equal(write(t.master, "\003", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    terminal_take(&t);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_false(shows_a_table(&t));
    assert_int_equal(t.column, 0);
    assert_string_equal(terminal_line(&t, t.line - 1, text),
                        "interrupted: 0 more runs are stored (the same command continues)");
    for (size_t i = t.line; i < t.lines; i++)
        assert_string_equal(terminal_line(&t, i, text), "");
    terminal_close(&t);
    ww_errors_destroy(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_drawn_in_place),
        cmocka_unit_test(runs_tell_how_far_they_are),
        cmocka_unit_test(a_log_has_a_line_a_minute),
        cmocka_unit_test(the_table_fits_any_window),
        cmocka_unit_test(a_window_can_change_its_size),
        cmocka_unit_test(others_get_lines),
        cmocka_unit_test(an_interrupt_leaves_nothing_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
