/* Pages over time: which pages of which buffers were touched, moved and evicted when.
 *
 * row      neighbouring pages of a buffer. The number of pages in a row doubles when there would be
 *          too many rows, in all buffers alike.
 * bin      a stretch of time. It doubles when there would be too many bins.
 * cell     what happened to the pages of a row in a bin
 *
 * So the map of any run has a bounded size. Buffers beyond a number are not shown. */
#ifndef WW_SIM_PAGE_MAP_H
#define WW_SIM_PAGE_MAP_H

#include "base/json.h"
#include "paging/observer.h"
#include "sim/gpu.h"

typedef enum ww_page_map_format {
    WW_PAGE_MAP_HTML,
    WW_PAGE_MAP_JSON,
    WW_PAGE_MAP_CSV,
    WW_PAGE_MAP_NONE /* the file's name ends in none of them */
} ww_page_map_format;

/* By the end of the file's name. */
ww_page_map_format ww_page_map_format_of(const char *path);

typedef struct ww_page_map ww_page_map;

ww_page_map *ww_page_map_create(const ww_config *config);
void ww_page_map_destroy(ww_page_map *map);

const ww_paging_observer *ww_page_map_observer(const ww_page_map *map);
/* Before a launch: its buffers. */
void ww_page_map_launched(ww_page_map *map, const ww_memory *memory);

/* Time went on up to a cycle. */
void ww_page_map_extend(ww_page_map *map, uint64_t cycle);

/* All of it, besides what paging did over time (paging_series.h), which has the same bins. */
json_t *ww_page_map_json(const ww_page_map *map);
/* The time of all bins, in cycles, and their number. */
uint64_t ww_page_map_end(const ww_page_map *map);
unsigned ww_page_map_bins(const ww_page_map *map);
/* A line for each cell in which something happened. */
void ww_page_map_write_csv(const ww_page_map *map, FILE *out);

#endif
