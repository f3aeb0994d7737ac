/* What paging did over the time of a run: samples of its counters, a bounded number of them. When
 * there are too many, every second one is dropped and the distance doubles. Between two samples,
 * counts are taken to grow evenly. */
#ifndef WW_SIM_PAGING_SERIES_H
#define WW_SIM_PAGING_SERIES_H

#include "base/json.h"
#include "sim/gpu.h"

#define WW_SERIES_BINS 64 /* of a result */

typedef struct ww_paging_series ww_paging_series;

ww_paging_series *ww_paging_series_create(void);
void ww_paging_series_destroy(ww_paging_series *series);

/* Cycles until the next one. */
uint64_t ww_paging_series_add(ww_paging_series *series, const ww_gpu_sample *sample);
uint64_t ww_paging_series_end(const ww_paging_series *series); /* the cycle of the last sample */

/* Equal bins of the time up to a cycle: {"link_in": [...], "link_out": [...], "faults": [...],
 * "resident": [...], "evictions": [...], "waiting": [...]}. The link's are parts of the time in
 * which data passes; resident pages, and pages that wait for memory, are those at a bin's end; the
 * others are counts of the bin. */
json_t *ww_paging_series_json(const ww_paging_series *series, unsigned bins, uint64_t end);

#endif
