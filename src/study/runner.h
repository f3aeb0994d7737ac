/* Makes the runs of a plan with a back end (backend.h), and stores each result as soon as it is
 * there.
 *
 * Order: one run of each workload and size of unknown time, then the longest first. The order
 * decides when results arrive, never what they are. A run over a limit of the study is killed and
 * has failed. A runner that is killed loses no more than the outstanding runs. */
#ifndef WW_STUDY_RUNNER_H
#define WW_STUDY_RUNNER_H

#include "study/results.h"
#include "study/work_folder.h"

typedef struct ww_run_counts {
    size_t done;   /* of this call */
    size_t failed; /* likewise */
    size_t left;   /* runs that are not made: in a queue, or not begun */
    int signal;    /* that ended it; 0: none */
} ww_run_counts;

/* Makes every run that is not done, in the folder, which the caller has opened. Failures are
 * stored, and are no error here; a folder that is removed meanwhile is an error. */
int ww_runner_run(const ww_plan *plan, ww_results *results, ww_known_runs *known,
                  const ww_study_options *options, const ww_work_folder *folder,
                  ww_run_counts *counts, ww_errors *errors);

/* For --dry-run: shows what would be begun, if the back end shows more than the list of runs. */
int ww_runner_show(const ww_plan *plan, ww_known_runs *known, const ww_study_options *options,
                   const char *folder, ww_errors *errors);

#endif
