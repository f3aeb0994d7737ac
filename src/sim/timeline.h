/* The timeline of a run: a file in the Trace Event Format (JSON), for ui.perfetto.dev and others.
 *
 * A process for each compute unit has a thread for each slot, whose slices are warps; memory
 * instructions are asynchronous slices. The process "GPU" has launches, and counters over time.
 * Where memory is paged, the process "paging" has faults, pages that move, and counters.
 * Times are microseconds of simulated time. Events are written as they happen, at most about
 * 200,000 besides the names of tracks: the sampling periods of memory instructions and counters
 * grow with the run, and warps beyond a limit are left out. */
#ifndef WW_SIM_TIMELINE_H
#define WW_SIM_TIMELINE_H

#include "core/observer.h"
#include "sim/gpu.h"

typedef struct ww_timeline ww_timeline;

ww_timeline *ww_timeline_create(const ww_config *config, FILE *out);
/* Ends open slices and the JSON; does not close the file. */
void ww_timeline_finish(ww_timeline *timeline);
void ww_timeline_destroy(ww_timeline *timeline);

const ww_cu_observer *ww_timeline_observer(const ww_timeline *timeline);
/* NULL: memory is not paged. */
const ww_paging_observer *ww_timeline_pages(const ww_timeline *timeline);
void ww_timeline_launched(ww_timeline *timeline, uint64_t number, uint64_t cycle,
                          const ww_cu_launch *launch);
/* Cycles until the next one. */
uint64_t ww_timeline_sample(ww_timeline *timeline, const ww_gpu_sample *sample);

#endif
