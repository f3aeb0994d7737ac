/* The trace of one warp: a line for every instruction that it issues, and its wait before it.
 *
 * selector    "warp=GROUP.WARP", and before it "launch=N," for one launch only (from 1): groups are
 *             counted in launch order, warps in their group, both from 0 */
#ifndef WW_SIM_TRACE_H
#define WW_SIM_TRACE_H

#include "core/observer.h"

typedef struct ww_trace_selector {
    uint64_t launch; /* 0: every one */
    uint64_t group;
    uint64_t warp;
} ww_trace_selector;

int ww_trace_selector_read(const char *text, ww_trace_selector *selector, ww_errors *errors);
/* Fails for a warp that no group can have on this machine. */
int ww_trace_selector_check(const ww_trace_selector *selector, const ww_config *config,
                            ww_errors *errors);

typedef struct ww_trace ww_trace;

ww_trace *ww_trace_create(const ww_trace_selector *selector, FILE *out);
void ww_trace_destroy(ww_trace *trace);

const ww_cu_observer *ww_trace_observer(const ww_trace *trace);
void ww_trace_launched(ww_trace *trace, uint64_t number); /* before a launch, from 1 */
/* WW_BAD_INPUT when no launch had such a warp. */
int ww_trace_check(const ww_trace *trace, ww_errors *errors);

#endif
