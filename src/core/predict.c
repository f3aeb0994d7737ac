#include "core/predict.h"

#include "core/core_internal.h"

void ww_predictor_create(ww_cu *cu)
{
    const ww_criticality *policy = cu->config.criticality;
    if (!policy || !policy->warp_started)
        return;
    cu->predictor.state = ww_policy_create(&policy->policy, &cu->wiring.start);
    cu->predictor.criticality = ((const ww_warp_criticality *)cu->predictor.state)->of_slot;
}

void ww_predictor_destroy(ww_cu *cu)
{
    if (cu->predictor.state)
        ww_policy_destroy(&cu->config.criticality->policy, &cu->wiring.start, cu->predictor.state);
}

static uint64_t divergent_branches(const ww_stream *stream)
{
    return stream->launch->executor->counters->divergent_branches;
}

void ww_predictor_start(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_stream *stream = &cu->slots[slot].stream;
    const ww_cu_launch *l = stream->launch;
    const ww_warp *w = stream->warp;
    ww_started_warp started = {
        .launch = l->number, .group = w->group->number, .warp = w->index, .cycle = cycle};
    if (l->profiled)
        started.profiled = ww_warp_times_get(l->profiled, l->number, started.group, started.warp);
    cu->predictor.next_issue[slot] = cycle;
    cu->config.criticality->warp_started(cu->predictor.state, slot, &started);
}

void ww_predictor_issue(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_criticality *policy = cu->config.criticality;
    ww_predictor *p = &cu->predictor;
    if (policy->stalled && cycle > p->next_issue[slot])
        policy->stalled(p->state, slot, cycle - p->next_issue[slot]);
    p->next_issue[slot] = cycle + 1;
    p->divergent_branches = divergent_branches(&cu->slots[slot].stream);
    if (policy->issued)
        policy->issued(p->state, slot, cycle);
}

void ww_predictor_branch(ww_cu *cu, unsigned slot)
{
    const ww_criticality *policy = cu->config.criticality;
    const ww_slot_state *s = &cu->slots[slot];
    if (!policy->branched || ww_stream_has_ended(&s->stream))
        return;
    ww_branch_outcome outcome = {.pc = s->issue.pc,
                                 .next = ww_stream_pc(&s->stream),
                                 .divergent = divergent_branches(&s->stream) !=
                                              cu->predictor.divergent_branches};
    policy->branched(cu->predictor.state, slot, &outcome);
}

void ww_predictor_end(ww_cu *cu, unsigned slot)
{
    if (cu->config.criticality->warp_ended)
        cu->config.criticality->warp_ended(cu->predictor.state, slot);
}
