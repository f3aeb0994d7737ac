/* Notifies schedulers when the set of resident warps changes, if their policy has a use for it. */
#include "core/core_internal.h"

static unsigned count_groups(const ww_cu *cu)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cu->resident_count; i++)
        count += cu->residents[i].slots != 0;
    return count;
}

void ww_cu_notify_schedulers(const ww_cu *cu)
{
    const ww_scheduler *policy = cu->config.scheduler;
    const ww_cu_launch *l = cu->launch;
    uint32_t profiled[WW_MOST_SLOTS];
    uint8_t group[WW_MOST_SLOTS];
    if (!policy->pool_changed)
        return;
    for (uint64_t rest = cu->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        const ww_warp *warp = cu->slots[slot].warp;
        group[slot] = (uint8_t)(cu->slots[slot].group - cu->residents);
        profiled[slot] = l->profiled ? ww_warp_times_get(l->profiled, l->number,
                                                         warp->group->number, warp->index)
                                     : 0;
    }
    ww_warp_pool pool = {
        .present = cu->present, .profiled = profiled, .group = group, .groups = count_groups(cu)};
    for (unsigned i = 0; i < cu->config.schedulers; i++) {
        pool.mine = cu->present & cu->of_scheduler[i];
        policy->pool_changed(cu->scheduler_state[i], &pool);
    }
}
