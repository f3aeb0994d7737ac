/* The observers of a run: the trace of a warp (trace.h), a timeline (timeline.h), pages over time
 * (page_map.h), times of warps (warp_rows.h), groups beside a first pass (group_rows.h), power over
 * time (energy_series.h), and, where memory is paged, what paging did over time
 * (paging_series.h). */
#ifndef WW_SIM_RUN_OBSERVER_H
#define WW_SIM_RUN_OBSERVER_H

#include "sim/page_map.h"
#include "sim/timeline.h"
#include "sim/trace.h"
#include "sim/warp_rows.h"

typedef struct ww_run_observer_options {
    const ww_trace_selector *trace; /* NULL: none */
    const char *trace_file;         /* a path, or "-": standard output; NULL: standard error */
    const char *timeline;           /* likewise; NULL: none */
    const char *warp_times;         /* likewise */
    const char *pages;              /* a path whose end says the format; NULL: none */
    const char *name;               /* of the run, for a page's title */
} ww_run_observer_options;

typedef struct ww_run_observer ww_run_observer;

/* Opens the files. NULL with errors when one cannot be written. */
ww_run_observer *ww_run_observer_create(const ww_run_observer_options *options,
                                        const ww_config *config, ww_errors *errors);
/* For the GPU; valid until this is destroyed. */
const ww_gpu_observer *ww_run_observer_of_gpu(const ww_run_observer *observer);
/* Power over time, and what paging did, for the result; NULL: nothing was timed. */
json_t *ww_run_observer_series(const ww_run_observer *observer);
/* Groups beside a first pass, for the result; NULL: there was none. */
json_t *ww_run_observer_groups(ww_run_observer *observer);
/* Ends the files. `complete`: the run was, so that a traced warp that did not exist is an error. */
int ww_run_observer_finish(ww_run_observer *observer, bool complete, ww_errors *errors);
void ww_run_observer_destroy(ww_run_observer *observer);

#endif
