/* The time of each warp, as CSV: a row when it ends.
 *
 * wave     of its group (waves.h)
 * start    the cycle of the core clock from which on it can issue; cycles: from there to its end,
 *          and then the same by reason. Each instruction that it issued is a cycle of execution. */
#ifndef WW_SIM_WARP_ROWS_H
#define WW_SIM_WARP_ROWS_H

#include "core/observer.h"

#include <stdio.h>

typedef struct ww_warp_rows ww_warp_rows;

/* Writes the head. Does not close the file. */
ww_warp_rows *ww_warp_rows_create(FILE *out);
void ww_warp_rows_destroy(ww_warp_rows *rows);

const ww_cu_observer *ww_warp_rows_observer(const ww_warp_rows *rows);
void ww_warp_rows_launched(ww_warp_rows *rows, uint64_t number);

#endif
