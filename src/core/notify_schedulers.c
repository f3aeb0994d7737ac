/* Notifies schedulers when the set of resident warps changes, if their policy has a use for it. */
#include "core/core_internal.h"

static ww_known_times known_times(const ww_resident *group)
{
    const ww_cu_launch *l = group->launch;
    ww_known_times times = {0};
    for (uint32_t i = 0; l->profiled && i < group->group->warp_count; i++) {
        uint32_t cycles = ww_warp_times_get(l->profiled, l->number, group->group->number, i);
        times.cycles += cycles;
        times.warps += cycles != 0;
    }
    return times;
}

/* Returns the number of resident groups. */
static unsigned sum_groups(const ww_cu *cu, ww_known_times of_group[WW_MOST_SLOTS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < cu->residency.group_count; i++)
        if (cu->residency.groups[i].slots) {
            of_group[i] = known_times(&cu->residency.groups[i]);
            count++;
        }
    return count;
}

void ww_issue_notify_schedulers(const ww_cu *cu, uint64_t cycle)
{
    const ww_scheduler *policy = cu->config.scheduler;
    uint32_t profiled[WW_MOST_SLOTS];
    uint8_t group[WW_MOST_SLOTS];
    ww_known_times of_group[WW_MOST_SLOTS];
    if (!policy->pool_changed)
        return;
    for (uint64_t rest = cu->residency.present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        const ww_warp *warp = cu->slots[slot].stream.warp;
        const ww_cu_launch *l = cu->slots[slot].stream.launch;
        group[slot] = (uint8_t)(cu->slots[slot].resident.group - cu->residency.groups);
        profiled[slot] = l->profiled ? ww_warp_times_get(l->profiled, l->number,
                                                         warp->group->number, warp->index)
                                     : 0;
    }
    ww_warp_pool pool = {.present = cu->residency.present,
                         .profiled = profiled,
                         .group = group,
                         .of_group = of_group,
                         .groups = sum_groups(cu, of_group)};
    for (unsigned i = 0; i < cu->config.schedulers; i++) {
        pool.turn = ww_issue_turn(cu, i, cycle);
        pool.mine = cu->residency.present & cu->issue.of_scheduler[i];
        policy->pool_changed(cu->issue.scheduler_state[i], &pool);
    }
}
