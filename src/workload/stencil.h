/* A stencil of 3 x 3 points applied to a grid, row by row: the reference of workloads whose grids
 * are too large for a second copy.
 *
 * grid   rows x columns points; those on the border keep their values
 * step   every other point becomes what the workload's rule makes of it and the eight points around
 *        it
 *
 * Three rows of each step are kept; nothing is computed twice. */
#ifndef WW_WORKLOAD_STENCIL_H
#define WW_WORKLOAD_STENCIL_H

#include <stdint.h>

typedef struct ww_stencil {
    uint64_t rows, columns, steps; /* each at least 1 */
    /* Puts the points 1 to columns - 2 of the row `here` one step on into `made`. */
    void (*rule)(const float *above, const float *here, const float *below, float *made,
                 uint64_t columns);
    /* Puts a row of the initial grid into `values`. */
    void (*initial)(void *context, uint64_t row, float *values);
    /* Called with each row after each number of steps from 1 on; rows of one step come in order. */
    void (*made)(void *context, uint64_t step, uint64_t row, const float *values);
    void *context;
} ww_stencil;

void ww_stencil_run(const ww_stencil *stencil);

#endif
