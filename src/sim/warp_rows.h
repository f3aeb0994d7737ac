/* The time of each warp, as CSV: a row when it ends.
 *
 * wave     of a group: 1 when it started on a compute unit where no group of the launch had ended.
 *          Else it follows a group that ended there, the first that none follows yet, and its wave
 *          is that one's plus 1.
 * start    the cycle of the core clock from which on it can issue; cycles: from there to its end */
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
