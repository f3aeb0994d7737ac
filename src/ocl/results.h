/* The result of a program that the driver runs: what `warpwalk run --json` writes.
 *
 * The file is valid at all times: after each launch it has all launches so far, with `complete`
 * false and without statistics. At the end of the process, and when a signal ends it, the whole
 * result replaces it. */
#ifndef WW_OCL_RESULTS_H
#define WW_OCL_RESULTS_H

#include "sim/run_observer.h"
#include "sim/session.h"

/* `json`: a path, "-": standard output, NULL: none. */
void ww_cl_results_start(const ww_session *session, ww_run_observer *observer, const char *machine,
                         const char *json, bool summary);
void ww_cl_results_add(const json_t *launch);
void ww_cl_results_failed(void); /* a launch did */

#endif
