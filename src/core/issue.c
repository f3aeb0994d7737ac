#include "core/issue.h"

#include "core/core_internal.h"
#include "core/execute.h"

#include <string.h>

/* ---- creation ---- */

void ww_issue_create(ww_cu *cu)
{
    const ww_policy *policy = &cu->config.scheduler->policy;
    for (unsigned i = 0; i < cu->config.schedulers; i++) {
        cu->issue.scheduler_state[i] = ww_policy_create(policy, &cu->wiring.start);
        for (unsigned slot = i; slot < cu->config.slots; slot += cu->config.schedulers)
            cu->issue.of_scheduler[i] |= 1ull << slot;
    }
}

void ww_issue_destroy(ww_cu *cu)
{
    for (unsigned i = 0; i < cu->config.schedulers; i++)
        ww_policy_destroy(&cu->config.scheduler->policy, &cu->wiring.start,
                          cu->issue.scheduler_state[i]);
}

/* ---- whether a warp can issue, and if not, why and until when ---- */

/* Examines the slot again in `cycle`; a cycle beyond the ring is reached in steps. */
static void examine_at(ww_cu *cu, unsigned slot, uint64_t now, uint64_t cycle)
{
    ww_ring_add(&cu->issue.due, ww_ring_reach(now, cycle), 1ull << slot);
}

static void wait_for(ww_cu *cu, unsigned slot, ww_wait wait)
{
    cu->issue.waiting[wait] |= 1ull << slot;
    cu->slots[slot].issue.wait = (uint8_t)wait;
}

static void note_unit(ww_issue *i, ww_issue_slot *s, uint64_t bit, const ww_timed_op *op)
{
    i->by_unit[s->unit] &= ~bit;
    i->by_unit[op->unit] |= bit;
    s->unit = op->unit;
    i->outside = op->flags & WW_TIMED_INSIDE ? i->outside & ~bit : i->outside | bit;
}

/* The time of the value is known and nothing else can change until then: the slot becomes ready at
 * that time without another examination. */
static void wait_for_operands(ww_cu *cu, unsigned slot, const ww_timed_op *op, uint64_t now,
                              uint64_t cycle)
{
    wait_for(cu, slot, WW_WAIT_OPERAND);
    if (cycle - now >= WW_RING || op->flags & WW_TIMED_FENCE)
        examine_at(cu, slot, now, cycle);
    else
        ww_ring_add(&cu->issue.becomes_ready, cycle, 1ull << slot);
}

static void examine_operands(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    const ww_timed_op *op = ww_stream_op(&s->stream, s->issue.pc);
    uint64_t at =
        ww_scoreboard_ready(&s->scoreboard, ww_stream_registers(&s->stream, op), op->count);
    note_unit(&cu->issue, &s->issue, 1ull << slot, op);
    if (at == WW_NEVER)
        wait_for(cu, slot, WW_WAIT_LOAD);
    else if (at > cycle)
        wait_for_operands(cu, slot, op, cycle, at);
    else if (op->flags & WW_TIMED_FENCE && s->outstanding.stores + s->outstanding.loads)
        wait_for(cu, slot, WW_WAIT_SYNCHRONISATION);
    else
        cu->issue.ready |= 1ull << slot;
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

/* Enters the slot, which is in no mask, into that of its state. */
static inline void examine(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    if (!ww_stream_can_run(&s->stream)) {
        wait_for(cu, slot, WW_WAIT_SYNCHRONISATION);
        return;
    }
    s->issue.pc = ww_stream_pc(&s->stream);
    if (s->issue.decided > cycle) {
        wait_for(cu, slot, WW_WAIT_CONTROL);
        examine_at(cu, slot, cycle, s->issue.decided);
    } else if (!ww_instruction_buffer_has(&s->buffer, s->issue.pc)) {
        wait_for(cu, slot, WW_WAIT_FETCH);
        ww_front_end_demand(cu, slot, s->issue.pc);
    } else {
        examine_operands(cu, slot, cycle);
    }
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
    cu->slots[slot].issue = (ww_issue_slot){.wait = WW_WAIT_COUNT};
    ww_issue_examine(cu, slot, cycle);
}

void ww_issue_stop(ww_cu *cu, unsigned slot)
{
    ww_issue *i = &cu->issue;
    remove_from_masks(cu, slot);
    cu->config.scheduler->warp_ended(i->scheduler_state[slot % cu->config.schedulers], slot);
    i->by_unit[cu->slots[slot].issue.unit] &= ~(1ull << slot);
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

/* ---- choosing ---- */

/* Units whose instructions go to a load/store unit. */
#define QUEUES (1u << WW_UNIT_MEMORY | 1u << WW_UNIT_SCALAR)

/* The load/store units that can accept no instruction, as bits of units. */
static inline unsigned full_units(const ww_cu *cu)
{
    return (unsigned)!ww_load_store_can_accept(&cu->memory) << WW_UNIT_MEMORY |
           (unsigned)!ww_load_store_can_accept(&cu->scalar_memory) << WW_UNIT_SCALAR;
}

/* Warps whose unit cannot take an instruction in this cycle. `full`: full_units. */
static inline uint64_t blocked(const ww_cu *cu, unsigned scheduler, unsigned full)
{
    uint64_t mask = 0;
    unsigned busy = ww_units_busy(&cu->units, scheduler) | full;
    for (; busy; busy &= busy - 1)
        mask |= cu->issue.by_unit[__builtin_ctz(busy)];
    return mask;
}

/* Ready warps whose unit cannot take an instruction, in a cycle in which none issues. With an issue
 * period of 1 these are all: one with a free unit would issue. */
static uint64_t blocked_ready(const ww_cu *cu)
{
    uint64_t mask = 0;
    if (cu->config.issue_period == 1)
        return cu->issue.ready;
    unsigned full = full_units(cu);
    for (unsigned s = 0; s < cu->config.schedulers; s++)
        mask |= cu->issue.ready & cu->issue.of_scheduler[s] & blocked(cu, s, full);
    return mask;
}

/* Ready warps behind a full load/store unit. */
static uint64_t behind_memory(const ww_cu *cu)
{
    return ww_load_store_can_accept(&cu->memory)
               ? 0
               : cu->issue.ready & cu->issue.by_unit[WW_UNIT_MEMORY];
}

static void run_scheduler(ww_cu *cu, unsigned scheduler, uint64_t cycle, ww_issue_record *record)
{
    const ww_scheduler *policy = cu->config.scheduler;
    ww_issue *i = &cu->issue;
    void *state = i->scheduler_state[scheduler];
    ww_scheduler_view view = {cu->residency.present & i->of_scheduler[scheduler],
                              cu->residency.older,
                              i->waiting[WW_WAIT_LOAD] | i->waiting[WW_WAIT_SYNCHRONISATION],
                              cu->predictor.criticality, 0};
    uint64_t mine = view.mine;
    if (policy->eligible)
        view.turn = ww_issue_turn(cu, scheduler, cycle);
    uint64_t allowed = policy->eligible ? policy->eligible(state, &view) : ~0ull;
    unsigned taken = ww_cu_walks_taken(&cu->walks, scheduler, cycle);
    uint64_t considered = taken < cu->config.issue_width ? 0 : mine & ~record->ready, issued = 0;
    for (unsigned n = taken; n < cu->config.issue_width && !cu->broken; n++) {
        uint64_t busy = blocked(cu, scheduler, record->full);
        uint64_t ready = i->ready & record->ready & mine & ~issued;
        uint64_t candidates = ready & allowed & ~busy;
        record->structural |= ready & allowed & busy;
        if (!candidates) {
            considered = mine & (allowed | ~record->ready);
            break;
        }
        unsigned slot = policy->pick(state, &view, candidates);
        considered |= policy->before(state, &view, slot) | 1ull << slot;
        policy->issued(state, slot);
        issued |= 1ull << slot;
        i->ready &= ~(1ull << slot);
        bool fills = QUEUES >> cu->slots[slot].issue.unit & 1;
        ww_cu_execute(cu, scheduler, slot, cycle);
        if (fills)
            record->full = full_units(cu);
    }
    record->considered |= considered;
    record->issued |= issued;
}

/* The scheduler that goes first in this cycle. All do equally often, in an order that cannot be in
 * step with a unit's interval. */
static unsigned first_served(const ww_cu *cu, uint64_t cycle)
{
    uint64_t mixed = cycle * 0x9e3779b97f4a7c15u >> 32;
    return cu->config.rotates ? (unsigned)(mixed * cu->config.schedulers >> 32) : 0;
}

bool ww_issue_is_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return period == 1 || cycle % period == scheduler % period;
}

static void run_schedulers(ww_cu *cu, uint64_t cycle, ww_issue_record *record)
{
    /* A warp whose scheduler is off this cycle is charged to scheduling unless its unit is busy. */
    uint64_t unit_blocked = blocked_ready(cu);
    unsigned first = first_served(cu, cycle), count = cu->config.schedulers;
    for (unsigned n = 0; n < count && !cu->broken; n++) {
        unsigned s = first + n < count ? first + n : first + n - count;
        uint64_t mine = cu->residency.present & cu->issue.of_scheduler[s];
        if (!mine)
            continue;
        if (!(mine & record->ready) && !cu->config.scheduler->eligible)
            record->considered |= mine; /* none can issue: all are considered */
        else if (ww_issue_is_active(cu, s, cycle)) {
            run_scheduler(cu, s, cycle, record);
        } else {
            record->structural |= mine & unit_blocked;
            record->considered |= mine & (~record->ready | unit_blocked);
        }
    }
}

uint64_t ww_issue_run(ww_cu *cu, uint64_t cycle)
{
    ww_issue_record record = {.present = cu->residency.present, .ready = cu->issue.ready};
    record.full = full_units(cu);
    memcpy(record.waiting, cu->issue.waiting, sizeof(record.waiting));
    uint64_t behind = behind_memory(cu);
    if (behind)
        record.mshr = ww_attribution_behind_mshr(cu, cycle) ? behind : 0;
    run_schedulers(cu, cycle, &record);
    ww_attribution_issue(cu, &record);
    ww_attribution_end_issue(cu, behind_memory(cu), blocked_ready(cu), cycle);
    uint64_t ended = cu->issue.ended;
    cu->issue.ended = 0;
    return ended;
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

uint64_t ww_issue_turn(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return (cycle + period - 1 - scheduler % period) / period;
}

uint64_t ww_issue_next_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return cycle + (period - cycle % period + scheduler % period) % period;
}

/* The next cycle in which a ready warp has a free unit, or a policy must be called to know that one
 * is eligible. WW_NEVER: a unit has to become free. A load/store unit that can accept instructions
 * again wakes the compute unit. */
static uint64_t next_pick(const ww_cu *cu, uint64_t cycle)
{
    uint64_t next = WW_NEVER;
    if (cu->config.scheduler->eligible)
        return cycle + 1;
    unsigned full = full_units(cu);
    for (unsigned s = 0; s < cu->config.schedulers && next != cycle + 1; s++)
        if (cu->issue.ready & cu->issue.of_scheduler[s] & ~blocked(cu, s, full)) {
            uint64_t at = ww_issue_next_active(cu, s, cycle + 1);
            next = at < next ? at : next;
        }
    return next;
}

bool ww_issue_has_candidate(const ww_cu *cu)
{
    unsigned full = full_units(cu);
    for (unsigned s = 0; cu->issue.ready && s < cu->config.schedulers; s++)
        if (cu->issue.ready & cu->issue.of_scheduler[s] & ~blocked(cu, s, full))
            return true;
    return false;
}

uint64_t ww_issue_next(const ww_cu *cu, uint64_t cycle)
{
    const ww_issue *i = &cu->issue;
    uint64_t pick = i->ready ? next_pick(cu, cycle) : WW_NEVER;
    uint64_t used = i->due.used | i->becomes_ready.used | (i->ready ? cu->units.freed.used : 0);
    if (!used || pick == cycle + 1)
        return pick;
    uint64_t event = ww_ring_next(used, cycle + 1);
    return event < pick ? event : pick;
}
