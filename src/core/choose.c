/* Each cycle, schedulers choose which of the ready warps issue.
 *
 * blocked     slots whose unit takes no instruction: it is busy, or its load/store unit is full
 * candidate   ready and not blocked
 * A cycle in which no candidate is of an active scheduler calls no policy and charges nothing: the
 * next call of ww_attribution_advance charges it with the masks that it leaves. */
#include "core/core_internal.h"
#include "core/execute.h"

#include <string.h>

/* Slots that need a load/store unit which takes no instruction. */
static inline uint64_t behind(const ww_cu *cu, ww_unit unit, const ww_load_store *memory)
{
    uint64_t slots = cu->units.needed_by[unit];
    return slots && !ww_load_store_can_accept(memory) ? slots : 0;
}

static inline uint64_t find_full(const ww_cu *cu)
{
    return behind(cu, WW_UNIT_MEMORY, &cu->memory) | behind(cu, WW_UNIT_SCALAR, &cu->scalar_memory);
}

static inline uint64_t find_blocked(const ww_cu *cu)
{
    return cu->units.blocked | find_full(cu);
}

/* Ready warps that a cycle without an issue charges to their unit. With an issue period of 1 these
 * are all that are eligible: one with a free unit would issue. */
static uint64_t blocked_ready(const ww_cu *cu, uint64_t blocked)
{
    uint64_t ready = cu->issue.ready & cu->issue.eligible;
    return cu->config.issue_period == 1 ? ready : ready & blocked;
}

/* Ready warps behind a full load/store unit; `full`: slots that need one. */
static inline uint64_t behind_memory(const ww_cu *cu, uint64_t full)
{
    return full & cu->issue.ready & cu->units.needed_by[WW_UNIT_MEMORY];
}

/* ---- when schedulers are active ---- */

bool ww_issue_is_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return ww_issue_rest(period, cycle) == ww_issue_rest(period, scheduler);
}

uint64_t ww_issue_next_active(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return cycle + ww_issue_rest(period, period - ww_issue_rest(period, cycle) +
                                             ww_issue_rest(period, scheduler));
}

uint64_t ww_issue_turn(const ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    unsigned period = cu->config.issue_period;
    return (cycle + period - 1 - scheduler % period) / period;
}

/* The slots of the schedulers that are active in this cycle. */
static inline uint64_t active_slots(const ww_cu *cu, uint64_t cycle)
{
    return cu->issue.of_turn[ww_issue_rest(cu->config.issue_period, cycle)];
}

/* The scheduler that goes first in this cycle. All do equally often, in an order that cannot be in
 * step with a unit's interval. */
static inline unsigned first_served(const ww_cu *cu, uint64_t cycle)
{
    uint64_t mixed = cycle * 0x9e3779b97f4a7c15u >> 32;
    return cu->config.rotates ? (unsigned)(mixed * cu->config.schedulers >> 32) : 0;
}

/* ---- which warps are eligible ---- */

/* Slots that wait for memory, or at a barrier or a fence. */
static uint64_t waiting_slots(const ww_cu *cu)
{
    return cu->issue.waiting[WW_WAIT_LOAD] | cu->issue.waiting[WW_WAIT_SYNCHRONISATION];
}

/* Slots that are not as their policy saw them when it last said which are eligible. */
static uint64_t changed_slots(const ww_cu *cu)
{
    const ww_issue *i = &cu->issue;
    return (i->unseen | (i->seen_waiting ^ waiting_slots(cu))) & cu->residency.present;
}

/* A skipped cycle charges ready warps in another way than one that runs: those that are not
 * eligible while their scheduler is off, and those whose load/store unit takes no instruction
 * yet. */
static bool may_skip(const ww_cu_config *config)
{
    return config->issue_period == 1 && config->units[WW_UNIT_MEMORY].interval == 1;
}

/* A policy has to say again which warps are eligible, or no cycle may be skipped. */
static bool must_ask(const ww_cu *cu)
{
    const ww_scheduler *policy = cu->config.scheduler;
    return policy->eligible && (policy->every_turn || !may_skip(&cu->config) || changed_slots(cu));
}

/* The eligible slots of the scheduler; other slots may be in the mask. */
static uint64_t find_eligible(ww_cu *cu, unsigned scheduler, ww_scheduler_view *view,
                              uint64_t cycle)
{
    const ww_scheduler *policy = cu->config.scheduler;
    ww_issue *i = &cu->issue;
    uint64_t of = i->of_scheduler[scheduler];
    if (policy->eligible && (policy->every_turn || changed_slots(cu) & of)) {
        view->turn = ww_issue_turn(cu, scheduler, cycle);
        uint64_t slots = policy->eligible(i->scheduler_state[scheduler], view);
        i->eligible = (i->eligible & ~of) | (slots & of);
        i->unseen &= ~of;
        i->seen_waiting = (i->seen_waiting & ~of) | (view->waiting & of);
    }
    return i->eligible;
}

/* ---- one pool of all schedulers ---- */

/* The scheduler whose pick is due first; of equal ones, and where the policy does not compare
 * them, the one with the lowest number. `slots`: candidates of active schedulers. */
static WW_CU_APART unsigned first_due(const ww_cu *cu, uint64_t slots, ww_scheduler_view *view)
{
    const ww_scheduler *policy = cu->config.scheduler;
    unsigned first = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned s = 0; policy->due && s < cu->config.schedulers; s++) {
        uint64_t candidates = slots & cu->issue.of_scheduler[s];
        void *state = cu->issue.scheduler_state[s];
        view->mine = cu->residency.present & cu->issue.of_scheduler[s];
        if (!candidates)
            continue;
        uint64_t due = policy->due(state, policy->pick(state, view, candidates));
        first = due < least ? s : first;
        least = due < least ? due : least;
    }
    return first;
}

static WW_CU_APART void tell_others(const ww_cu *cu, unsigned scheduler)
{
    const ww_scheduler *policy = cu->config.scheduler;
    for (unsigned s = 0; policy->other_issued && s < cu->config.schedulers; s++)
        if (s != scheduler)
            policy->other_issued(cu->issue.scheduler_state[s]);
}

/* ---- choosing ---- */

/* Issues the instruction of a candidate. Returns the slots that were considered up to it. */
static inline uint64_t issue_one(ww_cu *cu, unsigned scheduler, const ww_scheduler_view *view,
                                 uint64_t candidates, uint64_t cycle, ww_issue_record *record)
{
    const ww_scheduler *policy = cu->config.scheduler;
    void *state = cu->issue.scheduler_state[scheduler];
    unsigned slot = policy->pick(state, view, candidates);
    uint64_t bit = 1ull << slot, considered = policy->before(state, view, slot) | bit;
    policy->issued(state, slot);
    if (__builtin_expect(cu->config.one_pool, 0))
        tell_others(cu, scheduler);
    record->issued |= bit;
    cu->issue.ready &= ~bit;
    ww_cu_execute(cu, scheduler, &cu->slots[slot], bit, cycle);
    return considered;
}

/* As many instructions as the scheduler still issues in this cycle, after `n`, of allowed warps.
 * Returns the slots that are considered. */
static WW_CU_APART uint64_t issue_more(ww_cu *cu, unsigned scheduler, const ww_scheduler_view *view,
                                       uint64_t allowed, unsigned n, uint64_t cycle,
                                       ww_issue_record *record)
{
    uint64_t mine = view->mine, considered = 0;
    for (; n < cu->config.issue_width && !cu->broken; n++) {
        uint64_t ready = record->ready & mine & allowed & ~record->issued;
        uint64_t blocked = cu->units.blocked | record->full;
        record->structural |= ready & blocked;
        if (!(ready & ~blocked))
            return mine & (allowed | ~record->ready);
        considered |= issue_one(cu, scheduler, view, ready & ~blocked, cycle, record);
    }
    return considered;
}

/* Some warps may not issue although their unit is free: they are not eligible, or a walk's
 * instructions go first. */
static bool is_restricted(const ww_cu *cu, uint64_t cycle)
{
    return cu->config.scheduler->eligible || ww_cu_walks_taken(&cu->walks, 0, cycle);
}

static WW_CU_APART void run_restricted(ww_cu *cu, unsigned scheduler, ww_scheduler_view *view,
                                       uint64_t cycle, ww_issue_record *record)
{
    unsigned taken = ww_cu_walks_taken(&cu->walks, scheduler, cycle);
    uint64_t allowed = find_eligible(cu, scheduler, view, cycle);
    record->considered |= taken < cu->config.issue_width
                              ? issue_more(cu, scheduler, view, allowed, taken, cycle, record)
                              : view->mine & ~record->ready;
}

/* Issues what any ready warps can. False: none has a free unit. */
static inline bool run_usual(ww_cu *cu, unsigned scheduler, const ww_scheduler_view *view,
                             uint64_t cycle, ww_issue_record *record)
{
    uint64_t ready = record->ready & view->mine, blocked = cu->units.blocked | record->full;
    if (!(ready & ~blocked))
        return false;
    record->structural |= ready & blocked;
    record->considered |= issue_one(cu, scheduler, view, ready & ~blocked, cycle, record);
    if (__builtin_expect(cu->config.issue_width > 1 && !cu->broken, 0))
        record->considered |= ready & ~record->issued
                                  ? issue_more(cu, scheduler, view, ~0ull, 1, cycle, record)
                                  : view->mine;
    return true;
}

/* The schedulers of slots: a bit for each. */
static inline unsigned schedulers_of(const ww_cu *cu, uint64_t slots)
{
    unsigned count = cu->config.schedulers;
    for (unsigned by = count; by < WW_MOST_SLOTS; by *= 2)
        slots |= slots >> by;
    return (unsigned)slots & ((1u << count) - 1);
}

/* Runs the active schedulers that have one of the slots, each in its turn. Returns the slots of
 * those that ran. */
static inline uint64_t run_schedulers(ww_cu *cu, uint64_t slots, uint64_t cycle,
                                      ww_issue_record *record, bool restricted)
{
    ww_scheduler_view view = {.older = cu->residency.older,
                              .criticality = cu->predictor.for_scheduler,
                              .predictor = &cu->predictor};
    unsigned first = first_served(cu, cycle), rest = schedulers_of(cu, slots);
    uint64_t ran = 0;
    if (__builtin_expect(cu->config.one_pool, 0))
        first = first_due(cu, slots & record->ready, &view);
    while (rest) {
        unsigned later = rest >> first << first;
        unsigned s = (unsigned)__builtin_ctz(later ? later : rest);
        view.mine = cu->residency.present & cu->issue.of_scheduler[s];
        view.waiting = waiting_slots(cu);
        ran |= view.mine;
        if (restricted)
            run_restricted(cu, s, &view, cycle, record);
        else if (!run_usual(cu, s, &view, cycle, record))
            ran &= ~view.mine;
        if (__builtin_expect(cu->broken, 0))
            break;
        rest &= ~(1u << s);
    }
    return ran;
}

/* Nothing can issue, and no policy has to be asked. Warps that wait for a load/store unit are
 * charged in another way in a cycle that runs than in one that is skipped: such a cycle is not
 * idle. */
static bool is_idle(const ww_cu *cu, uint64_t blocked, uint64_t cycle)
{
    const ww_issue *i = &cu->issue;
    uint64_t ready = i->ready & i->eligible, candidates = ready & ~blocked;
    return (!candidates || !(candidates & active_slots(cu, cycle))) &&
           !(ready & cu->units.needed_by[WW_UNIT_MEMORY]) && !must_ask(cu) &&
           !ww_cu_walks_taken(&cu->walks, 0, cycle);
}

/* All warps of a scheduler that does not run, for lack of a candidate, are considered. A warp whose
 * scheduler is off this cycle is charged to scheduling unless its unit is busy. */
static void charge_others(const ww_cu *cu, uint64_t off, uint64_t ran, ww_issue_record *record)
{
    uint64_t others = cu->residency.present & ~ran;
    record->considered |= others & ~(record->ready & off);
    record->structural |= others & record->ready & ~off;
}

static inline void issue_ready(ww_cu *cu, uint64_t full, uint64_t cycle)
{
    uint64_t active = active_slots(cu, cycle), ready = cu->issue.ready, ran;
    uint64_t blocked = cu->units.blocked | full, behind = behind_memory(cu, full);
    ww_issue_record record = {.ready = ready, .full = full};
    memcpy(record.waiting, cu->issue.waiting, sizeof(record.waiting));
    if (behind)
        record.mshr = ww_attribution_behind_mshr(cu, cycle) ? behind : 0;
    if (is_restricted(cu, cycle))
        ran = run_schedulers(cu, active & cu->residency.present, cycle, &record, true);
    else
        ran = run_schedulers(cu, active & ready & ~blocked, cycle, &record, false);
    charge_others(cu, ~active & ~blocked, ran, &record);
    ww_attribution_issue(cu, &record);
}

uint64_t ww_issue_run(ww_cu *cu, uint64_t cycle)
{
    uint64_t full = find_full(cu);
    if (!is_idle(cu, cu->units.blocked | full, cycle)) {
        issue_ready(cu, full, cycle);
        full = find_full(cu);
    }
    uint64_t blocked = cu->issue.blocked = cu->units.blocked | full;
    ww_attribution_end_issue(cu, behind_memory(cu, full) & cu->issue.eligible,
                             blocked_ready(cu, blocked), cycle);
    uint64_t ended = cu->issue.ended;
    cu->issue.ended = 0;
    return ended;
}

/* ---- the next cycle ---- */

/* The next cycle in which an eligible ready warp has a free unit, or a policy has to say again
 * which are eligible. WW_NEVER: a unit has to become free. A load/store unit that can accept
 * instructions again wakes the compute unit. */
static uint64_t next_pick(const ww_cu *cu, uint64_t cycle)
{
    const ww_issue *i = &cu->issue;
    uint64_t next, candidates = i->ready & i->eligible & ~i->blocked;
    if ((candidates && cu->config.issue_period == 1) || must_ask(cu))
        return cycle + 1;
    if (!candidates)
        return WW_NEVER;
    for (next = cycle + 1; !(candidates & active_slots(cu, next));)
        next++;
    return next;
}

bool ww_issue_has_candidate(const ww_cu *cu)
{
    return cu->issue.ready & ~find_blocked(cu);
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
