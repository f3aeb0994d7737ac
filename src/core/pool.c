/* Tells schedulers of the compute unit's warps, where they want to know. */
#include "core/parts.h"

static unsigned count_groups(const ww_core *core)
{
    unsigned count = 0;
    for (unsigned i = 0; i < core->resident_count; i++)
        count += core->residents[i].slots != 0;
    return count;
}

void ww_core_pool_changed(const ww_core *core)
{
    const ww_scheduler *policy = core->config.scheduler;
    const ww_core_launch *l = core->launch;
    uint32_t foretold[WW_MOST_SLOTS];
    uint8_t group[WW_MOST_SLOTS];
    if (!policy->pool_changed)
        return;
    for (uint64_t rest = core->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        const ww_warp *warp = core->slots[slot].warp;
        group[slot] = (uint8_t)(core->slots[slot].group - core->residents);
        foretold[slot] = l->foretold ? ww_warp_times_get(l->foretold, l->number,
                                                         warp->group->number, warp->index)
                                     : 0;
    }
    ww_warp_pool pool = {.present = core->present,
                         .foretold = foretold,
                         .group = group,
                         .groups = count_groups(core)};
    for (unsigned i = 0; i < core->config.schedulers; i++) {
        pool.mine = core->present & core->of_scheduler[i];
        policy->pool_changed(core->scheduler_state[i], &pool);
    }
}
