/* Runs and their settings out of the database, as JSON.
 *
 * raw result   a run as `run --json` would write it, from what the database keeps of it; launches
 *              of an entry are summed
 * raw name     of its file: the identity and the first digits of the build */
#ifndef WW_STUDY_RESULTS_RUNS_H
#define WW_STUDY_RESULTS_RUNS_H

#include "study/results.h"

/* The points of a study in order: coordinates, how the run ended, and its raw name. */
json_t *ww_results_points(ww_results *results, int64_t study, ww_errors *errors);

/* The commits and configurations of the runs of a sweep; texts in the arena. */
typedef struct ww_sweep_origin {
    const char
        *commits; /* that its runs were made by, "2ebf16e3a01c, 6b85367c0f11+"; "": none is done */
    const char *configurations; /* a hash over the identities of the runs that are done */
} ww_sweep_origin;

int ww_results_sweep_origin(ww_results *results, int64_t study, const char *sweep, ww_arena *arena,
                            ww_sweep_origin *origin, ww_errors *errors);

/* Calls `each` for every point whose run is done, in order, with its number and its texts: sweep,
 * workload, variant, axes as JSON, seed, size, region, commit, configuration, verified, cycles,
 * warp instructions, host seconds. */
#define WW_RUN_TEXTS 13
int ww_results_each_point(ww_results *results, int64_t study,
                          void (*each)(void *context, size_t number, const char *const *texts),
                          void *context, ww_errors *errors);

/* The keys that have several values in a study, each with an object from variants to arrays of
 * values. */
json_t *ww_results_settings(ww_results *results, int64_t study, ww_errors *errors);

/* Calls `each` with the raw result of every run that a study has and that has ended, until it
 * returns another status than WW_OK. */
int ww_results_each_raw(ww_results *results,
                        int (*each)(void *context, const char *name, const json_t *raw),
                        void *context, ww_errors *errors);

#endif
