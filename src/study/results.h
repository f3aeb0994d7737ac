/* The database of results (docs/results.md): one SQLite file with a journal (WAL), so that readers
 * and a writer do not wait for each other and a killed process leaves it whole.
 *
 * run number   a row of `runs`; rows are made when a study begins, in the order of its plan, so
 *              that their order does not depend on which run ends first
 * outcome      how a run's process ended
 * A study is registered, and an outcome stored, in one transaction each: all of it or nothing. */
#ifndef WW_STUDY_RESULTS_H
#define WW_STUDY_RESULTS_H

#include "study/plan.h"

#include <jansson.h>

typedef struct ww_results ww_results;

typedef enum ww_results_mode { WW_RESULTS_READ, WW_RESULTS_WRITE } ww_results_mode;

/* To write: makes the file when there is none. A file of an older version is brought up to date.
 * NULL with an error. */
ww_results *ww_results_open(const char *path, ww_results_mode mode, ww_errors *errors);
void ww_results_close(ww_results *results);

typedef enum ww_run_state { WW_RUN_PENDING, WW_RUN_DONE, WW_RUN_FAILED } ww_run_state;

/* What the database has of a plan's runs; arrays by run of the plan, in the arena. */
typedef struct ww_known_runs {
    int64_t *numbers;
    ww_run_state *states;
    double *seconds; /* that a run of the same workload and size took; NAN: not known */
} ww_known_runs;

/* Stores the study, its points and their runs. Replaces a study of this name; runs stay. */
int ww_results_register(ww_results *results, const ww_plan *plan, const char *size,
                        ww_errors *errors);
/* For each run of the plan: whether this build has done it. Needs no registration. */
int ww_results_known(ww_results *results, const ww_plan *plan, ww_known_runs *known,
                     ww_errors *errors);
/* Whether a study of this name is there. */
int ww_results_has_study(ww_results *results, const char *name, bool *has, ww_errors *errors);

typedef struct ww_outcome {
    int64_t run;
    json_t *result; /* what `run --json` wrote; NULL: it failed */
    int exit_status;
    const char *message; /* when it failed */
    const char *host;    /* where it ran; NULL: here */
    double wall_seconds;
    uint64_t peak_bytes;
} ww_outcome;

int ww_results_store(ww_results *results, const ww_outcome *outcome, ww_errors *errors);

/* ---- for reports ---- */

typedef struct ww_stored_study {
    int64_t id;
    const char *name, *file, *text;
    const char *asked_size; /* --size; "": none */
} ww_stored_study;

size_t ww_results_studies(ww_results *results, ww_arena *arena, ww_stored_study **studies,
                          ww_errors *errors);
/* A measure of each point of a study by its number; NAN where there is none. The caller frees
 * it. */
double *ww_results_measure(ww_results *results, int64_t study, const char *name, size_t points,
                           ww_errors *errors);

/* Numbers over the time of a point's run (sim/series.h). */
typedef struct ww_stored_series {
    double seconds; /* simulated time of all bins together */
    double *bins;   /* in the arena */
    size_t count;   /* 0: the run has no such series, or is not done */
} ww_stored_series;

/* A damaged or untrusted file may give none. */
ww_stored_series ww_results_series(ww_results *results, int64_t study, size_t point,
                                   const char *name, ww_arena *arena, ww_errors *errors);

/* A row of a list of a point's run. */
typedef struct ww_stored_row {
    const char *label; /* "kernel 12" */
    double *values;    /* by the list's parts; NAN: none */
} ww_stored_row;

/* How many, in the arena; likewise. */
size_t ww_results_rows(ww_results *results, int64_t study, size_t point, const ww_row_list *list,
                       ww_arena *arena, ww_stored_row **rows, ww_errors *errors);

typedef struct ww_study_progress {
    int64_t runs, done, failed;
    /* All that its runs have, "tiny, small", and the first and the last time; in the arena. */
    const char *machines, *sizes, *versions, *builds, *commits, *first_finished, *last_finished;
} ww_study_progress;

int ww_results_progress(ww_results *results, int64_t study, ww_arena *arena,
                        ww_study_progress *progress, ww_errors *errors);
/* Calls `each` with the texts of a row for each failed point: where, exit status, message,
 * command. */
int ww_results_failures(ww_results *results, int64_t study,
                        void (*each)(void *context, const char *const *texts), void *context,
                        ww_errors *errors);

#endif
