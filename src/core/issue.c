#include "core/issue.h"

#include "core/examine.h"

/* ---- creation ---- */

void ww_issue_create(ww_cu *cu)
{
    const ww_policy *policy = &cu->config.scheduler->policy;
    for (unsigned i = 0; i < cu->config.schedulers; i++) {
        cu->issue.scheduler_state[i] = ww_policy_create(policy, &cu->wiring.start);
        for (unsigned slot = i; slot < cu->config.slots; slot += cu->config.schedulers)
            cu->issue.of_scheduler[i] |= 1ull << slot;
        cu->issue.of_turn[i % cu->config.issue_period] |= cu->issue.of_scheduler[i];
    }
    cu->issue.eligible = cu->config.scheduler->eligible ? 0 : ~0ull;
}

void ww_issue_destroy(ww_cu *cu)
{
    for (unsigned i = 0; i < cu->config.schedulers; i++)
        ww_policy_destroy(&cu->config.scheduler->policy, &cu->wiring.start,
                          cu->issue.scheduler_state[i]);
}

/* ---- whether a warp can issue, and if not, why and until when ---- */

static inline void wait_for(ww_cu *cu, unsigned slot, ww_wait wait)
{
    ww_issue_wait_for(&cu->issue, &cu->slots[slot].issue, 1ull << slot, wait);
}

/* Clears the slot's bits in the masks of ready and waiting warps. */
static void remove_from_masks(ww_cu *cu, unsigned slot)
{
    ww_issue_slot *s = &cu->slots[slot].issue;
    if (s->wait == WW_WAIT_LOAD)
        ww_attribution_resolve_load(cu, slot);
    cu->issue.ready &= ~(1ull << slot);
    if (s->wait < WW_WAIT_COUNT)
        cu->issue.waiting[s->wait] &= ~(1ull << slot);
    s->wait = WW_WAIT_COUNT;
}

/* Algorithm 2, lines 8 to 11: an empty buffer comes before an undecided branch. */
static void wait_for_branch(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    const ww_issue_slot *s = &cu->slots[slot].issue;
    wait_for(cu, slot, s->is_starved ? WW_WAIT_FETCH : WW_WAIT_CONTROL);
    ww_issue_examine_at(&cu->issue, 1ull << slot, cycle, s->decided);
}

/* Enters the slot, which is in no mask, into that of its state. */
static void examine(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    if (!ww_stream_can_run(&s->stream)) {
        wait_for(cu, slot, WW_WAIT_SYNCHRONISATION);
        return;
    }
    s->issue.pc = ww_stream_pc(&s->stream);
    if (s->issue.decided > cycle)
        wait_for_branch(cu, slot, cycle);
    else
        ww_issue_examine_instruction(cu, s, 1ull << slot, ww_stream_op(&s->stream, s->issue.pc),
                                     cycle);
}

void ww_issue_examine(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    remove_from_masks(cu, slot);
    examine(cu, slot, cycle);
}

void ww_issue_examine_next(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    cu->slots[slot].issue.wait = WW_WAIT_COUNT;
    examine(cu, slot, cycle);
}

void ww_issue_start(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    cu->slots[slot].issue = (ww_issue_slot){.wait = WW_WAIT_COUNT, .unit = WW_UNIT_COUNT};
    cu->issue.unseen |= 1ull << slot;
    ww_issue_examine(cu, slot, cycle);
}

void ww_issue_stop(ww_cu *cu, unsigned slot)
{
    ww_issue *i = &cu->issue;
    unsigned scheduler = slot % cu->config.schedulers;
    remove_from_masks(cu, slot);
    cu->config.scheduler->warp_ended(i->scheduler_state[scheduler], slot);
    i->unseen |= i->of_scheduler[scheduler];
    ww_units_need(&cu->units, 1ull << slot, cu->slots[slot].issue.unit, WW_UNIT_COUNT);
    i->outside &= ~(1ull << slot);
}

/* ---- after an instruction ---- */

/* No warp of the group can run: those that a barrier still waits for may have ended before it. */
static bool unblock(ww_cu *cu, const ww_resident *group)
{
    ww_executor *x = group->launch->executor;
    uint32_t elsewhere;
    x->released = false;
    int status = ww_group_unblock(x, group->group, &elsewhere);
    if (status == WW_OK && !x->released && group->group->running)
        status = ww_group_report_barrier(x, group->group, elsewhere);
    if (status != WW_OK)
        ww_cu_fail(cu, status);
    return status == WW_OK;
}

/* Whether a warp of the group can run. */
static bool can_run(ww_cu *cu, const ww_resident *group)
{
    bool any = false;
    for (uint64_t rest = group->slots; rest; rest &= rest - 1)
        any |= ww_stream_reconverge(&cu->slots[__builtin_ctzll(rest)].stream);
    return any;
}

void ww_issue_examine_group(ww_cu *cu, ww_resident *group, uint64_t cycle)
{
    while (!can_run(cu, group) && group->group->running)
        if (!unblock(cu, group))
            return;
    for (uint64_t rest = group->slots; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (ww_stream_has_ended(&cu->slots[slot].stream))
            ww_issue_end(&cu->issue, slot);
        else if (cu->slots[slot].issue.wait == WW_WAIT_SYNCHRONISATION)
            ww_issue_examine(cu, slot, cycle);
    }
}

/* ---- cycles ---- */

void ww_issue_begin_cycle(ww_cu *cu, uint64_t cycle)
{
    ww_issue *i = &cu->issue;
    uint64_t ready = ww_ring_take(&i->becomes_ready, cycle);
    uint64_t due = ww_ring_take(&i->due, cycle);
    i->ready |= ready;
    i->waiting[WW_WAIT_OPERAND] &= ~ready;
    for (; due; due &= due - 1)
        ww_issue_examine(cu, (unsigned)__builtin_ctzll(due), cycle);
}
