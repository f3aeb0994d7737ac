/* A cycle of a compute unit: what becomes ready, who issues, what is fetched. */
#include "core/parts.h"

#include <assert.h>
#include <string.h>

#define UNIT_MASK ((1u << WW_UNIT_BITS) - 1)

/* Warps whose unit cannot take an instruction in this cycle. */
static inline uint64_t blocked(const ww_core *core, unsigned scheduler)
{
    uint64_t mask = 0;
    unsigned busy = (unsigned)(core->busy >> scheduler * WW_UNIT_BITS) & UNIT_MASK;
    if (!ww_load_store_has_room(&core->memory))
        busy |= 1u << WW_UNIT_MEMORY;
    if (!ww_load_store_has_room(&core->scalar_memory))
        busy |= 1u << WW_UNIT_SCALAR;
    for (; busy; busy &= busy - 1)
        mask |= core->by_unit[__builtin_ctz(busy)];
    return mask;
}

/* Ready warps whose unit cannot take an instruction. Without turns, others issue. */
static uint64_t blocked_ready(const ww_core *core)
{
    uint64_t mask = 0;
    if (core->config.issue_period == 1)
        return core->ready;
    for (unsigned s = 0; s < core->config.schedulers; s++)
        mask |= core->ready & core->of_scheduler[s] & blocked(core, s);
    return mask;
}

/* ---- functional units ---- */

/* The unit's bits in `busy`: one, or one for each scheduler when they share it. */
static uint64_t bits_of(const ww_core *core, unsigned scheduler, unsigned unit)
{
    return core->shared_rows[unit] ? core->shared_rows[unit]
                                   : 1ull << (scheduler * WW_UNIT_BITS + unit);
}

static uint64_t *free_at(ww_core *core, unsigned scheduler, unsigned unit)
{
    return &core->unit_free[(core->shared_rows[unit] ? 0 : scheduler * WW_UNIT_BITS) + unit];
}

static void free_later(ww_core *core, uint64_t bits, uint64_t cycle)
{
    core->ring[cycle % WW_RING].freed |= bits;
    core->freed_cycles |= 1ull << cycle % WW_RING;
}

static void occupy(ww_core *core, unsigned scheduler, unsigned unit, uint64_t now, uint64_t until)
{
    uint64_t bits = bits_of(core, scheduler, unit);
    if (until - now >= WW_RING || core->busy & bits)
        core->busy_longer |= bits;
    core->busy |= bits;
    *free_at(core, scheduler, unit) = until;
    free_later(core, bits, until - now < WW_RING ? until : now + WW_RING - 1);
}

static void use(ww_core *core, unsigned scheduler, unsigned unit, uint64_t cycle, uint64_t cycles)
{
    occupy(core, scheduler, unit, cycle, cycle + cycles);
    core->wiring.counters->unit_busy[unit] += cycles;
    core->wiring.counters->unit_issues[unit]++;
}

/* Units whose entry in the ring was not their last. */
static uint64_t keep_busy(ww_core *core, uint64_t bits, uint64_t cycle)
{
    uint64_t kept = 0;
    for (uint64_t rest = bits & core->busy_longer; rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest);
        unsigned scheduler = bit / WW_UNIT_BITS, unit = bit % WW_UNIT_BITS;
        uint64_t until = *free_at(core, scheduler, unit);
        if (until <= cycle)
            continue;
        kept |= 1ull << bit;
        free_later(core, 1ull << bit, until - cycle < WW_RING ? until : cycle + WW_RING - 1);
    }
    core->busy_longer &= ~(bits & ~kept);
    return kept;
}

/* Units that can take an instruction again, in this cycle or in those since the last. */
static void free_units(ww_core *core, uint64_t cycle)
{
    uint64_t span = cycle - core->ticked;
    core->ticked = cycle;
    if (!core->freed_cycles)
        return;
    uint64_t bits = 0;
    unsigned first = (unsigned)((cycle - span + 1) % WW_RING);
    uint64_t window = span >= WW_RING ? ~0ull : (1ull << span) - 1;
    uint64_t places = core->freed_cycles & ww_turn_left(window, first);
    core->freed_cycles &= ~places;
    for (; places; places &= places - 1) {
        unsigned place = (unsigned)__builtin_ctzll(places);
        bits |= core->ring[place].freed;
        core->ring[place].freed = 0;
    }
    core->busy &= ~bits;
    if (bits & core->busy_longer)
        core->busy |= keep_busy(core, bits, cycle);
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
        use(core, scheduler, op->unit, cycle, 1);
        return;
    }
    ww_exec_addresses(x, s->warp, u, lanes);
    x->access.bytes = (uint8_t)bytes;
    if (goes_to_share(x, op)) {
        unsigned passes;
        unsigned conflicts = share_conflicts(core, op, bytes, &passes);
        uint64_t busy = *free_at(core, scheduler, WW_UNIT_LDS);
        uint64_t start =
            busy > cycle ? busy : cycle; /* a generic access came through another unit */
        if (op->unit != WW_UNIT_LDS)
            use(core, scheduler, op->unit, cycle, core->config.units[op->unit].interval);
        set_results(core, slot, op, start + share->latency + conflicts);
        /* A bank gives a word in a cycle: a pass takes one. */
        uint64_t taken = passes > share->interval ? passes : share->interval;
        occupy(core, scheduler, WW_UNIT_LDS, cycle, start + taken);
        core->wiring.counters->unit_busy[WW_UNIT_LDS] += taken;
        core->wiring.counters->unit_issues[WW_UNIT_LDS]++;
        core->wiring.counters->lds_conflict_cycles += conflicts;
        return;
    }
    bool scalar = op->flags & WW_TIMED_SCALAR;
    ww_load_store_add(scalar ? &core->scalar_memory : &core->memory, slot, op, cycle);
    if (op->flags & (WW_TIMED_LOAD | WW_TIMED_ATOMIC))
        set_results(core, slot, op, WW_NEVER);
    ww_unit unit = scalar ? WW_UNIT_SCALAR : WW_UNIT_MEMORY;
    use(core, scheduler, unit, cycle, core->config.units[unit].interval);
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
    use(core, scheduler, op->unit, cycle, timing->interval);
    if (op->flags & WW_TIMED_BRANCH)
        core->slots[slot].decided = cycle + timing->latency;
}

/* After its instruction: the warp has ended, waits for others, or goes on in the next cycle. */
static void go_on(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &core->slots[slot];
    ww_executor *x = core->launch->executor;
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
        ww_core_examine_group(core, s->group, cycle + 1);
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
    int status = ww_warp_step(x, s->warp);
    s->issued++;
    core->wiring.counters->instructions++;
    core->ready &= ~(1ull << slot);
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
    ww_scheduler_view view = {core->present & core->of_scheduler[scheduler], core->older,
                              core->waiting[WW_WAIT_LOAD] | core->waiting[WW_WAIT_SYNCHRONISATION]};
    uint64_t mine = view.mine;
    uint64_t allowed = policy->eligible ? policy->eligible(state, &view) : ~0ull;
    uint64_t looked = 0, issued = 0;
    for (unsigned n = 0; n < core->config.issue_width && !core->broken; n++) {
        uint64_t busy = blocked(core, scheduler);
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

/* The scheduler that is served first. Each is so as often as the others, in an order that no unit's interval can be in step
 * with. */
static unsigned first_served(const ww_core *core, uint64_t cycle)
{
    uint64_t mixed = cycle * 0x9e3779b97f4a7c15u >> 32;
    return core->config.rotates ? (unsigned)(mixed * core->config.schedulers >> 32) : 0;
}

static bool has_turn(const ww_core *core, unsigned scheduler, uint64_t cycle)
{
    unsigned period = core->config.issue_period;
    return period == 1 || cycle % period == scheduler % period;
}

/* Warps that could issue a memory instruction, but the load/store unit is full. */
static uint64_t behind_memory(const ww_core *core)
{
    return ww_load_store_has_room(&core->memory) ? 0 : core->ready & core->by_unit[WW_UNIT_MEMORY];
}

static void issue_all(ww_core *core, uint64_t cycle)
{
    ww_turn turn = {.present = core->present, .ready = core->ready};
    uint64_t waiting[WW_WAIT_COUNT];
    uint64_t behind = behind_memory(core);
    /* Whose scheduler has no turn waits for that alone if its unit is free. */
    uint64_t out_of_turn = blocked_ready(core);
    if (behind) {
        ww_core_mshr_cycles(core, cycle);
        turn.mshr = ww_core_mshr_cycles(core, cycle + 1) ? behind : 0;
    }
    memcpy(waiting, core->waiting, sizeof(waiting));
    unsigned first = first_served(core, cycle), count = core->config.schedulers;
    for (unsigned n = 0; n < count && !core->broken; n++) {
        unsigned s = first + n < count ? first + n : first + n - count;
        uint64_t mine = core->present & core->of_scheduler[s];
        if (!mine)
            continue;
        if (has_turn(core, s, cycle)) {
            take_turn(core, s, cycle, &turn);
        } else {
            turn.structural |= mine & out_of_turn;
            turn.looked |= mine & (~turn.ready | out_of_turn);
        }
    }
    ww_core_account_turn(core, &turn, waiting);
    core->behind_memory = behind_memory(core);
    core->blocked = blocked_ready(core);
    if (core->behind_memory)
        ww_core_mshr_cycles(core, cycle + 1);
    for (; core->ended; core->ended &= core->ended - 1)
        ww_core_release_slot(core, (unsigned)__builtin_ctzll(core->ended), cycle + 1);
}

/* Those whose operands are there are ready; others are examined. */
static void take_due(ww_core *core, uint64_t cycle)
{
    unsigned place = cycle % WW_RING;
    uint64_t ripe = core->ring[place].ripe, due = core->ring[place].due;
    core->ring[place].ripe = core->ring[place].due = 0;
    core->ripe_cycles &= ~(1ull << place);
    core->due_cycles &= ~(1ull << place);
    core->ready |= ripe;
    core->waiting[WW_WAIT_OPERAND] &= ~ripe;
    for (; due; due &= due - 1)
        ww_core_examine(core, (unsigned)__builtin_ctzll(due), cycle);
}

static uint64_t next_turn(const ww_core *core, unsigned scheduler, uint64_t cycle)
{
    unsigned period = core->config.issue_period;
    return cycle + (period - cycle % period + scheduler % period) % period;
}

/* The next cycle in which a ready warp can issue as far as units tell, or in which that has to be found out; WW_NEVER: a unit
 * has to become free. A load/store unit that gets room wakes the core. */
static uint64_t next_issue(const ww_core *core, uint64_t cycle)
{
    uint64_t next = WW_NEVER;
    if (core->config.scheduler->eligible)
        return cycle + 1;
    for (unsigned s = 0; s < core->config.schedulers && next != cycle + 1; s++)
        if (core->ready & core->of_scheduler[s] & ~blocked(core, s)) {
            uint64_t turn = next_turn(core, s, cycle + 1);
            next = turn < next ? turn : next;
        }
    return next;
}

/* The next cycle in which something is to be done here without anybody's help, or WW_NEVER. Until then ready warps, if
 * there are any, wait for their units or their scheduler's turn. */
static uint64_t next_cycle(const ww_core *core, uint64_t cycle)
{
    if (core->needs_fetch)
        return cycle + 1;
    uint64_t issue = core->ready ? next_issue(core, cycle) : WW_NEVER;
    uint64_t places = core->due_cycles | core->ripe_cycles | core->filled_cycles |
                      (core->ready ? core->freed_cycles : 0);
    if (!places || issue == cycle + 1)
        return issue;
    unsigned next = (unsigned)((cycle + 1) % WW_RING);
    uint64_t event = cycle + 1 + (uint64_t)__builtin_ctzll(ww_turn_right(places, next));
    return event < issue ? event : issue;
}

/* ---- cycles ---- */

/* Nothing can come from outside: no reply that matters, no room in the load/store units (they have all), no group, nobody
 * who looks. */
static bool is_alone(const ww_core *core)
{
    return core->config.run_ahead && !core->fetches && !core->pending && !core->memory.count &&
           !core->scalar_memory.count && !core->wiring.observers && core->wiring.is_closed &&
           core->wiring.is_closed(core->wiring.context, core->number);
}

static void begin_cycle(ww_core *core, uint64_t cycle)
{
    ww_core_account(core, cycle);
    free_units(core, cycle);
    take_due(core, cycle);
    ww_core_take_instructions(core, cycle);
}

/* Does what is to be done in a cycle. False: ahead of time, and it has to be in time. */
static bool run_cycle(ww_core *core, uint64_t cycle, bool ahead)
{
    if (core->issued_before <= cycle) {
        begin_cycle(core, cycle);
        if (ahead && core->ready & core->outside)
            return false;
        if (core->present)
            issue_all(core, cycle);
        core->issued_before = cycle + 1;
    }
    return ww_core_fetch(core, cycle, ahead);
}

/* A compute unit that is alone runs several cycles at once, up to one that has effects outside: the host's caches like
 * that better than a cycle of each compute unit in turn, and nobody can tell the difference. */
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
    assert(cycle + 1 >= core->issued_before); /* nobody wakes who ran ahead */
    ww_tick limit = ww_engine_limit(core->wiring.engine);
    bool ahead = false;
    while (!ahead || ww_clock_edge(core->config.clock, cycle) < limit) {
        if (!run_cycle(core, cycle, ahead))
            break;
        uint64_t next = core->present ? next_cycle(core, cycle) : WW_NEVER;
        if (next == WW_NEVER || core->broken)
            return;
        cycle = next;
        if (!ahead && !is_alone(core))
            break;
        ahead = true;
    }
    ww_core_wake(core, cycle);
}
