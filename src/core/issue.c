/* A cycle of a compute unit: warps become ready, schedulers issue, instructions are fetched. */
#include "core/core_internal.h"

#include <assert.h>
#include <string.h>

#define UNIT_MASK ((1u << WW_UNIT_BITS) - 1)

/* Warps whose unit cannot take an instruction in this cycle. */
static inline uint64_t blocked(const ww_cu *cu, unsigned scheduler)
{
    uint64_t mask = 0;
    unsigned busy = (unsigned)(cu->busy >> scheduler * WW_UNIT_BITS) & UNIT_MASK;
    if (!ww_load_store_can_accept(&cu->memory))
        busy |= 1u << WW_UNIT_MEMORY;
    if (!ww_load_store_can_accept(&cu->scalar_memory))
        busy |= 1u << WW_UNIT_SCALAR;
    for (; busy; busy &= busy - 1)
        mask |= cu->by_unit[__builtin_ctz(busy)];
    return mask;
}

/* Ready warps whose unit cannot take an instruction, in a cycle in which none issues. With an issue
 * period of 1 these are all: one with a free unit would issue. */
static uint64_t blocked_ready(const ww_cu *cu)
{
    uint64_t mask = 0;
    if (cu->config.issue_period == 1)
        return cu->ready;
    for (unsigned s = 0; s < cu->config.schedulers; s++)
        mask |= cu->ready & cu->of_scheduler[s] & blocked(cu, s);
    return mask;
}

/* ---- functional units ---- */

/* The unit's bits in `busy`: one, or one for each scheduler when they share it. */
static uint64_t bits_of(const ww_cu *cu, unsigned scheduler, unsigned unit)
{
    return cu->shared_rows[unit] ? cu->shared_rows[unit]
                                 : 1ull << (scheduler * WW_UNIT_BITS + unit);
}

static uint64_t *free_at(ww_cu *cu, unsigned scheduler, unsigned unit)
{
    return &cu->unit_free[(cu->shared_rows[unit] ? 0 : scheduler * WW_UNIT_BITS) + unit];
}

static void free_later(ww_cu *cu, uint64_t bits, uint64_t cycle)
{
    cu->ring[cycle % WW_RING].freed |= bits;
    cu->freed_cycles |= 1ull << cycle % WW_RING;
}

static void occupy(ww_cu *cu, unsigned scheduler, unsigned unit, uint64_t now, uint64_t until)
{
    uint64_t bits = bits_of(cu, scheduler, unit);
    if (until - now >= WW_RING || cu->busy & bits)
        cu->busy_longer |= bits;
    cu->busy |= bits;
    *free_at(cu, scheduler, unit) = until;
    free_later(cu, bits, until - now < WW_RING ? until : now + WW_RING - 1);
}

static void use(ww_cu *cu, unsigned scheduler, unsigned unit, uint64_t cycle, uint64_t cycles)
{
    occupy(cu, scheduler, unit, cycle, cycle + cycles);
    cu->wiring.counters->unit_busy[unit] += cycles;
    cu->wiring.counters->unit_issues[unit]++;
}

/* Units that stay busy: the ring's entry came before the end of their last instruction. */
static uint64_t keep_busy(ww_cu *cu, uint64_t bits, uint64_t cycle)
{
    uint64_t kept = 0;
    for (uint64_t rest = bits & cu->busy_longer; rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest);
        unsigned scheduler = bit / WW_UNIT_BITS, unit = bit % WW_UNIT_BITS;
        uint64_t until = *free_at(cu, scheduler, unit);
        if (until <= cycle)
            continue;
        kept |= 1ull << bit;
        free_later(cu, 1ull << bit, until - cycle < WW_RING ? until : cycle + WW_RING - 1);
    }
    cu->busy_longer &= ~(bits & ~kept);
    return kept;
}

/* Frees units whose time has come since the last tick. */
static void free_units(ww_cu *cu, uint64_t cycle)
{
    uint64_t span = cycle - cu->ticked;
    cu->ticked = cycle;
    if (!cu->freed_cycles)
        return;
    uint64_t bits = 0;
    unsigned first = (unsigned)((cycle - span + 1) % WW_RING);
    uint64_t window = span >= WW_RING ? ~0ull : (1ull << span) - 1;
    uint64_t cycles = cu->freed_cycles & ww_rotate_left(window, first);
    cu->freed_cycles &= ~cycles;
    for (; cycles; cycles &= cycles - 1) {
        unsigned index = (unsigned)__builtin_ctzll(cycles);
        bits |= cu->ring[index].freed;
        cu->ring[index].freed = 0;
    }
    cu->busy &= ~bits;
    if (bits & cu->busy_longer)
        cu->busy |= keep_busy(cu, bits, cycle);
}

/* ---- executing ---- */

static uint64_t active_lanes(const ww_warp *w, const ww_uop *u)
{
    uint64_t guard = w->predicates[u->guard] ^ (0 - (uint64_t)u->guard_negated);
    return w->splits[w->current].lanes & guard;
}

/* A generic access goes to the local data share when its first address does, as in hardware. */
static bool goes_to_share(const ww_executor *x, const ww_timed_op *op)
{
    if (!(op->flags & WW_TIMED_GENERIC))
        return op->unit == WW_UNIT_LDS;
    uint64_t first = x->access.address[__builtin_ctzll(x->access.lanes)];
    return first - WW_SHARED_WINDOW < WW_WINDOW_BYTES;
}

/* Additional cycles of an access to the local data share because of bank conflicts. */
static unsigned share_conflicts(ww_cu *cu, const ww_timed_op *op, unsigned bytes, unsigned *passes)
{
    const ww_executor *x = cu->launch->executor;
    unsigned steps;
    *passes = ww_lds_passes(&cu->config, x->access.lanes, x->access.address, bytes,
                            op->flags & WW_TIMED_ATOMIC, &steps);
    return (*passes - steps) * cu->config.lds_conflict;
}

static void set_results(ww_cu *cu, unsigned slot, const ww_timed_op *op, uint64_t at)
{
    const uint16_t *registers = cu->launch->code->registers + op->first;
    for (unsigned i = 0; i < op->written; i++)
        cu->slots[slot].ready_at[registers[i]] = at;
}

/* A memory instruction: to the local data share, with its conflicts, or to the load/store unit. */
static void time_access(ww_cu *cu, unsigned scheduler, unsigned slot, const ww_timed_op *op,
                        uint64_t cycle)
{
    ww_executor *x = cu->launch->executor;
    const ww_slot_state *s = &cu->slots[slot];
    const ww_uop *u = &x->kernel->uops[s->pc];
    uint64_t lanes = active_lanes(s->warp, u);
    const ww_unit_timing *share = &cu->config.units[WW_UNIT_LDS];
    unsigned bytes = (unsigned)u->bytes * (u->count ? u->count : 1);
    if (!lanes) {
        set_results(cu, slot, op, cycle + 1);
        use(cu, scheduler, op->unit, cycle, 1);
        return;
    }
    ww_exec_addresses(x, s->warp, u, lanes);
    x->access.bytes = (uint8_t)bytes;
    if (goes_to_share(x, op)) {
        unsigned passes;
        unsigned conflicts = share_conflicts(cu, op, bytes, &passes);
        uint64_t busy = *free_at(cu, scheduler, WW_UNIT_LDS);
        uint64_t start = busy > cycle ? busy : cycle; /* a generic access may find it busy */
        if (op->unit != WW_UNIT_LDS)
            use(cu, scheduler, op->unit, cycle, cu->config.units[op->unit].interval);
        set_results(cu, slot, op, start + share->latency + conflicts);
        /* A bank delivers a word in a cycle, so that a pass takes one cycle. */
        uint64_t taken = passes > share->interval ? passes : share->interval;
        occupy(cu, scheduler, WW_UNIT_LDS, cycle, start + taken);
        cu->wiring.counters->unit_busy[WW_UNIT_LDS] += taken;
        cu->wiring.counters->unit_issues[WW_UNIT_LDS]++;
        cu->wiring.counters->lds_conflict_cycles += conflicts;
        return;
    }
    bool scalar = op->flags & WW_TIMED_SCALAR;
    ww_load_store_add(scalar ? &cu->scalar_memory : &cu->memory, slot, op, cycle);
    if (op->flags & (WW_TIMED_LOAD | WW_TIMED_ATOMIC))
        set_results(cu, slot, op, WW_NEVER);
    ww_unit unit = scalar ? WW_UNIT_SCALAR : WW_UNIT_MEMORY;
    use(cu, scheduler, unit, cycle, cu->config.units[unit].interval);
}

static void charge(ww_cu *cu, unsigned scheduler, unsigned slot, const ww_timed_op *op,
                   uint64_t cycle)
{
    const ww_unit_timing *timing = &cu->config.units[op->unit];
    if (op->flags & (WW_TIMED_LOAD | WW_TIMED_STORE | WW_TIMED_ATOMIC)) {
        time_access(cu, scheduler, slot, op, cycle);
        return;
    }
    set_results(cu, slot, op, cycle + timing->latency);
    use(cu, scheduler, op->unit, cycle, timing->interval);
    if (op->flags & WW_TIMED_BRANCH)
        cu->slots[slot].decided = cycle + timing->latency;
}

/* After its instruction the warp has ended, waits for other warps, or can issue again. */
static void advance_warp(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    ww_executor *x = cu->launch->executor;
    bool others = x->released || !ww_warp_is_ready(s->warp);
    if (!s->warp->live) {
        cu->ended |= 1ull << slot;
    } else {
        if (ww_warp_is_ready(s->warp) && s->warp->splits[s->warp->current].pc == s->pc + 1)
            s->buffered_from = s->pc + 1;
        ww_cu_prefetch(cu, slot);
        ww_cu_examine(cu, slot, cycle + 1);
    }
    if (others)
        ww_cu_examine_group(cu, s->group, cycle + 1);
}

static void issue(ww_cu *cu, unsigned scheduler, unsigned slot, uint64_t cycle)
{
    ww_slot_state *s = &cu->slots[slot];
    ww_executor *x = cu->launch->executor;
    const ww_timed_op *op = &cu->launch->code->ops[s->pc];
    if (cu->wiring.observers)
        ww_cu_notify_issue(cu, slot, active_lanes(s->warp, &x->kernel->uops[s->pc]), cycle);
    if (cu->criticality)
        ww_cu_predict_issue(cu, slot, cycle);
    charge(cu, scheduler, slot, op, cycle);
    x->released = false;
    int status = ww_warp_step(x, s->warp);
    s->issued++;
    cu->wiring.counters->instructions++;
    cu->ready &= ~(1ull << slot);
    if (op->flags & WW_TIMED_BRANCH && cu->criticality)
        ww_cu_predict_branch(cu, slot);
    if (status != WW_OK)
        ww_cu_fail(cu, status);
    else
        advance_warp(cu, slot, cycle);
}

/* ---- choosing ---- */

static void run_scheduler(ww_cu *cu, unsigned scheduler, uint64_t cycle, ww_issue_record *record)
{
    const ww_scheduler *policy = cu->config.scheduler;
    void *state = cu->scheduler_state[scheduler];
    ww_scheduler_view view = {cu->present & cu->of_scheduler[scheduler], cu->older,
                              cu->waiting[WW_WAIT_LOAD] | cu->waiting[WW_WAIT_SYNCHRONISATION],
                              cu->criticality};
    uint64_t mine = view.mine;
    uint64_t allowed = policy->eligible ? policy->eligible(state, &view) : ~0ull;
    uint64_t considered = 0, issued = 0;
    for (unsigned n = 0; n < cu->config.issue_width && !cu->broken; n++) {
        uint64_t busy = blocked(cu, scheduler);
        uint64_t ready = cu->ready & record->ready & mine & ~issued;
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
        issue(cu, scheduler, slot, cycle);
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

static bool is_issue_cycle(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return period == 1 || cycle % period == scheduler % period;
}

/* Ready warps behind a full load/store unit. */
static uint64_t behind_memory(const ww_cu *cu)
{
    return ww_load_store_can_accept(&cu->memory) ? 0 : cu->ready & cu->by_unit[WW_UNIT_MEMORY];
}

static void issue_all(ww_cu *cu, uint64_t cycle)
{
    ww_issue_record record = {.present = cu->present, .ready = cu->ready};
    uint64_t waiting[WW_WAIT_COUNT];
    uint64_t behind = behind_memory(cu);
    /* A warp whose scheduler is off this cycle is charged to scheduling unless its unit is busy. */
    uint64_t unit_blocked = blocked_ready(cu);
    if (behind) {
        ww_cu_mshr_cycles(cu, cycle);
        record.mshr = ww_cu_mshr_cycles(cu, cycle + 1) ? behind : 0;
    }
    memcpy(waiting, cu->waiting, sizeof(waiting));
    unsigned first = first_served(cu, cycle), count = cu->config.schedulers;
    for (unsigned n = 0; n < count && !cu->broken; n++) {
        unsigned s = first + n < count ? first + n : first + n - count;
        uint64_t mine = cu->present & cu->of_scheduler[s];
        if (!mine)
            continue;
        if (is_issue_cycle(cu, s, cycle)) {
            run_scheduler(cu, s, cycle, &record);
        } else {
            record.structural |= mine & unit_blocked;
            record.considered |= mine & (~record.ready | unit_blocked);
        }
    }
    ww_cu_account_issue(cu, &record, waiting);
    cu->behind_memory = behind_memory(cu);
    cu->blocked = blocked_ready(cu);
    if (cu->behind_memory)
        ww_cu_mshr_cycles(cu, cycle + 1);
    for (; cu->ended; cu->ended &= cu->ended - 1)
        ww_cu_release_slot(cu, (unsigned)__builtin_ctzll(cu->ended), cycle + 1);
}

/* Processes the ring's entry: slots become ready, or are examined. */
static void process_due(ww_cu *cu, uint64_t cycle)
{
    unsigned index = cycle % WW_RING;
    uint64_t ready = cu->ring[index].ready, due = cu->ring[index].due;
    cu->ring[index].ready = cu->ring[index].due = 0;
    cu->ready_cycles &= ~(1ull << index);
    cu->due_cycles &= ~(1ull << index);
    cu->ready |= ready;
    cu->waiting[WW_WAIT_OPERAND] &= ~ready;
    for (; due; due &= due - 1)
        ww_cu_examine(cu, (unsigned)__builtin_ctzll(due), cycle);
}

static uint64_t next_issue_cycle(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return cycle + (period - cycle % period + scheduler % period) % period;
}

/* The next cycle in which a ready warp has a free unit, or a policy must be called to know that one
 * is eligible. WW_NEVER: a unit has to become free. A load/store unit that can accept instructions
 * again wakes the compute unit. */
static uint64_t next_issue(const ww_cu *cu, uint64_t cycle)
{
    uint64_t next = WW_NEVER;
    if (cu->config.scheduler->eligible)
        return cycle + 1;
    for (unsigned s = 0; s < cu->config.schedulers && next != cycle + 1; s++)
        if (cu->ready & cu->of_scheduler[s] & ~blocked(cu, s)) {
            uint64_t at = next_issue_cycle(cu, s, cycle + 1);
            next = at < next ? at : next;
        }
    return next;
}

/* The next cycle with work for the compute unit if no other component wakes it, or WW_NEVER. Until
 * then ready warps wait for their units or for their scheduler's next active cycle. */
static uint64_t next_cycle(const ww_cu *cu, uint64_t cycle)
{
    if (cu->needs_fetch)
        return cycle + 1;
    uint64_t issue = cu->ready ? next_issue(cu, cycle) : WW_NEVER;
    uint64_t cycles =
        cu->due_cycles | cu->ready_cycles | cu->filled_cycles | (cu->ready ? cu->freed_cycles : 0);
    if (!cycles || issue == cycle + 1)
        return issue;
    unsigned next = (unsigned)((cycle + 1) % WW_RING);
    uint64_t event = cycle + 1 + (uint64_t)__builtin_ctzll(ww_rotate_right(cycles, next));
    return event < issue ? event : issue;
}

/* ---- cycles ---- */

/* No event from outside can come: no reply or translation is in flight, no group can start, and
 * there is no observer. */
static bool can_run_ahead(const ww_cu *cu)
{
    return cu->config.run_ahead && !cu->fetches && !cu->memory_in_flight && !cu->memory.count &&
           !cu->scalar_memory.count && !cu->wiring.observers && cu->wiring.is_closed &&
           cu->wiring.is_closed(cu->wiring.context, cu->number);
}

static void begin_cycle(ww_cu *cu, uint64_t cycle)
{
    ww_cu_account(cu, cycle);
    free_units(cu, cycle);
    process_due(cu, cycle);
    ww_cu_receive_instructions(cu, cycle);
}

/* Executes a cycle. False: it has effects outside, and cannot be executed ahead of time. */
static bool run_cycle(ww_cu *cu, uint64_t cycle, bool ahead)
{
    if (cu->issued_before <= cycle) {
        begin_cycle(cu, cycle);
        if (ahead && cu->ready & cu->outside)
            return false;
        if (cu->present)
            issue_all(cu, cycle);
        cu->issued_before = cycle + 1;
    }
    return ww_cu_fetch(cu, cycle, ahead);
}

/* A compute unit that no event can reach runs several cycles at once, up to one with effects
 * outside. No result changes; the host's caches miss less than when compute units alternate. */
void ww_cu_tick(void *owner)
{
    ww_cu *cu = owner;
    uint64_t cycle = ww_cu_cycle(cu);
    if (cu->broken || !cu->launch)
        return;
    if (ww_clock_edge(cu->config.clock, cycle) != ww_engine_now(cu->wiring.engine)) {
        ww_cu_wake(cu, cycle);
        return;
    }
    assert(cycle + 1 >= cu->issued_before); /* no event wakes a CU for a cycle it ran ahead of */
    ww_tick limit = ww_engine_limit(cu->wiring.engine);
    bool ahead = false;
    while (!ahead || ww_clock_edge(cu->config.clock, cycle) < limit) {
        if (!run_cycle(cu, cycle, ahead))
            break;
        uint64_t next = cu->present ? next_cycle(cu, cycle) : WW_NEVER;
        if (next == WW_NEVER || cu->broken)
            return;
        cycle = next;
        if (!ahead && !can_run_ahead(cu))
            break;
        ahead = true;
    }
    ww_cu_wake(cu, cycle);
}
