#include "core/predict.h"

#include "core/core_internal.h"

static uint32_t keep(void *state, unsigned slot, const ww_warp_progress *warp)
{
    (void)warp;
    return ((const ww_warp_criticality *)state)->of_slot[slot];
}

void ww_predictor_create(ww_cu *cu)
{
    const ww_criticality *policy = cu->config.criticality;
    ww_predictor *p = &cu->predictor;
    if (!policy || !policy->warp_started)
        return;
    p->state = ww_policy_create(&policy->policy, &cu->wiring.start);
    p->criticality = p->state->of_slot;
    p->for_scheduler = cu->config.scheduler->needs_criticality ? p->criticality : NULL;
    p->policy = policy;
    p->predict = policy->predict ? policy->predict : keep;
    p->is_told = policy->issued || policy->stalled || policy->committed;
    p->next_sample = WW_SAMPLE_CYCLES;
    p->top_only = ww_policy_has_key(&policy->policy, "critical_warps") &&
                  ww_policy_choice(&cu->wiring.start, "critical_warps") != WW_CRITICAL_SLOW;
}

void ww_predictor_destroy(ww_cu *cu)
{
    if (cu->predictor.state)
        ww_policy_destroy(&cu->config.criticality->policy, &cu->wiring.start, cu->predictor.state);
}

uint64_t ww_scheduler_changed(const ww_scheduler_view *view)
{
    ww_predictor *p = view->predictor;
    uint64_t changed = p->stale & view->mine;
    p->stale ^= changed;
    return changed;
}

uint32_t ww_scheduler_ask(const ww_scheduler_view *view, unsigned slot)
{
    return ww_predictor_ask(view->predictor, slot);
}

/* ---- slow warps ---- */

static unsigned count_more_critical(ww_cu *cu, unsigned slot)
{
    ww_predictor *p = &cu->predictor;
    const uint32_t *criticality = p->criticality;
    uint64_t group = cu->slots[slot].resident.group->slots;
    unsigned count = 0;
    for (uint64_t rest = group & p->stale; rest; rest &= rest - 1)
        ww_predictor_ask(p, (unsigned)__builtin_ctzll(rest));
    if (!p->for_scheduler)
        p->stale &= ~group;
    for (uint64_t rest = group; rest; rest &= rest - 1)
        count += criticality[__builtin_ctzll(rest)] > criticality[slot];
    return count;
}

bool ww_predictor_is_slow(ww_cu *cu, unsigned slot)
{
    unsigned live = (unsigned)__builtin_popcountll(cu->slots[slot].resident.group->slots);
    return 2 * count_more_critical(cu, slot) <= live;
}

bool ww_predictor_is_critical(ww_cu *cu, unsigned slot)
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

/* A function of the policy was called. One that is never asked may have changed any slot. */
static void note_change(ww_predictor *p)
{
    p->stale |= p->policy->predict ? 0 : ~0ull;
}

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
    p->progress[slot] = (ww_warp_progress){.start = cycle, .next_issue = cycle, .changed = cycle};
    p->stale |= 1ull << slot;
    cu->config.criticality->warp_started(p->state, slot, &started);
    note_change(p);
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
void ww_predictor_begin_branch(ww_cu *cu, unsigned slot)
{
    const ww_slot_state *s = &cu->slots[slot];
    const ww_uop *uop = uop_of(s);
    const ww_warp *w = s->stream.warp;
    ww_predictor *p = &cu->predictor;
    uint64_t all = w->splits[w->current].lanes;
    uint64_t guard = w->predicates[uop->guard] ^ (0 - (uint64_t)uop->guard_negated);
    p->divergent_branches = divergent_branches(&s->stream);
    p->branch = (ww_branch_outcome){.pc = s->issue.pc,
                                    .taken = (all & guard) != 0,
                                    .not_taken = (all & ~guard) != 0,
                                    .paths = s->stream.launch->code->paths[s->issue.pc]};
}

void ww_predictor_end_branch(ww_cu *cu, unsigned slot)
{
    const ww_stream *stream = &cu->slots[slot].stream;
    ww_predictor *p = &cu->predictor;
    if (!cu->config.criticality->branched || !is_branch(&cu->slots[slot]) ||
        ww_stream_has_ended(stream))
        return;
    p->branch.next = ww_stream_can_run(stream) ? ww_stream_pc(stream) : p->branch.pc + 1;
    p->branch.divergent = divergent_branches(stream) != p->divergent_branches;
    cu->config.criticality->branched(p->state, slot, &p->branch);
    note_change(p);
}

void ww_predictor_tell(ww_cu *cu, unsigned slot, bool complete, uint64_t cycle)
{
    const ww_criticality *policy = cu->config.criticality;
    ww_predictor *p = &cu->predictor;
    uint64_t next = p->progress[slot].next_issue;
    take_samples(cu, cycle);
    if (policy->stalled && cycle > next)
        policy->stalled(p->state, slot, cycle - next);
    if (policy->issued)
        policy->issued(p->state, slot, cycle);
    if (policy->committed && complete)
        policy->committed(p->state, slot, cycle);
    note_change(p);
}

void ww_predictor_commit(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_predictor *p = &cu->predictor;
    take_samples(cu, cycle - 1);
    p->progress[slot].committed++;
    p->progress[slot].changed = cycle;
    p->stale |= 1ull << slot;
    if (cu->config.criticality->committed)
        cu->config.criticality->committed(p->state, slot, cycle);
    note_change(p);
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
    p->stale &= ~(1ull << slot);
}
