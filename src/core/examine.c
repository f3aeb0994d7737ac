/* Whether a warp can issue, and if not, why and until when. */
#include "core/parts.h"

/* It is looked at again in a cycle; one that is far away in steps. */
static void examine_at(ww_core *core, unsigned slot, uint64_t now, uint64_t cycle)
{
    uint64_t latest = now + WW_RING - 1;
    cycle = cycle > latest ? latest : cycle;
    core->ring[cycle % WW_RING].due |= 1ull << slot;
    core->due_cycles |= 1ull << cycle % WW_RING;
}

static void wait_for(ww_core *core, unsigned slot, ww_wait wait)
{
    core->waiting[wait] |= 1ull << slot;
    core->slots[slot].wait = (uint8_t)wait;
}

/* The cycle from which all operands are there, or WW_NEVER. */
static uint64_t operands_at(const ww_core *core, const ww_slot_state *s, const ww_timed_op *op)
{
    const uint16_t *registers = core->launch->code->registers + op->first;
    uint64_t last = 0;
    for (unsigned i = 0; i < op->count; i++) {
        uint64_t at = s->ready_at[registers[i]];
        last = at > last ? at : last;
    }
    return last;
}

static void note_unit(ww_core *core, ww_slot_state *s, uint64_t bit, const ww_timed_op *op)
{
    core->by_unit[s->unit] &= ~bit;
    core->by_unit[op->unit] |= bit;
    s->unit = op->unit;
    core->outside = op->flags & WW_TIMED_INSIDE ? core->outside & ~bit : core->outside | bit;
}

/* Nothing changes when a value comes whose time is known: the slot becomes ready then without being examined. */
static void wait_for_operands(ww_core *core, unsigned slot, const ww_timed_op *op, uint64_t now,
                              uint64_t cycle)
{
    wait_for(core, slot, WW_WAIT_OPERAND);
    if (cycle - now >= WW_RING || op->flags & WW_TIMED_FENCE) {
        examine_at(core, slot, now, cycle);
        return;
    }
    core->ring[cycle % WW_RING].ripe |= 1ull << slot;
    core->ripe_cycles |= 1ull << cycle % WW_RING;
}

static void examine_operands(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    const ww_timed_op *op = &core->launch->code->ops[s->pc];
    uint64_t at = operands_at(core, s, op);
    note_unit(core, s, 1ull << slot, op);
    if (at == WW_NEVER)
        wait_for(core, slot, WW_WAIT_LOAD);
    else if (at > cycle)
        wait_for_operands(core, slot, op, cycle, at);
    else if (op->flags & WW_TIMED_FENCE && s->stores + s->loads)
        wait_for(core, slot, WW_WAIT_SYNCHRONISATION);
    else
        core->ready |= 1ull << slot;
}

void ww_core_forget(ww_core *core, unsigned slot)
{
    ww_slot_state *s = &core->slots[slot];
    if (s->wait == WW_WAIT_LOAD)
        ww_core_resolve_load(core, slot);
    core->ready &= ~(1ull << slot);
    if (s->wait < WW_WAIT_COUNT)
        core->waiting[s->wait] &= ~(1ull << slot);
    s->wait = WW_WAIT_COUNT;
}

void ww_core_examine(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    ww_core_forget(core, slot);
    if (!ww_warp_is_ready(s->warp)) {
        wait_for(core, slot, WW_WAIT_SYNCHRONISATION);
        return;
    }
    s->pc = s->warp->splits[s->warp->current].pc;
    if (s->decided > cycle) {
        wait_for(core, slot, WW_WAIT_CONTROL);
        examine_at(core, slot, cycle, s->decided);
    } else if (s->pc < s->buffered_from || s->pc >= s->buffered_to) {
        wait_for(core, slot, WW_WAIT_FETCH);
        if (!s->fetching || s->fetch_pc != s->pc) {
            core->needs_fetch |= 1ull << slot;
            s->fetch_pc = s->pc;
            s->fetching = false; /* what is on its way is not wanted any more */
        }
    } else {
        examine_operands(core, slot, cycle);
    }
}

/* Nobody of the group can run: barriers may be complete when those have ended that returned before them. */
static bool unblock(ww_core *core, ww_resident *group)
{
    ww_executor *x = core->launch->executor;
    uint32_t elsewhere;
    x->released = false;
    int status = ww_group_unblock(x, group->group, &elsewhere);
    if (status == WW_OK && !x->released && group->group->running)
        status = ww_group_report_barrier(x, group->group, elsewhere);
    if (status != WW_OK)
        ww_core_fail(core, status);
    return status == WW_OK;
}

/* Whether a warp of the group can run. */
static bool can_run(ww_core *core, const ww_resident *group)
{
    bool any = false;
    for (uint64_t rest = group->slots; rest; rest &= rest - 1) {
        ww_warp *warp = core->slots[__builtin_ctzll(rest)].warp;
        ww_warp_settle(core->launch->executor, warp);
        any |= ww_warp_is_ready(warp);
    }
    return any;
}

void ww_core_examine_group(ww_core *core, ww_resident *group, uint64_t cycle)
{
    while (!can_run(core, group) && group->group->running)
        if (!unblock(core, group))
            return;
    for (uint64_t rest = group->slots; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (!core->slots[slot].warp->live)
            core->ended |= 1ull << slot;
        else if (core->slots[slot].wait == WW_WAIT_SYNCHRONISATION)
            ww_core_examine(core, slot, cycle);
    }
}
