/* Progress of a long run on standard error, and Ctrl-C.
 *
 * On a terminal one line is redrawn a few times a second; elsewhere a line appears now and then. A
 * run that ends within the first second shows nothing. */
#ifndef WW_CLI_PROGRESS_H
#define WW_CLI_PROGRESS_H

#include "exec/exec.h"

#include <time.h>

typedef struct ww_progress {
    size_t launch; /* that runs, from 1 */
    size_t launches;
    struct timespec start; /* of the pass */
    double shown;          /* seconds after the start */
    unsigned calls;
    bool first_pass; /* the run that counts is still to come */
    bool terminal;
    bool drawn;
} ww_progress;

#define WW_INTERRUPTED 130 /* the exit status */

/* From now on Ctrl-C ends the process before the first kernel runs, when there is nothing to lose,
 * and asks the run to stop afterwards; a second one ends the process at once. */
void ww_progress_start(ww_progress *progress);
void ww_progress_end(ww_progress *progress);

/* Callbacks of ww_execution; the context is the ww_progress. Nonzero after Ctrl-C. */
void ww_progress_launch(void *context, size_t number, size_t count);
void ww_progress_pass(void *context, bool first);
int ww_progress_report(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                       uint64_t groups_all);

#endif
