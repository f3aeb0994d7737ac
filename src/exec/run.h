/* Running the groups of a launch to their end, in an order, with or without progress. */
#ifndef WW_EXEC_RUN_H
#define WW_EXEC_RUN_H

#include "exec/order.h"
#include "exec/warp.h"

/* Numbers in order, from which the order policy takes any. */
typedef struct ww_queue {
    WW_VEC(uint64_t) items;
    size_t first; /* those before it are gone */
} ww_queue;

typedef struct ww_run {
    ww_executor *x;
    const ww_exec_options *options;
    const ww_launch *launch;
    void *order_state;
    uint64_t group_count;
    uint64_t groups_started;
    uint64_t groups_done;
    uint64_t groups_listed;
    ww_queue waiting; /* groups that have not started: their numbers */
    ww_queue ready;   /* warps that can run and have a turn left: their addresses */
    WW_VEC(ww_group *) resident;
    WW_VEC(ww_group *) spare;
    uint64_t turn; /* instructions a warp runs before another gets its turn */
} ww_run;

int ww_run_groups(ww_run *run);

#endif
