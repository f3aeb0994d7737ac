#include "core/predict.h"

#include "core/core_internal.h"

void ww_predictor_create(ww_cu *cu)
{
    const ww_criticality *policy = cu->config.criticality;
    ww_predictor *p = &cu->predictor;
    if (!policy || !policy->warp_started)
        return;
    p->state = ww_policy_create(&policy->policy, &cu->wiring.start);
    p->criticality = p->state->of_slot;
    p->next_sample = WW_SAMPLE_CYCLES;
    p->top_only = ww_policy_has_key(&policy->policy, "critical_warps") &&
                  ww_policy_choice(&cu->wiring.start, "critical_warps") != WW_CRITICAL_SLOW;
}

void ww_predictor_destroy(ww_cu *cu)
{
    if (cu->predictor.state)
        ww_policy_destroy(&cu->config.criticality->policy, &cu->wiring.start, cu->predictor.state);
}

/* ---- slow warps ---- */

static unsigned count_more_critical(const ww_cu *cu, unsigned slot)
{
    const uint32_t *criticality = cu->predictor.criticality;
    unsigned count = 0;
    for (uint64_t rest = cu->slots[slot].resident.group->slots; rest; rest &= rest - 1)
        count += criticality[__builtin_ctzll(rest)] > criticality[slot];
    return count;
}

bool ww_predictor_is_slow(const ww_cu *cu, unsigned slot)
{
    unsigned live = (unsigned)__builtin_popcountll(cu->slots[slot].resident.group->slots);
    return 2 * count_more_critical(cu, slot) <= live;
}

bool ww_predictor_is_critical(const ww_cu *cu, unsigned slot)
{
    return cu->predictor.top_only ? !count_more_critical(cu, slot) : ww_predictor_is_slow(cu, slot);
}

/* Takes the samples of all cycles up to this one: criticality has not changed since the last. */
static void take_samples(ww_cu *cu, uint64_t cycle)
{
    ww_predictor *p = &cu->predictor;
    if (cycle < p->next_sample)
        return;
    uint64_t count = (cycle - p->next_sample) / WW_SAMPLE_CYCLES + 1;
    p->next_sample += count * WW_SAMPLE_CYCLES;
    for (uint64_t rest = cu->residency.present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        p->samples[slot] += count;
        p->slow_samples[slot] += ww_predictor_is_slow(cu, slot) ? count : 0;
    }
}

/* ---- what warps do ---- */

void ww_predictor_start(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_stream *stream = &cu->slots[slot].stream;
    const ww_cu_launch *l = stream->launch;
    const ww_warp *w = stream->warp;
    ww_predictor *p = &cu->predictor;
    ww_started_warp started = {
        .launch = l->number, .group = w->group->number, .warp = w->index, .cycle = cycle};
    if (l->profiled)
        started.profiled = ww_warp_times_get(l->profiled, l->number, started.group, started.warp);
    take_samples(cu, cycle - 1);
    p->samples[slot] = p->slow_samples[slot] = 0;
    p->next_issue[slot] = cycle;
    cu->config.criticality->warp_started(p->state, slot, &started);
}

static uint64_t divergent_branches(const ww_stream *stream)
{
    return stream->launch->executor->counters->divergent_branches;
}

static const ww_uop *uop_of(const ww_slot_state *s)
{
    return &s->stream.launch->executor->kernel->uops[s->issue.pc];
}

/* Within a function: calls and returns are none. */
static bool is_branch(const ww_slot_state *s)
{
    unsigned kind = uop_of(s)->kind;
    return kind == WW_UOP_BRANCH || kind == WW_UOP_BRANCH_INDEX;
}

/* Which lanes take it is known only before it is executed. */
static void begin_branch(ww_predictor *p, const ww_slot_state *s)
{
    const ww_uop *uop = uop_of(s);
    const ww_warp *w = s->stream.warp;
    uint64_t all = w->splits[w->current].lanes;
    uint64_t guard = w->predicates[uop->guard] ^ (0 - (uint64_t)uop->guard_negated);
    p->divergent_branches = divergent_branches(&s->stream);
    p->branch = (ww_branch_outcome){.pc = s->issue.pc,
                                    .taken = (all & guard) != 0,
                                    .not_taken = (all & ~guard) != 0,
                                    .paths = s->stream.launch->code->paths[s->issue.pc]};
}

static void end_branch(const ww_cu *cu, ww_predictor *p, unsigned slot)
{
    const ww_stream *stream = &cu->slots[slot].stream;
    if (!is_branch(&cu->slots[slot]) || ww_stream_has_ended(stream))
        return;
    p->branch.next = ww_stream_can_run(stream) ? ww_stream_pc(stream) : p->branch.pc + 1;
    p->branch.divergent = divergent_branches(stream) != p->divergent_branches;
    cu->config.criticality->branched(p->state, slot, &p->branch);
}

void ww_predictor_issue(ww_cu *cu, unsigned slot, const ww_timed_op *op, uint64_t cycle)
{
    const ww_criticality *policy = cu->config.criticality;
    ww_predictor *p = &cu->predictor;
    take_samples(cu, cycle);
    if (policy->stalled && cycle > p->next_issue[slot])
        policy->stalled(p->state, slot, cycle - p->next_issue[slot]);
    p->next_issue[slot] = cycle + 1;
    if (op->flags & WW_TIMED_BRANCH && policy->branched)
        begin_branch(p, &cu->slots[slot]);
    if (policy->issued)
        policy->issued(p->state, slot, cycle);
}

void ww_predictor_execute(ww_cu *cu, unsigned slot, const ww_timed_op *op, bool complete,
                          uint64_t cycle)
{
    const ww_criticality *policy = cu->config.criticality;
    if (complete && policy->committed)
        policy->committed(cu->predictor.state, slot, cycle);
    if (op->flags & WW_TIMED_BRANCH && policy->branched)
        end_branch(cu, &cu->predictor, slot);
}

void ww_predictor_commit(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    if (!cu->config.criticality->committed)
        return;
    take_samples(cu, cycle - 1);
    cu->config.criticality->committed(cu->predictor.state, slot, cycle);
}

void ww_predictor_end(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_predictor *p = &cu->predictor;
    take_samples(cu, cycle - 1);
    if (cu->slots[slot].resident.group->slots == 1ull << slot) {
        p->state->samples += p->samples[slot];
        p->state->slow_samples += p->slow_samples[slot];
    }
    if (cu->config.criticality->warp_ended)
        cu->config.criticality->warp_ended(p->state, slot);
}
