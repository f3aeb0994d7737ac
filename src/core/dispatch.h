/* The dispatcher: hands the work-groups of a launch to compute units, in turn, as they have room. */
#ifndef WW_CORE_DISPATCH_H
#define WW_CORE_DISPATCH_H

#include "core/core.h"

typedef struct ww_dispatcher ww_dispatcher;

typedef struct ww_dispatcher_config {
    ww_clock clock;
    uint32_t interval; /* cycles from one group to the next */
    uint32_t jitter;   /* up to so many more */
    uint64_t seed;     /* of how many */
    uint32_t latency;  /* cycles from the launch to its first group */
    /* Before a compute unit is first asked for room in a launch, so that a launch costs nothing for those that it
     * does not come to. NULL: all have begun. */
    void (*begin)(void *context, unsigned core);
    void *context;
} ww_dispatcher_config;

ww_dispatcher *ww_dispatcher_create(const ww_dispatcher_config *config, ww_engine *engine,
                                    ww_core *const *cores, unsigned core_count);
void ww_dispatcher_destroy(ww_dispatcher *dispatcher);

/* Groups first .. count - 1 of a launch; those before count as done. The launch is
 * at tick `at`. */
void ww_dispatcher_start(ww_dispatcher *dispatcher, ww_tick at, uint64_t first, uint64_t count);
/* A group of the compute unit has ended. */
void ww_dispatcher_group_done(ww_dispatcher *dispatcher, unsigned core);

/* No group will come to the compute unit before one there has ended. */
bool ww_dispatcher_is_closed(const ww_dispatcher *dispatcher, unsigned core);

/* No group will come to any. */
bool ww_dispatcher_all_closed(const ww_dispatcher *dispatcher);

uint64_t ww_dispatcher_done(const ww_dispatcher *dispatcher);    /* groups */
ww_tick ww_dispatcher_last_end(const ww_dispatcher *dispatcher); /* when the last of them ended */

#endif
