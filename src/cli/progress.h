/* Progress of a long run on standard error, and signals that ask it to end: Ctrl-C, SIGTERM,
 * SIGHUP.
 *
 * On a terminal one line is redrawn a few times a second; otherwise a line is written now and then.
 * A run that ends within the first second shows nothing. */
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

#define WW_STATUS_OF_SIGNAL(number) (128 + (number)) /* the exit status */

/* From now on such a signal ends the process before the first kernel runs, when there is nothing to
 * lose, and asks the run to stop afterwards; a second one ends the process at once. */
void ww_progress_start(ww_progress *progress);
void ww_progress_end(ww_progress *progress);
int ww_progress_signal(void); /* that came; 0: none */

/* Callbacks of ww_execution; the context is the ww_progress. Nonzero after a signal. */
void ww_progress_launch(void *context, size_t number, size_t count);
void ww_progress_pass(void *context, bool first);
int ww_progress_report(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                       uint64_t groups_all);

#endif
