/* Runs and their settings out of the database, as JSON.
 *
 * raw result   a run as `run --json` would write it, from what the database keeps of it; launches of an entry are summed
 * raw name     of its file: the identity and the first digits of the build */
#ifndef WW_STUDY_RESULTS_RUNS_H
#define WW_STUDY_RESULTS_RUNS_H

#include "study/results.h"

/* The points of a study in order: coordinates, how the run ended, and its raw name. */
json_t *ww_results_points(ww_results *results, int64_t study, ww_errors *errors);

/* The keys that have several values in a study, each with an object from variants to arrays of values. */
json_t *ww_results_settings(ww_results *results, int64_t study, ww_errors *errors);

/* Calls `each` with the raw result of every run that a study has and that has ended, until it returns another status
 * than WW_OK. */
int ww_results_each_raw(ww_results *results,
                        int (*each)(void *context, const char *name, const json_t *raw),
                        void *context, ww_errors *errors);

#endif
