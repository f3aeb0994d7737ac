/* A back end: where runs are made. The runner chooses the runs and stores their outcomes; a back
 * end makes them.
 *
 * outstanding   a run that a back end has begun and not reported yet
 * folder        DATABASE.work: files of outstanding runs; the runner holds its lock
 * The runner calls start; then begin and wait alternately until no run is waiting or outstanding, a
 * signal comes or something fails; then stop, always. A back end is a table in a file of its own,
 * listed in study/backend/backends.c. */
#ifndef WW_STUDY_BACKEND_H
#define WW_STUDY_BACKEND_H

#include "study/board.h"
#include "study/results.h"

#include <poll.h>

typedef struct ww_runner {
    const ww_plan *plan;
    const ww_study_options *options;
    const double *seconds; /* by run: what it will take; NAN: not known */
    const char *folder;
    ww_hold hold;
    ww_board board;
    size_t waiting, outstanding; /* runs */
    int signal;                  /* that asked to end; 0: none */
    ww_errors *errors;
    struct ww_runner_books *books; /* the runner's own */
} ww_runner;

/* The waiting run to begin next; it is outstanding then. The plan's count of runs when none
 * waits. */
size_t ww_runner_next(ww_runner *runner);
/* Makes a waiting run outstanding, because an earlier process has begun it. False when it is not
 * waiting. */
bool ww_runner_adopt(ww_runner *runner, size_t run);
/* Makes an outstanding run wait again, because it was lost. */
void ww_runner_requeue(ww_runner *runner, size_t run);
/* An outstanding run has ended: stores and shows it. A run that took more memory than the study
 * allows has failed. */
int ww_runner_ended(ww_runner *runner, size_t run, ww_job_end *end);
/* Name of a run's files in the folder, without what follows the dot. The caller frees it. */
char *ww_runner_name(const ww_runner *runner, size_t run);
/* Sleeps until a descriptor can be read, a signal comes or the time is over. */
void ww_runner_sleep(ww_runner *runner, const int *fds, size_t count, int milliseconds);
/* Processor time that waiting runs will take, in seconds; NAN: not known. */
double ww_runner_time_left(const ww_runner *runner);

typedef struct ww_backend {
    const char *name, *doc;
    bool queues;       /* runs outlive this process: with --detach it does not wait for them */
    size_t state_size; /* zeroed, for all calls of one study */
    /* Prepares its state, and adopts runs that earlier processes have begun (ww_runner_adopt). */
    int (*start)(ww_runner *runner, void *state);
    /* Begins as many waiting runs as it can now. */
    int (*begin)(ww_runner *runner, void *state);
    /* Sleeps until something may have ended, and reports what has. */
    int (*wait)(ww_runner *runner, void *state);
    /* After success, a signal or an error: ends outstanding runs, or leaves them to a later
     * call. */
    void (*stop)(ww_runner *runner, void *state);
    /* Only for --dry-run: writes what begin would do to the options' `out`. NULL: nothing beyond
     * the list of runs. */
    void (*show)(ww_runner *runner, void *state);
} ww_backend;

/* The back end that the options name, by default the local one. NULL with an error: no such name,
 * or an option that it does not support. */
const ww_backend *ww_backend_find(const ww_study_options *options, ww_errors *errors);

#endif
