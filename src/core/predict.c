/* Tells the criticality policy what warps do. Called only where there is one. */
#include "core/core_internal.h"

void ww_cu_create_predictor(ww_cu *cu)
{
    const ww_criticality *policy = cu->config.criticality;
    if (!policy || !policy->warp_started)
        return;
    cu->predictor = ww_policy_create(&policy->policy, &cu->wiring.start);
    cu->criticality = ((const ww_warp_criticality *)cu->predictor)->of_slot;
}

void ww_cu_destroy_predictor(ww_cu *cu)
{
    if (cu->predictor)
        ww_policy_destroy(&cu->config.criticality->policy, &cu->wiring.start, cu->predictor);
}

void ww_cu_predict_start(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_cu_launch *l = cu->launch;
    const ww_warp *w = cu->slots[slot].warp;
    ww_started_warp started = {
        .launch = l->number, .group = w->group->number, .warp = w->index, .cycle = cycle};
    if (l->profiled)
        started.profiled = ww_warp_times_get(l->profiled, l->number, started.group, started.warp);
    cu->next_issue[slot] = cycle;
    cu->config.criticality->warp_started(cu->predictor, slot, &started);
}

void ww_cu_predict_issue(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_criticality *policy = cu->config.criticality;
    if (policy->stalled && cycle > cu->next_issue[slot])
        policy->stalled(cu->predictor, slot, cycle - cu->next_issue[slot]);
    cu->next_issue[slot] = cycle + 1;
    cu->divergent_branches = cu->launch->executor->counters->divergent_branches;
    if (policy->issued)
        policy->issued(cu->predictor, slot, cycle);
}

void ww_cu_predict_branch(ww_cu *cu, unsigned slot)
{
    const ww_criticality *policy = cu->config.criticality;
    const ww_slot_state *s = &cu->slots[slot];
    uint64_t divergent = cu->launch->executor->counters->divergent_branches;
    if (!policy->branched || !s->warp->live)
        return;
    ww_branch_outcome outcome = {.pc = s->pc,
                                 .next = s->warp->splits[s->warp->current].pc,
                                 .divergent = divergent != cu->divergent_branches};
    policy->branched(cu->predictor, slot, &outcome);
}

void ww_cu_predict_end(ww_cu *cu, unsigned slot)
{
    if (cu->config.criticality->warp_ended)
        cu->config.criticality->warp_ended(cu->predictor, slot);
}
