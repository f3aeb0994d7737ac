/* Observers: functions that compute units call when warps start, issue, access memory and end, for
 * traces. They change nothing.
 *
 * observed    a warp in its slot, at a cycle of the core clock; valid during the call
 * access      a memory instruction that went to the caches, when its last reply has arrived
 * A compute unit calls every observer of its wiring's list; a function may be NULL. */
#ifndef WW_CORE_OBSERVER_H
#define WW_CORE_OBSERVER_H

#include "core/core.h"

typedef struct ww_observed {
    const ww_cu *cu;
    const ww_cu_launch *launch;
    const ww_warp *warp;
    unsigned compute_unit;
    unsigned slot;
    uint64_t cycle;
} ww_observed;

typedef struct ww_observed_access {
    const ww_cu_launch *launch;
    unsigned compute_unit;
    unsigned slot;         /* of the warp, which may have ended */
    uint64_t issued, done; /* cycles */
    uint32_t pc;
    uint32_t lines;
    ww_request_kind kind;
    bool missed; /* a request missed in the L1 */
} ww_observed_access;

typedef struct ww_cu_observer {
    void (*started)(void *context, const ww_observed *warp);
    /* Before the instruction at `pc` executes in `lanes`. */
    void (*issued)(void *context, const ww_observed *warp, uint32_t pc, uint64_t lanes);
    void (*accessed)(void *context, const ww_observed_access *access);
    void (*ended)(void *context, const ww_observed *warp); /* the cycle after its last */
    void *context;
    const struct ww_cu_observer *next;
} ww_cu_observer;

/* The cycles of a slot's warp so far, by reason. Called in `issued`: all before this cycle. */
void ww_cu_reasons(const ww_cu *cu, unsigned slot, uint64_t reasons[WW_REASON_COUNT]);
/* All cycles of a warp by reason. Called in `ended`. */
const uint64_t *ww_cu_ended_reasons(const ww_cu *cu, unsigned slot);

#endif
