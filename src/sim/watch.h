/* The observers of a run: the trace of a warp (trace.h), a timeline (timeline.h), or both. */
#ifndef WW_SIM_WATCH_H
#define WW_SIM_WATCH_H

#include "sim/timeline.h"
#include "sim/trace.h"

typedef struct ww_watch_options {
    const ww_trace_selector *trace; /* NULL: none */
    const char *trace_file;         /* a path, or "-": standard output; NULL: standard error */
    const char *timeline;           /* likewise; NULL: none */
} ww_watch_options;

typedef struct ww_watch ww_watch;

/* Opens the files. NULL with errors when one cannot be written. */
ww_watch *ww_watch_create(const ww_watch_options *options, const ww_config *config,
                          ww_errors *errors);
/* For the GPU; valid until this is destroyed. NULL: there is no observer. */
const ww_gpu_watch *ww_watch_of_gpu(const ww_watch *observer);
/* Ends the files. `complete`: the run was, so that a traced warp that did not exist is an error. */
int ww_watch_finish(ww_watch *observer, bool complete, ww_errors *errors);
void ww_watch_destroy(ww_watch *observer);

#endif
