/* What a result has of groups beside a first pass of warps' times (first_pass.h): criticality
 * inversion by launch and wave, and the warps of one group with their cycles by reason.
 *
 * wave            of groups (waves.h)
 * typical group   the one whose warps are shown (core/warp_times.h), chosen by the first pass, so
 *                 that runs with the same first pass show the same group */
#ifndef WW_SIM_GROUP_ROWS_H
#define WW_SIM_GROUP_ROWS_H

#include "base/json.h"
#include "core/observer.h"
#include "sim/row_list.h"

typedef struct ww_group_rows ww_group_rows;

extern const ww_row_list ww_wave_list, ww_warp_list;

ww_group_rows *ww_group_rows_create(void);
void ww_group_rows_destroy(ww_group_rows *rows);

const ww_cu_observer *ww_group_rows_observer(const ww_group_rows *rows);
/* `cycle`: of the core clock. */
void ww_group_rows_launched(ww_group_rows *rows, uint64_t number, uint64_t cycle,
                            const ww_cu_launch *launch);
/* An object with both lists by their names; `warps` are in the order of their times in the first
 * pass. NULL: no launch had a first pass. */
json_t *ww_group_rows_json(ww_group_rows *rows);

#endif
