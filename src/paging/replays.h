/* Replays of a GPU whose hardware keeps refused requests and repeats all of them on command.
 *
 * refused    a request that faulted: it waits in its compute unit for a replay
 * command    (replay) the driver pushes it into a queue of the GPU. All refused requests of all
 *            compute units go again, whether their pages have come or not.
 * group      the pages that were ordered between two commands. A command is executed after those
 *            before it, when the pages of its group have come, and takes `latency`. */
#ifndef WW_PAGING_REPLAYS_H
#define WW_PAGING_REPLAYS_H

#include "base/number_map.h"
#include "paging/hardware.h"
#include "paging/residency.h"
#include "paging/timers.h"

struct ww_paging_counters;

typedef struct ww_replays_wiring {
    ww_timers *timers;
    ww_page_residency *residency;
    struct ww_paging_counters *counters;
    const ww_paging_hardware *hardware;
    ww_tick latency;
    void (*executed)(void *context); /* the oldest command was executed */
    void *context;
} ww_replays_wiring;

typedef struct ww_refused {
    uint64_t page;
    ww_tick since;
    unsigned cu;
} ww_refused;

typedef struct ww_replays {
    ww_replays_wiring wiring;
    struct {
        ww_refused *items;
        size_t count, capacity;
    } refused;
    ww_number_map known; /* the refused, by compute unit and page */
    struct {
        uint64_t *items; /* pages of each group that have not come; the last one has no command */
        size_t count, capacity;
    } groups;
    uint64_t executed; /* commands; also the number of the first group less 1 */
    ww_timer timer;
} ww_replays;

void ww_replays_create(ww_replays *replays, const ww_replays_wiring *wiring);
void ww_replays_destroy(ww_replays *replays);

/* A request of the compute unit was refused. */
void ww_replays_add_refused(ww_replays *replays, unsigned cu, uint64_t page);
/* The driver brings the page: the next command waits for it (ww_page_record.set). */
void ww_replays_add_page(ww_replays *replays, ww_page_record *record);
void ww_replays_page_arrived(ww_replays *replays, const ww_page_record *record);
/* Returns the number of the command, from 1: it is executed when so many are. */
uint64_t ww_replays_push(ww_replays *replays);
/* Buffers may have gone, with pages that never come. */
void ww_replays_recount(ww_replays *replays);

#endif
