#include "core/cu_walks.h"

#include "core/core_internal.h"

/* ---- resources ---- */

/* How often `each` fits into what is free. */
static uint64_t fit(uint64_t all, uint64_t used, uint64_t each)
{
    return each ? (all - used) / each : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Groups that may start before one of the present ones ends, in slots of warps that have ended: as
 * many as there are registers and local memory for. A group has a warp, and starts with all. */
static uint64_t groups_to_come(const ww_cu *cu)
{
    const ww_cu_config *c = &cu->config;
    const ww_residency *r = &cu->residency;
    const ww_cu_launch *l = r->newest;
    uint64_t most = c->slots + 1 - l->warps, here = 0;
    if (c->holds_slots)
        return 0;
    for (unsigned i = 0; i < r->group_count; i++)
        here += r->groups[i].used;
    most = least(most, r->group_count);
    uint64_t count = most > here ? most - here : 0;
    count = least(count, fit(c->registers, r->registers, l->registers));
    if (c->scalar_registers)
        count = least(count, fit(c->scalar_registers, r->scalar_registers, l->scalar_registers));
    return least(count, fit(c->lds_bytes, r->lds_bytes, l->lds_bytes));
}

static void take_resources(ww_cu *cu)
{
    const ww_cu_config *c = &cu->config;
    const ww_residency *r = &cu->residency;
    const ww_cu_launch *l = r->newest;
    uint64_t more = groups_to_come(cu);
    ww_wavefront_registers each = ww_cu_walker_registers(cu->wiring.walker);
    uint64_t vector = fit(c->registers, r->registers + more * l->registers, each.vector);
    uint64_t scalar =
        fit(c->scalar_registers, r->scalar_registers + more * l->scalar_registers, each.scalar);
    ww_cu_walker_begin(cu->wiring.walker, (unsigned)least(least(vector, scalar), c->schedulers),
                       c->lds_bytes - r->lds_bytes - more * l->lds_bytes);
    cu->walks.launch = l->number;
}

bool ww_cu_can_walk(ww_cu *cu)
{
    ww_cu_walker *walker = cu->wiring.walker;
    if (cu->walks.launch != cu->residency.newest->number) {
        if (!cu->wiring.is_closed || !cu->wiring.is_closed(cu->wiring.context, cu->number))
            return false;
        take_resources(cu);
    }
    return ww_cu_walker_reserve(walker);
}

/* ---- delays ---- */

/* Warps that cannot issue whether or not a wavefront has the unit: its load/store unit is full. */
static bool is_full(const ww_cu *cu, unsigned unit)
{
    return (unit == WW_UNIT_MEMORY && !ww_load_store_can_accept(&cu->memory)) ||
           (unit == WW_UNIT_SCALAR && !ww_load_store_can_accept(&cu->scalar_memory));
}

/* Ready warps whose unit a wavefront occupies in this cycle. */
static unsigned delayed(ww_cu *cu, uint64_t cycle)
{
    ww_cu_walks *walks = &cu->walks;
    unsigned count = 0;
    for (uint64_t rest = walks->busy; rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest);
        if (walks->until[bit] <= cycle) {
            walks->busy &= ~(1ull << bit);
            continue;
        }
        if (is_full(cu, bit % WW_UNIT_BITS))
            continue;
        uint64_t waiting =
            walks->ready & cu->units.slots[bit] & cu->units.needed_by[bit % WW_UNIT_BITS];
        count += (unsigned)__builtin_popcountll(waiting);
    }
    return count;
}

/* Replies may have made warps ready since the last cycle that ran: they were not before. */
void ww_cu_walks_begin_cycle(ww_cu *cu, uint64_t cycle)
{
    ww_cu_walks *walks = &cu->walks;
    uint64_t delay = 0;
    for (; walks->busy && walks->counted < cycle; walks->counted++)
        delay += delayed(cu, walks->counted);
    walks->counted = cycle;
    walks->issued = cu->counters.instructions;
    if (delay)
        ww_cu_walker_add_delay(cu->wiring.walker, delay);
}

/* ---- issue ---- */

/* That the next instruction of the scheduler's wavefront needs. */
static unsigned unit_of(const ww_cu *cu, unsigned scheduler)
{
    static const uint8_t units[WW_WALK_UNITS] = {[WW_WALK_SIMD] = WW_UNIT_SIMD,
                                                 [WW_WALK_SCALAR] = WW_UNIT_SCALAR,
                                                 [WW_WALK_BRANCH] = WW_UNIT_BRANCH,
                                                 [WW_WALK_LDS] = WW_UNIT_LDS,
                                                 [WW_WALK_MEMORY] = WW_UNIT_MEMORY};
    return units[ww_cu_walker_unit(cu->wiring.walker, scheduler)];
}

/* False: its unit is busy. */
static bool issue_stage(ww_cu *cu, unsigned scheduler, uint64_t cycle)
{
    ww_cu_walks *walks = &cu->walks;
    unsigned unit = unit_of(cu, scheduler);
    if (ww_units_busy(&cu->units, scheduler) >> unit & 1)
        return false;
    if (ww_cu_walker_goes_first(cu->wiring.walker))
        walks->taken = cycle + 1;
    uint64_t until = cycle + ww_cu_walker_issue(cu->wiring.walker, scheduler, cycle);
    unsigned bit = ww_units_index(&cu->units, scheduler, unit);
    ww_units_occupy(&cu->units, scheduler, unit, cycle, until);
    walks->busy |= 1ull << bit;
    walks->until[bit] = until;
    return true;
}

/* Round robin: the scheduler that was first is the last one in the next cycle with an issue. */
static void issue_stages(ww_cu *cu, uint64_t cycle)
{
    unsigned first = cu->walks.first, count = cu->config.schedulers;
    bool issued = false;
    for (unsigned n = 0; n < count; n++) {
        unsigned s = first + n < count ? first + n : first + n - count;
        if (!ww_issue_is_active(cu, s, cycle) ||
            ww_cu_walker_eligible(cu->wiring.walker, s) > cycle || !issue_stage(cu, s, cycle))
            continue;
        if (!issued)
            cu->walks.first = s + 1 < count ? s + 1 : 0;
        issued = true;
    }
}

void ww_cu_walks_run_first(ww_cu *cu, uint64_t cycle)
{
    if (!ww_cu_walker_goes_first(cu->wiring.walker) || ww_cu_walker_is_idle(cu->wiring.walker))
        return;
    ww_cu_walker_tick(cu->wiring.walker, cycle);
    issue_stages(cu, cycle);
}

static void run(ww_cu *cu, uint64_t cycle)
{
    if (ww_cu_walker_goes_first(cu->wiring.walker) || ww_cu_walker_is_idle(cu->wiring.walker))
        return;
    ww_cu_walker_tick(cu->wiring.walker, cycle);
    if (cu->counters.instructions == cu->walks.issued && !ww_issue_has_candidate(cu))
        issue_stages(cu, cycle);
}

void ww_cu_walks_run(ww_cu *cu, uint64_t cycle)
{
    run(cu, cycle);
    cu->walks.ready = cu->issue.ready;
}

uint64_t ww_cu_walks_next(const ww_cu *cu, uint64_t cycle)
{
    const ww_cu_walker *walker = cu->wiring.walker;
    if (ww_cu_walker_is_idle(walker))
        return WW_NEVER;
    uint64_t next = ww_cu_walker_next(walker, cycle);
    for (unsigned s = 0; s < cu->config.schedulers && next > cycle + 1; s++) {
        uint64_t at = ww_cu_walker_eligible(walker, s);
        if (at == WW_NEVER)
            continue;
        uint64_t free = ww_units_free_at(&cu->units, s, unit_of(cu, s));
        at = at > free ? at : free;
        at = ww_issue_next_active(cu, s, at > cycle ? at : cycle + 1);
        next = at < next ? at : next;
    }
    return next;
}
