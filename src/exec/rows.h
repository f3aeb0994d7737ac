/* Moving and inspecting rows: the loops over lanes that are not arithmetic. Compiled once for each
 * level, like the lane operators; all levels give the same results. */
#ifndef WW_EXEC_ROWS_H
#define WW_EXEC_ROWS_H

#include "exec/lane.h"

typedef struct ww_row_tools {
    /* d[lane] = s[lane] where the mask has the lane. */
    void (*blend32)(void *d, const void *s, uint64_t mask, unsigned blocks);
    void (*blend64)(void *d, const void *s, uint64_t mask, unsigned blocks);
    /* d[lane] = base[lane] + offset, from a row of 4 or 8 bytes a lane. */
    void (*address32)(uint64_t *d, const void *base, uint64_t offset, unsigned blocks);
    void (*address64)(uint64_t *d, const void *base, uint64_t offset, unsigned blocks);
    /* Whether a[lane] = a[0] + lane * step for all lanes below `lanes`. */
    bool (*is_sequence)(const uint64_t *a, uint64_t step, unsigned lanes);
    /* Smallest, largest, and the bits set in any, over all lanes of the blocks. */
    void (*range)(const uint64_t *a, unsigned blocks, uint64_t *low, uint64_t *high, uint64_t *any);
    /* d[lane] = the 4 or 8 bytes at a[lane] + bias (an address of the host). */
    void (*gather32)(void *d, const uint64_t *a, uint64_t bias, unsigned blocks);
    void (*gather64)(void *d, const uint64_t *a, uint64_t bias, unsigned blocks);
} ww_row_tools;

/* The tools of a level; the portable ones when this build has no such level. */
const ww_row_tools *ww_row_tools_of(ww_lane_level level);

#endif
