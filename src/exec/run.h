/* Running the groups of a launch to their end, in the order of a policy. */
#ifndef WW_EXEC_RUN_H
#define WW_EXEC_RUN_H

#include "exec/order.h"
#include "exec/warp.h"

/* A list from which the order policy removes any element. */
typedef struct ww_queue {
    WW_VEC(uint64_t) items;
    size_t first; /* elements before it are removed */
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
    ww_queue ready;   /* ready warps that have not used up their quantum: their addresses */
    WW_VEC(ww_group *) resident;
    WW_VEC(ww_group *) spare;
    uint64_t quantum; /* instructions that a warp runs before another one runs */
} ww_run;

int ww_run_groups(ww_run *run);

#endif
