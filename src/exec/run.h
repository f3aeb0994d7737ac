/* Running the groups of a launch to their end, in an order, with or without progress. */
#ifndef WW_EXEC_RUN_H
#define WW_EXEC_RUN_H

#include "exec/order.h"
#include "exec/warp.h"

typedef struct ww_run {
    ww_executor *x;
    const ww_exec_options *options;
    const ww_launch *launch;
    void *order_state;
    uint64_t group_count;
    uint64_t groups_started;
    uint64_t groups_done;
    uint64_t groups_listed;
    WW_VEC(uint64_t) waiting; /* numbers of groups not started, from waiting_first on */
    size_t waiting_first;
    WW_VEC(ww_group *) resident;
    WW_VEC(ww_group *) spare;
    WW_VEC(ww_warp *) ready;
    uint64_t turn; /* instructions a warp runs before another gets its turn */
} ww_run;

int ww_run_groups(ww_run *run);

#endif
