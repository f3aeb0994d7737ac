/* A cycle of a compute unit: what becomes ready, who issues, what is fetched. */
#include "core/parts.h"

/* Warps whose unit cannot take an instruction in this cycle. */
static uint64_t blocked(const ww_core *core, unsigned scheduler, uint64_t cycle)
{
    const uint64_t *free = core->unit_free[scheduler];
    uint64_t mask = 0;
    for (unsigned u = 0; u < WW_UNIT_COUNT; u++)
        mask |= free[u] > cycle ? core->by_unit[u] : 0;
    if (core->by_unit[WW_UNIT_MEMORY] && !ww_load_store_has_room(&core->memory))
        mask |= core->by_unit[WW_UNIT_MEMORY];
    if (core->by_unit[WW_UNIT_SCALAR] && !ww_load_store_has_room(&core->scalar_memory))
        mask |= core->by_unit[WW_UNIT_SCALAR];
    return mask;
}

/* ---- executing ---- */

static uint64_t active_lanes(const ww_warp *w, const ww_uop *u)
{
    uint64_t guard = w->predicates[u->guard] ^ (0 - (uint64_t)u->guard_negated);
    return w->splits[w->current].lanes & guard;
}

/* Generic addresses are shared ones when the first is: that is where real machines look, too. */
static bool goes_to_share(const ww_executor *x, const ww_timed_op *op)
{
    if (!(op->flags & WW_TIMED_GENERIC))
        return op->unit == WW_UNIT_LDS;
    uint64_t first = x->access.address[__builtin_ctzll(x->access.lanes)];
    return first - WW_SHARED_WINDOW < WW_WINDOW_BYTES;
}

/* Cycles that an access to the local data share takes beyond one without conflicts. */
static unsigned share_conflicts(ww_core *core, const ww_timed_op *op, unsigned bytes,
                                unsigned *passes)
{
    const ww_executor *x = core->launch->executor;
    unsigned steps;
    *passes = ww_lds_passes(&core->config, x->access.lanes, x->access.address, bytes,
                            op->flags & WW_TIMED_ATOMIC, &steps);
    return (*passes - steps) * core->config.lds_conflict;
}

static void set_results(ww_core *core, unsigned slot, const ww_timed_op *op, uint64_t at)
{
    const uint16_t *registers = core->launch->code->registers + op->first;
    for (unsigned i = 0; i < op->written; i++)
        core->slots[slot].ready_at[registers[i]] = at;
}

static bool is_shared(unsigned unit)
{
    return unit == WW_UNIT_SCALAR || unit == WW_UNIT_BRANCH || unit == WW_UNIT_LDS ||
           unit == WW_UNIT_MEMORY;
}

static void occupy(ww_core *core, unsigned scheduler, unsigned unit, uint64_t cycle,
                   uint64_t cycles)
{
    core->unit_free[scheduler][unit] = cycle + cycles;
    for (unsigned s = 0; is_shared(unit) && s < core->config.schedulers; s++)
        core->unit_free[s][unit] = cycle + cycles;
    core->wiring.counters->unit_busy[unit] += cycles;
    core->wiring.counters->unit_issues[unit]++;
}

/* A memory instruction: to the local data share, with its conflicts, or to the load/store unit. */
static void time_access(ww_core *core, unsigned scheduler, unsigned slot, const ww_timed_op *op,
                        uint64_t cycle)
{
    ww_executor *x = core->launch->executor;
    const ww_slot_state *s = &core->slots[slot];
    const ww_uop *u = &x->kernel->uops[s->pc];
    uint64_t lanes = active_lanes(s->warp, u);
    const ww_unit_timing *share = &core->config.units[WW_UNIT_LDS];
    unsigned bytes = (unsigned)u->bytes * (u->count ? u->count : 1);
    if (!lanes) {
        set_results(core, slot, op, cycle + 1);
        occupy(core, scheduler, op->unit, cycle, 1);
        return;
    }
    ww_exec_addresses(x, s->warp, u, lanes);
    x->access.bytes = (uint8_t)bytes;
    if (goes_to_share(x, op)) {
        unsigned passes;
        unsigned conflicts = share_conflicts(core, op, bytes, &passes);
        uint64_t busy = core->unit_free[scheduler][WW_UNIT_LDS];
        uint64_t start =
            busy > cycle ? busy : cycle; /* a generic access came through another unit */
        if (op->unit != WW_UNIT_LDS)
            occupy(core, scheduler, op->unit, cycle, core->config.units[op->unit].interval);
        set_results(core, slot, op, start + share->latency + conflicts);
        /* A bank gives a word in a cycle: a pass takes one. */
        occupy(core, scheduler, WW_UNIT_LDS, start,
               passes > share->interval ? passes : share->interval);
        core->wiring.counters->lds_conflict_cycles += conflicts;
        return;
    }
    bool scalar = op->flags & WW_TIMED_SCALAR;
    ww_load_store_add(scalar ? &core->scalar_memory : &core->memory, slot, op, cycle);
    if (op->flags & (WW_TIMED_LOAD | WW_TIMED_ATOMIC))
        set_results(core, slot, op, WW_NEVER);
    ww_unit unit = scalar ? WW_UNIT_SCALAR : WW_UNIT_MEMORY;
    occupy(core, scheduler, unit, cycle, core->config.units[unit].interval);
}

static void charge(ww_core *core, unsigned scheduler, unsigned slot, const ww_timed_op *op,
                   uint64_t cycle)
{
    const ww_unit_timing *timing = &core->config.units[op->unit];
    if (op->flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC)) {
        time_access(core, scheduler, slot, op, cycle);
        return;
    }
    set_results(core, slot, op, cycle + timing->latency);
    occupy(core, scheduler, op->unit, cycle, timing->interval);
    if (op->flags & WW_TIMED_BRANCH)
        core->slots[slot].decided = cycle + timing->latency;
}

/* After its instruction: the warp has ended, waits for others, or goes on in the next cycle. */
static void go_on(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    ww_executor *x = core->launch->executor;
    ww_resident *group = s->group;
    bool others = x->released || !ww_warp_is_ready(s->warp);
    if (!s->warp->live) {
        core->ended |= 1ull << slot;
    } else {
        if (ww_warp_is_ready(s->warp) && s->warp->splits[s->warp->current].pc == s->pc + 1)
            s->buffered_from = s->pc + 1;
        ww_core_prefetch(core, slot);
        ww_core_examine(core, slot, cycle + 1);
    }
    if (others)
        ww_core_examine_group(core, group, cycle + 1);
}

static void issue(ww_core *core, unsigned scheduler, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    ww_executor *x = core->launch->executor;
    const ww_timed_op *op = &core->launch->code->ops[s->pc];
    if (core->wiring.observers)
        ww_core_tell_issue(core, slot, active_lanes(s->warp, &x->kernel->uops[s->pc]), cycle);
    charge(core, scheduler, slot, op, cycle);
    x->released = false;
    int status = ww_warp_run(x, s->warp, 1);
    ww_warp_settle(x, s->warp);
    core->wiring.counters->instructions++;
    ww_core_forget(core, slot);
    if (status != WW_OK)
        ww_core_fail(core, status);
    else
        go_on(core, slot, cycle);
}

/* ---- choosing ---- */

static void take_turn(ww_core *core, unsigned scheduler, uint64_t cycle, ww_turn *turn)
{
    const ww_scheduler *policy = core->config.scheduler;
    void *state = core->scheduler_state[scheduler];
    ww_scheduler_view view = {core->present & core->of_scheduler[scheduler], core->age,
                              core->waiting.pending |
                                  core->waiting.reasons[WW_REASON_SYNCHRONISATION]};
    uint64_t mine = view.mine;
    uint64_t allowed = policy->eligible ? policy->eligible(state, &view) : ~0ull;
    uint64_t looked = 0, issued = 0;
    for (unsigned n = 0; n < core->config.issue_width && !core->broken; n++) {
        uint64_t busy = blocked(core, scheduler, cycle);
        uint64_t ready = core->ready & turn->ready & mine & ~issued;
        uint64_t candidates = ready & allowed & ~busy;
        turn->structural |= ready & allowed & busy;
        if (!candidates) {
            looked = mine & (allowed | ~turn->ready);
            break;
        }
        unsigned slot = policy->pick(state, &view, candidates);
        looked |= policy->before(state, &view, slot) | 1ull << slot;
        policy->issued(state, slot);
        issued |= 1ull << slot;
        issue(core, scheduler, slot, cycle);
    }
    turn->looked |= looked;
    turn->issued |= issued;
}

static bool has_turn(const ww_core *core, unsigned scheduler, uint64_t cycle)
{
    return cycle % core->config.issue_period == scheduler % core->config.issue_period;
}

static void issue_all(ww_core *core, uint64_t cycle)
{
    ww_turn turn = {.present = core->present, .ready = core->ready};
    bool full = core->by_unit[WW_UNIT_MEMORY] && !ww_load_store_has_room(&core->memory);
    if (full && core->wiring.out_of_mshrs(core->wiring.context, core->number))
        turn.mshr = core->by_unit[WW_UNIT_MEMORY];
    ww_waiting before = core->waiting;
    for (unsigned s = 0; s < core->config.schedulers && !core->broken; s++) {
        uint64_t mine = core->present & core->of_scheduler[s];
        if (!mine)
            continue;
        if (has_turn(core, s, cycle))
            take_turn(core, s, cycle, &turn);
        else
            turn.looked |= mine & ~turn.ready;
    }
    ww_core_account_turn(core, &turn, &before);
    for (; core->ended; core->ended &= core->ended - 1)
        ww_core_release_slot(core, (unsigned)__builtin_ctzll(core->ended), cycle + 1);
}

/* Examines those whose time has come. */
static void take_due(ww_core *core, uint64_t cycle)
{
    uint64_t mask = core->due[cycle % WW_DUE_SLOTS] & core->present;
    core->due[cycle % WW_DUE_SLOTS] = 0;
    core->due_cycles &= ~(1ull << cycle % WW_DUE_SLOTS);
    for (; mask; mask &= mask - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(mask);
        if (!(core->ready >> slot & 1))
            ww_core_examine(core, slot, cycle);
    }
}

/* The first cycle in which a ready warp can issue, as far as units tell. */
static uint64_t next_issue(const ww_core *core, uint64_t cycle)
{
    uint64_t next = WW_NEVER;
    bool turns = core->config.issue_period > 1 || core->config.scheduler->eligible;
    if (turns || !ww_load_store_has_room(&core->memory) ||
        !ww_load_store_has_room(&core->scalar_memory))
        return cycle + 1;
    for (unsigned u = 0; u < WW_UNIT_COUNT; u++)
        for (unsigned s = 0; core->by_unit[u] && s < core->config.schedulers; s++)
            if (core->by_unit[u] & core->of_scheduler[s] && core->unit_free[s][u] < next)
                next = core->unit_free[s][u];
    return next > cycle ? next : cycle + 1;
}

/* The next cycle in which something is to be done here without anybody's help. Until then ready warps, if there are
 * any, wait for their units. */
static void plan(ww_core *core, uint64_t cycle)
{
    if (core->needs_fetch)
        ww_core_wake(core, cycle + 1);
    else if (core->ready)
        ww_core_wake(core, next_issue(core, cycle));
    if (!core->due_cycles)
        return;
    unsigned at = (unsigned)((cycle + 1) % WW_DUE_SLOTS);
    uint64_t turned = core->due_cycles >> at | (at ? core->due_cycles << (WW_DUE_SLOTS - at) : 0);
    ww_core_wake(core, cycle + 1 + (uint64_t)__builtin_ctzll(turned));
}

void ww_core_tick(void *owner)
{
    ww_core *core = owner;
    uint64_t cycle = ww_core_cycle(core);
    if (core->broken || !core->launch)
        return;
    if (ww_clock_edge(core->config.clock, cycle) != ww_engine_now(core->wiring.engine)) {
        ww_core_wake(core, cycle);
        return;
    }
    ww_core_account(core, cycle);
    take_due(core, cycle);
    ww_core_take_instructions(core, cycle);
    if (core->present)
        issue_all(core, cycle);
    ww_core_fetch(core);
    plan(core, cycle);
}
