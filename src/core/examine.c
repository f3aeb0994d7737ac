/* Whether a warp can issue, and if not, why and until when. */
#include "core/core_internal.h"

/* Examines the slot again in `cycle`; a cycle beyond the ring is reached in steps. */
static void examine_at(ww_cu *cu, unsigned slot, uint64_t now, uint64_t cycle)
{
    uint64_t latest = now + WW_RING - 1;
    cycle = cycle > latest ? latest : cycle;
    cu->ring[cycle % WW_RING].due |= 1ull << slot;
    cu->due_cycles |= 1ull << cycle % WW_RING;
}

static void wait_for(ww_cu *cu, unsigned slot, ww_wait wait)
{
    cu->waiting[wait] |= 1ull << slot;
    cu->slots[slot].wait = (uint8_t)wait;
}

/* The cycle in which the last operand is ready, or WW_NEVER. */
static uint64_t operands_at(const ww_cu *cu, const ww_slot_state *s, const ww_timed_op *op)
{
    const uint16_t *registers = cu->launch->code->registers + op->first;
    uint64_t last = 0;
    for (unsigned i = 0; i < op->count; i++) {
        uint64_t at = s->ready_at[registers[i]];
        last = at > last ? at : last;
    }
    return last;
}

static void note_unit(ww_cu *cu, ww_slot_state *s, uint64_t bit, const ww_timed_op *op)
{
    cu->by_unit[s->unit] &= ~bit;
    cu->by_unit[op->unit] |= bit;
    s->unit = op->unit;
    cu->outside = op->flags & WW_TIMED_INSIDE ? cu->outside & ~bit : cu->outside | bit;
}

/* The time of the value is known and nothing else can change until then: the slot becomes ready at
 * that time without another examination. */
static void wait_for_operands(ww_cu *cu, unsigned slot, const ww_timed_op *op, uint64_t now,
                              uint64_t cycle)
{
    wait_for(cu, slot, WW_WAIT_OPERAND);
    if (cycle - now >= WW_RING || op->flags & WW_TIMED_FENCE) {
        examine_at(cu, slot, now, cycle);
        return;
    }
    cu->ring[cycle % WW_RING].ready |= 1ull << slot;
    cu->ready_cycles |= 1ull << cycle % WW_RING;
}

static void examine_operands(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    const ww_timed_op *op = &cu->launch->code->ops[s->pc];
    uint64_t at = operands_at(cu, s, op);
    note_unit(cu, s, 1ull << slot, op);
    if (at == WW_NEVER)
        wait_for(cu, slot, WW_WAIT_LOAD);
    else if (at > cycle)
        wait_for_operands(cu, slot, op, cycle, at);
    else if (op->flags & WW_TIMED_FENCE && s->stores + s->loads)
        wait_for(cu, slot, WW_WAIT_SYNCHRONISATION);
    else
        cu->ready |= 1ull << slot;
}

void ww_cu_remove_from_masks(ww_cu *cu, unsigned slot)
{
    ww_slot_state *s = &cu->slots[slot];
    if (s->wait == WW_WAIT_LOAD)
        ww_cu_resolve_load(cu, slot);
    cu->ready &= ~(1ull << slot);
    if (s->wait < WW_WAIT_COUNT)
        cu->waiting[s->wait] &= ~(1ull << slot);
    s->wait = WW_WAIT_COUNT;
}

void ww_cu_examine(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    ww_cu_remove_from_masks(cu, slot);
    if (!ww_warp_is_ready(s->warp)) {
        wait_for(cu, slot, WW_WAIT_SYNCHRONISATION);
        return;
    }
    s->pc = s->warp->splits[s->warp->current].pc;
    if (s->decided > cycle) {
        wait_for(cu, slot, WW_WAIT_CONTROL);
        examine_at(cu, slot, cycle, s->decided);
    } else if (s->pc < s->buffered_from || s->pc >= s->buffered_to) {
        wait_for(cu, slot, WW_WAIT_FETCH);
        if (!s->fetching || s->fetch_pc != s->pc) {
            cu->needs_fetch |= 1ull << slot;
            s->fetch_pc = s->pc;
            s->fetching = false; /* the fetch in flight is not needed any more */
        }
    } else {
        examine_operands(cu, slot, cycle);
    }
}

/* No warp of the group can run: those that a barrier still waits for may have ended before it. */
static bool unblock(ww_cu *cu, ww_resident *group)
{
    ww_executor *x = cu->launch->executor;
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
    for (uint64_t rest = group->slots; rest; rest &= rest - 1) {
        ww_warp *warp = cu->slots[__builtin_ctzll(rest)].warp;
        ww_warp_reconverge(cu->launch->executor, warp);
        any |= ww_warp_is_ready(warp);
    }
    return any;
}

void ww_cu_examine_group(ww_cu *cu, ww_resident *group, uint64_t cycle)
{
    while (!can_run(cu, group) && group->group->running)
        if (!unblock(cu, group))
            return;
    for (uint64_t rest = group->slots; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (!cu->slots[slot].warp->live)
            cu->ended |= 1ull << slot;
        else if (cu->slots[slot].wait == WW_WAIT_SYNCHRONISATION)
            ww_cu_examine(cu, slot, cycle);
    }
}
