#include "sim/row_list.h"

#include "sim/group_rows.h"
#include "sim/reuse_rows.h"

const ww_row_list *const ww_row_lists[] = {&ww_reuse_list, &ww_warp_list, &ww_wave_list};
const size_t ww_row_list_count = sizeof(ww_row_lists) / sizeof(ww_row_lists[0]);
