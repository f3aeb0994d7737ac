#include "study/runner.h"

#include "study/board.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define WATCH_MILLISECONDS 200

typedef enum run_state { WAITING, RUNNING, ENDED } run_state;

typedef struct runner {
    const ww_plan *plan;
    ww_results *results;
    ww_known_runs *known;
    const ww_study_options *options;
    char *folder;
    int lock;
    ww_hold hold;
    run_state *states; /* by run of the plan */
    ww_job *jobs;      /* pid 0: free */
    size_t job_count, running;
    ww_board board;
    ww_run_counts *counts;
    ww_errors *errors;
} runner;

/* ---- the work folder ---- */

static int open_folder(runner *r, const char *path)
{
    r->folder = ww_format("%s.work", path);
    ww_where at = {r->folder, 0, 0};
    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
        return ww_fail(r->errors, WW_BAD_INPUT, at, "the folder cannot be made: %s",
                       strerror(errno));
    char *name = ww_format("%s/lock", r->folder);
    r->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int reason = errno;
    struct stat info = {0}; /* of no links: the one who had it has just removed it */
    bool locked = r->lock >= 0 && flock(r->lock, LOCK_EX | LOCK_NB) == 0 &&
                  fstat(r->lock, &info) == 0 && info.st_nlink > 0;
    bool busy = r->lock >= 0 && !locked;
    free(name);
    if (locked)
        return WW_OK;
    if (busy) {
        close(r->lock);
        r->lock = -1;
    }
    if (busy)
        return ww_fail(
            r->errors, WW_FAILED, (ww_where){path, 0, 0},
            "another warpwalk makes runs into this database (wait for it, or use another "
            "--db)");
    return ww_fail(r->errors, WW_BAD_INPUT, at, "cannot write into the folder: %s",
                   strerror(reason));
}

static bool is_result(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".json") == 0;
}

/* What killed processes left half done. Results stay: they may be another study's. */
static void sweep_folder(const runner *r)
{
    DIR *folder = opendir(r->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && !is_result(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

/* The lock's file goes while it is held, so that nobody else can have it. A folder with results in it stays. */
static void close_folder(runner *r)
{
    if (r->lock >= 0) {
        sweep_folder(r);
        rmdir(r->folder);
        close(r->lock);
    }
    free(r->folder);
}

/* Results of another build have another name. */
static char *name_of(const runner *r, size_t run)
{
    return ww_format("%s-%.8s", r->plan->runs.items[run]->identity, r->plan->build);
}

/* ---- ends ---- */

static int store(runner *r, size_t run, const ww_job_end *end)
{
    ww_outcome outcome = {.run = r->known->numbers[run],
                          .result = end->result,
                          .exit_status = end->exit_status,
                          .message = end->message,
                          .wall_seconds = end->seconds,
                          .peak_bytes = end->peak_bytes};
    int status = ww_results_store(r->results, &outcome, r->errors);
    r->states[run] = ENDED;
    r->counts->done += end->result != NULL;
    r->counts->failed += end->result == NULL;
    ww_board_ended(&r->board, run, end);
    return status;
}

/* What an earlier runner could not store any more. */
static int collect(runner *r, size_t run)
{
    char *name = name_of(r, run), *path = ww_job_result_path(r->folder, name);
    ww_job_end end = {.result = ww_job_read_result(path), .seconds = NAN};
    int status = end.result ? store(r, run, &end) : WW_OK;
    if (end.result && !status)
        unlink(path);
    ww_job_end_clear(&end);
    free(path);
    free(name);
    return status;
}

/* ---- order ---- */

static bool alike(const runner *r, size_t a, size_t b)
{
    return ww_runs_alike(r->plan->runs.items[a], r->plan->runs.items[b]);
}

/* What a run took tells what others of its kind will take. */
static void learn(runner *r, size_t run, double seconds)
{
    for (size_t i = 0; i < r->plan->runs.count; i++)
        if (r->states[i] == WAITING && isnan(r->known->seconds[i]) && alike(r, run, i))
            r->known->seconds[i] = seconds;
}

static bool kind_is_running(const runner *r, size_t run)
{
    for (size_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].pid && alike(r, r->jobs[i].run, run))
            return true;
    return false;
}

/* Three classes: of an unknown kind, of a known time, of a kind that is just being found out. */
static double rank(const runner *r, size_t run)
{
    double seconds = r->known->seconds[run];
    return isnan(seconds) ? (kind_is_running(r, run) ? -1 : INFINITY) : seconds;
}

static size_t choose(const runner *r)
{
    size_t best = r->plan->runs.count;
    double most = -INFINITY;
    for (size_t i = 0; i < r->plan->runs.count && most < INFINITY; i++) {
        double value = r->states[i] == WAITING ? rank(r, i) : -INFINITY;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

static double time_left(const runner *r)
{
    double seconds = 0;
    for (size_t i = 0; i < r->plan->runs.count; i++)
        if (r->states[i] == WAITING)
            seconds += r->known->seconds[i];
    return seconds / (double)r->job_count;
}

/* ---- the loop ---- */

static int start_some(runner *r)
{
    for (size_t i = 0; i < r->job_count; i++) {
        size_t run = r->jobs[i].pid ? r->plan->runs.count : choose(r);
        if (run == r->plan->runs.count)
            continue;
        char *name = name_of(r, run);
        r->jobs[i].run = run;
        int status = ww_job_start(&r->jobs[i], &r->plan->runs.items[run]->words, r->folder, name,
                                  &r->hold, r->errors);
        free(name);
        if (status)
            return status;
        r->states[run] = RUNNING;
        r->running++;
    }
    return WW_OK;
}

static int collect_ended(runner *r)
{
    int status = WW_OK;
    for (size_t i = 0; i < r->job_count && !status; i++) {
        ww_job_end end;
        size_t run = r->jobs[i].run;
        if (!r->jobs[i].pid || !ww_job_finish(&r->jobs[i], &end))
            continue;
        r->running--;
        learn(r, run, end.seconds);
        status = store(r, run, &end);
        ww_job_end_clear(&end);
    }
    return status;
}

static void check_limits(runner *r)
{
    const ww_study *study = r->plan->study;
    double now = ww_seconds_now();
    for (size_t i = 0; i < r->job_count; i++) {
        ww_job *job = &r->jobs[i];
        if (!job->pid || job->killed)
            continue;
        if (study->limit_seconds && now - job->start > (double)study->limit_seconds)
            ww_job_kill(job, "over the study's limit of time");
        else if (study->limit_bytes && ww_job_memory(job) > study->limit_bytes)
            ww_job_kill(job, "over the study's limit of memory");
    }
}

/* Sleeps until a process ends, a signal comes, or it is time to look at the limits. */
static void wait_for_something(runner *r)
{
    struct pollfd *fds = ww_calloc(r->job_count + 1, sizeof(*fds));
    fds[0] = (struct pollfd){.fd = r->hold.fd, .events = POLLIN};
    for (size_t i = 0; i < r->job_count; i++)
        fds[1 + i] = (struct pollfd){.fd = r->jobs[i].pid ? r->jobs[i].fd : -1, .events = POLLIN};
    struct signalfd_siginfo signal; /* taken, so that it does not end the process later */
    if (poll(fds, r->job_count + 1, WATCH_MILLISECONDS) > 0 && (fds[0].revents & POLLIN))
        r->counts->interrupted = read(r->hold.fd, &signal, sizeof(signal)) > 0;
    free(fds);
}

/* Leaves no process behind. What they did is lost and will be made again. */
static void end_all(runner *r)
{
    for (size_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].pid)
            ww_job_kill(&r->jobs[i], "interrupted");
    for (size_t i = 0; i < r->job_count; i++) {
        ww_job_end end;
        if (!r->jobs[i].pid)
            continue;
        while (!ww_job_finish(&r->jobs[i], &end))
            poll(&(struct pollfd){.fd = r->jobs[i].fd, .events = POLLIN}, 1, WATCH_MILLISECONDS);
        ww_job_end_clear(&end);
    }
}

static int run_all(runner *r)
{
    int status = WW_OK;
    for (size_t i = 0; i < r->plan->runs.count && !status; i++)
        if (r->states[i] == WAITING)
            status = collect(r, i);
    while (!status && !r->counts->interrupted) {
        status = start_some(r);
        if (status || r->running == 0)
            break;
        wait_for_something(r);
        check_limits(r);
        status = collect_ended(r);
        ww_board_show(&r->board, r->jobs, r->job_count, time_left(r));
    }
    return status;
}

static size_t set_states(runner *r)
{
    size_t waiting = 0;
    for (size_t i = 0; i < r->plan->runs.count; i++) {
        r->states[i] = r->known->states[i] == WW_RUN_DONE ? ENDED : WAITING;
        waiting += r->states[i] == WAITING;
    }
    return waiting;
}

int ww_runner_run(const ww_plan *plan, ww_results *results, ww_known_runs *known,
                  const ww_study_options *options, const char *path, ww_run_counts *counts,
                  ww_errors *errors)
{
    runner r = {.plan = plan,
                .results = results,
                .known = known,
                .options = options,
                .lock = -1,
                .states = ww_calloc(plan->runs.count + 1, sizeof(*r.states)),
                .jobs = ww_calloc(options->jobs, sizeof(*r.jobs)),
                .job_count = options->jobs,
                .counts = counts,
                .errors = errors};
    *counts = (ww_run_counts){0};
    size_t waiting = set_states(&r);
    int status = waiting ? open_folder(&r, path) : WW_OK;
    if (waiting && !status) {
        ww_hold_start(&r.hold);
        ww_board_start(&r.board, plan, waiting, options->log);
        status = run_all(&r);
        end_all(&r);
        ww_board_end(&r.board);
        ww_hold_end(&r.hold);
    }
    if (waiting)
        close_folder(&r);
    free(r.states);
    free(r.jobs);
    return status;
}
