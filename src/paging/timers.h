/* Time of the driver and the link, which passes in launches only.
 *
 * A launch ends when nothing is due, and a driver that prefetches always has something due. So its
 * events have a time of their own: it stands still between launches, and what is due then happens
 * in the next one. Events of one tick happen in the order in which they were set. */
#ifndef WW_PAGING_TIMERS_H
#define WW_PAGING_TIMERS_H

#include "engine/engine.h"

typedef struct ww_timers ww_timers;

/* A component embeds one for each event that it waits for. */
typedef struct ww_timer {
    void (*run)(void *owner);
    void *owner;
    ww_tick due;    /* in this time; for timers.c */
    uint64_t order; /* likewise */
    uint32_t index; /* in the heap, from 1; 0: it is not set */
} ww_timer;

/* Time stands still until it is resumed. */
ww_timers *ww_timers_create(ww_engine *engine);
void ww_timers_destroy(ww_timers *timers);

ww_tick ww_timers_now(const ww_timers *timers);
/* Sets, or sets again. Runs in the phase of dispatch; a time that is over means the next tick. */
void ww_timer_set(ww_timers *timers, ww_timer *timer, ww_tick due);
void ww_timer_clear(ww_timers *timers, ww_timer *timer);

void ww_timers_pause(ww_timers *timers);
/* Continues at a tick of the engine that has not run yet; stands still until then. */
void ww_timers_resume(ww_timers *timers, ww_tick at);

#endif
