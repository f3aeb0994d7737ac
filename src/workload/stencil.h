/* What a stencil of 3 x 3 points makes of a grid, one row after another: the reference of workloads
 * whose grids are too large for a second copy.
 *
 * grid   rows x columns points; those on the border keep their values
 * step   every other point becomes the weighted sum of itself (centre), the points above, below,
 *        left and right of it (cardinal) and the other four around it (diagonal)
 *
 * Computed in double precision. Three rows of each step are kept; nothing is computed twice. */
#ifndef WW_WORKLOAD_STENCIL_H
#define WW_WORKLOAD_STENCIL_H

#include <stdint.h>

typedef struct ww_stencil {
    uint64_t rows, columns, steps; /* each at least 1 */
    double centre, cardinal, diagonal;
    /* Puts a row of the initial grid into `values`. */
    void (*initial)(void *context, uint64_t row, double *values);
    /* Called with each row after each number of steps from 1 on; rows of one step come in order. */
    void (*made)(void *context, uint64_t step, uint64_t row, const double *values);
    void *context;
} ww_stencil;

void ww_stencil_run(const ww_stencil *stencil);

#endif
