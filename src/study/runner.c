#include "study/runner.h"

#include "study/backend.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef enum run_state { WAITING, OUTSTANDING, ENDED } run_state;

struct ww_runner_books {
    ww_results *results;
    ww_known_runs *known;
    const ww_work_folder *folder;
    run_state *states;        /* by run of the plan */
    size_t *kinds;            /* by run: the first run that is alike */
    size_t *kind_outstanding; /* by kind: its outstanding runs */
    ww_run_counts *counts;
};

/* ---- states ---- */

static void set_state(ww_runner *r, size_t run, run_state state)
{
    struct ww_runner_books *books = r->books;
    run_state before = books->states[run];
    r->waiting += (size_t)(state == WAITING) - (size_t)(before == WAITING);
    r->outstanding += (size_t)(state == OUTSTANDING) - (size_t)(before == OUTSTANDING);
    books->kind_outstanding[books->kinds[run]] +=
        (size_t)(state == OUTSTANDING) - (size_t)(before == OUTSTANDING);
    books->states[run] = state;
}

bool ww_runner_adopt(ww_runner *r, size_t run)
{
    if (r->books->states[run] != WAITING)
        return false;
    set_state(r, run, OUTSTANDING);
    return true;
}

void ww_runner_requeue(ww_runner *r, size_t run)
{
    set_state(r, run, WAITING);
}

/* Results of another build have another name. */
char *ww_runner_name(const ww_runner *r, size_t run)
{
    return ww_format("%s-%.8s", r->plan->runs.items[run]->identity, r->plan->build);
}

/* ---- ends ---- */

/* The time of a run is the estimate for others of its kind. */
static void learn(ww_runner *r, size_t run, double seconds)
{
    struct ww_runner_books *books = r->books;
    for (size_t i = 0; i < r->plan->runs.count; i++)
        if (books->states[i] == WAITING && isnan(r->seconds[i]) &&
            books->kinds[i] == books->kinds[run])
            books->known->seconds[i] = seconds;
}

/* The caller frees it. */
static char *result_path(const ww_runner *r, size_t run)
{
    char *name = ww_runner_name(r, run), *path = ww_job_result_path(r->folder, name);
    free(name);
    return path;
}

/* Only when it is stored: otherwise a later start reads it. */
static void remove_result(const ww_runner *r, size_t run)
{
    char *path = result_path(r, run);
    unlink(path);
    free(path);
}

/* A full disk is not the run's fault, and all other runs would fail, too: it is made again. */
#define FULL_DISK_BYTES 65536 /* free bytes: even its messages may be lost */
static bool is_disk_full(const ww_runner *r, const ww_job_end *end)
{
    struct statvfs disk;
    if (end->result)
        return false;
    return strstr(end->message, strerror(ENOSPC)) || strstr(end->message, strerror(EDQUOT)) ||
           (statvfs(r->folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < FULL_DISK_BYTES);
}

/* How much memory a process took is known for sure only when it has ended. */
static void check_memory(const ww_runner *r, ww_job_end *end)
{
    const json_t *bytes = json_object_get(end->result, "host_peak_bytes");
    uint64_t limit = r->plan->study->limit_bytes, peak = (uint64_t)json_integer_value(bytes);
    if (!limit || peak <= limit)
        return;
    json_decref(end->result);
    end->result = NULL;
    end->peak_bytes = peak;
    end->exit_status = 128 + SIGKILL;
    end->message = ww_strdup(WW_OVER_MEMORY);
}

/* Without the folder no run leaves a result, and a second runner is not kept out. */
static int check_folder(const ww_runner *r)
{
    if (ww_work_folder_is_held(r->books->folder))
        return WW_OK;
    return ww_fail(r->errors, WW_FAILED, (ww_where){r->folder, 0, 0},
                   "the folder was removed while it was in use (the same command makes it again)");
}

int ww_runner_ended(ww_runner *r, size_t run, ww_job_end *end)
{
    if (!end->result && check_folder(r))
        return WW_FAILED;
    if (is_disk_full(r, end))
        return ww_fail(r->errors, WW_FAILED, (ww_where){r->folder, 0, 0},
                       "no space left on the disk for results (what was stored is safe)");
    struct ww_runner_books *books = r->books;
    check_memory(r, end);
    ww_outcome outcome = {.run = books->known->numbers[run],
                          .result = end->result,
                          .exit_status = end->exit_status,
                          .message = end->message,
                          .host = end->host,
                          .wall_seconds = end->seconds,
                          .peak_bytes = end->peak_bytes};
    int status = ww_results_store(books->results, &outcome, r->errors);
    if (status)
        return status;
    remove_result(r, run);
    set_state(r, run, ENDED);
    learn(r, run, end->seconds);
    books->counts->done += end->result != NULL;
    books->counts->failed += end->result == NULL;
    ww_board_ended(&r->board, run, end);
    return check_folder(r);
}

/* Stores results that an earlier runner did not store. */
static int collect(ww_runner *r, size_t run)
{
    char *path = result_path(r, run);
    ww_job_end end = {.result = ww_job_read_result(path), .seconds = NAN};
    int status = end.result ? ww_runner_ended(r, run, &end) : WW_OK;
    ww_job_end_clear(&end);
    free(path);
    return status;
}

static int collect_all(ww_runner *r)
{
    int status = WW_OK;
    for (size_t i = 0; i < r->plan->runs.count && !status; i++)
        if (r->books->states[i] == WAITING)
            status = collect(r, i);
    return status;
}

/* Removes results that an earlier runner stored but was killed before removing. */
static void remove_stored(const ww_runner *r)
{
    for (size_t i = 0; i < r->plan->runs.count; i++)
        if (r->books->known->states[i] == WW_RUN_DONE)
            remove_result(r, i);
}

/* ---- order ---- */

/* Three classes: kinds of unknown time, kinds of known time, kinds whose first run is
 * outstanding. */
static double rank(const ww_runner *r, size_t run)
{
    double seconds = r->seconds[run];
    bool asked = r->books->kind_outstanding[r->books->kinds[run]] > 0;
    return isnan(seconds) ? (asked ? -1 : INFINITY) : seconds;
}

size_t ww_runner_next(ww_runner *r)
{
    size_t best = r->plan->runs.count;
    double most = -INFINITY;
    for (size_t i = 0; r->waiting && i < r->plan->runs.count && most < INFINITY; i++) {
        double value = r->books->states[i] == WAITING ? rank(r, i) : -INFINITY;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    if (best < r->plan->runs.count)
        set_state(r, best, OUTSTANDING);
    return best;
}

double ww_runner_time_left(const ww_runner *r)
{
    double seconds = 0;
    for (size_t i = 0; i < r->plan->runs.count; i++)
        if (r->books->states[i] == WAITING)
            seconds += r->seconds[i];
    return seconds;
}

/* ---- the loop ---- */

void ww_runner_sleep(ww_runner *r, const int *fds, size_t count, int milliseconds)
{
    struct pollfd *polled = ww_calloc(count + 1, sizeof(*polled));
    polled[0] = (struct pollfd){.fd = r->hold.fd, .events = POLLIN};
    for (size_t i = 0; i < count; i++)
        polled[1 + i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    struct signalfd_siginfo signal; /* taken, so that it does not end the process later */
    if (poll(polled, count + 1, milliseconds) > 0 && (polled[0].revents & POLLIN) &&
        read(r->hold.fd, &signal, sizeof(signal)) > 0)
        r->signal = (int)signal.ssi_signo;
    free(polled);
}

static int run_all(ww_runner *r, const ww_backend *backend)
{
    void *state = ww_calloc(1, backend->state_size);
    int status = backend->start(r, state);
    if (!status)
        status = collect_all(r);
    while (!status && !r->signal) {
        status = backend->begin(r, state);
        if (status || r->outstanding == 0 || r->options->detach)
            break;
        status = backend->wait(r, state);
    }
    backend->stop(r, state);
    free(state);
    return status;
}

static void open_books(ww_runner *r, struct ww_runner_books *books)
{
    size_t count = r->plan->runs.count;
    books->states = ww_calloc(count + 1, sizeof(*books->states));
    books->kinds = ww_calloc(count + 1, sizeof(*books->kinds));
    books->kind_outstanding = ww_calloc(count + 1, sizeof(*books->kind_outstanding));
    for (size_t i = 0; i < count; i++) {
        const ww_planned_run *run = r->plan->runs.items[i];
        size_t kind = i ? books->kinds[i - 1] : 0; /* neighbours are alike in most plans */
        if (!ww_runs_alike(r->plan->runs.items[kind], run))
            for (kind = 0; !ww_runs_alike(r->plan->runs.items[kind], run);)
                kind++;
        books->kinds[i] = kind;
        books->states[i] = run->chosen && books->known->states[i] != WW_RUN_DONE ? WAITING : ENDED;
        r->waiting += books->states[i] == WAITING;
    }
}

static void close_books(struct ww_runner_books *books)
{
    free(books->states);
    free(books->kinds);
    free(books->kind_outstanding);
}

static int run_on_board(ww_runner *r, const ww_backend *backend)
{
    ww_hold_start(&r->hold);
    ww_board_start(&r->board, r->plan, r->waiting, r->seconds, r->options->log);
    int status = run_all(r, backend);
    ww_board_end(&r->board);
    ww_hold_end(&r->hold);
    return status;
}

int ww_runner_run(const ww_plan *plan, ww_results *results, ww_known_runs *known,
                  const ww_study_options *options, const ww_work_folder *folder,
                  ww_run_counts *counts, ww_errors *errors)
{
    struct ww_runner_books books = {
        .results = results, .known = known, .folder = folder, .counts = counts};
    ww_runner r = {.plan = plan,
                   .options = options,
                   .seconds = known->seconds,
                   .folder = folder->path,
                   .errors = errors,
                   .books = &books};
    *counts = (ww_run_counts){0};
    const ww_backend *backend = ww_backend_find(options, errors);
    if (!backend)
        return WW_BAD_INPUT;
    open_books(&r, &books);
    remove_stored(&r);
    bool queued = ww_work_folder_has_scripts(folder->path);
    if (queued && !backend->queues)
        fprintf(options->log, "%s has runs of Slurm's queue (--backend slurm collects them)\n",
                folder->path);
    int status = r.waiting || (queued && backend->queues) ? run_on_board(&r, backend) : WW_OK;
    counts->left = r.waiting + r.outstanding;
    counts->signal = r.signal;
    close_books(&books);
    return status;
}

int ww_runner_show(const ww_plan *plan, ww_known_runs *known, const ww_study_options *options,
                   const char *folder, ww_errors *errors)
{
    struct ww_runner_books books = {.known = known};
    ww_runner r = {.plan = plan,
                   .options = options,
                   .seconds = known->seconds,
                   .folder = folder,
                   .errors = errors,
                   .books = &books};
    const ww_backend *backend = ww_backend_find(options, errors);
    if (!backend || !backend->show)
        return ww_errors_status(errors);
    void *state = ww_calloc(1, backend->state_size);
    open_books(&r, &books);
    ww_hold_start(&r.hold);
    backend->show(&r, state);
    ww_hold_end(&r.hold);
    close_books(&books);
    free(state);
    return WW_OK;
}
