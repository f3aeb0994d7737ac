/* The dispatcher: starts the work-groups of a launch on compute units, round robin, as these accept
 * them. */
#ifndef WW_CORE_DISPATCH_H
#define WW_CORE_DISPATCH_H

#include "core/core.h"

typedef struct ww_dispatcher ww_dispatcher;

typedef struct ww_dispatcher_config {
    ww_clock clock;
    uint32_t interval; /* cycles from one group to the next */
    uint32_t warps;    /* of a group, that the interval covers: each further one takes a cycle */
    uint32_t jitter;   /* up to so many more, at random */
    uint64_t seed;     /* of the jitter */
    uint32_t latency;  /* cycles from the launch to its first group */
    /* Called once in a launch before a compute unit is asked whether it accepts a group: a launch
     * costs nothing on compute units it does not reach. NULL: all have begun. */
    void (*begin)(void *context, unsigned cu);
    void *context;
} ww_dispatcher_config;

ww_dispatcher *ww_dispatcher_create(const ww_dispatcher_config *config, ww_engine *engine,
                                    ww_cu *const *cus, unsigned cu_count);
void ww_dispatcher_destroy(ww_dispatcher *dispatcher);

/* Starts groups first .. count - 1 of the launch at tick `at`; groups before count as done. */
void ww_dispatcher_start(ww_dispatcher *dispatcher, const ww_cu_launch *launch, ww_tick at,
                         uint64_t first, uint64_t count);
/* A group of the compute unit has ended. */
void ww_dispatcher_group_done(ww_dispatcher *dispatcher, unsigned cu);

/* The compute unit may have room: a slot is free. */
void ww_dispatcher_look(ww_dispatcher *dispatcher, unsigned cu);

/* No group starts on the compute unit before one of its warps has ended. */
bool ww_dispatcher_is_closed(const ww_dispatcher *dispatcher, unsigned cu);

/* The same for all compute units. */
bool ww_dispatcher_all_closed(const ww_dispatcher *dispatcher);

uint64_t ww_dispatcher_done(const ww_dispatcher *dispatcher);    /* groups */
ww_tick ww_dispatcher_last_end(const ww_dispatcher *dispatcher); /* when the last of them ended */

#endif
