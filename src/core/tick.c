/* A cycle of a compute unit, from the first step of the pipeline to the last (README.md). */
#include "core/core_internal.h"

#include <assert.h>

/* Units are free again, warps become ready, fetched instructions arrive. */
static void begin_cycle(ww_cu *cu, uint64_t cycle)
{
    if (cycle != cu->attribution.accounted)
        ww_attribution_advance(cu, cycle);
    ww_units_tick(&cu->units, cycle);
    if (ww_issue_is_due(&cu->issue, cycle))
        ww_issue_begin_cycle(cu, cycle);
    if (ww_front_end_has_arrivals(&cu->front_end, cycle))
        ww_front_end_receive(cu, cycle);
}

/* Schedulers issue; instructions execute, and are charged. */
static void issue(ww_cu *cu, uint64_t cycle)
{
    uint64_t ended = cu->residency.present ? ww_issue_run(cu, cycle) : 0;
    for (; ended; ended &= ended - 1)
        ww_residency_free_slot(cu, (unsigned)__builtin_ctzll(ended), cycle + 1);
}

/* Executes a cycle. False: it has effects outside, and cannot be executed ahead of time. */
static bool run_cycle(ww_cu *cu, uint64_t cycle, bool ahead)
{
    if (cu->issued_before <= cycle) {
        if (__builtin_expect(cu->wiring.walker != NULL, 0))
            ww_cu_walks_begin_cycle(cu, cycle);
        begin_cycle(cu, cycle);
        if (ahead && cu->issue.ready & cu->issue.outside)
            return false;
        if (__builtin_expect(cu->wiring.walker != NULL, 0))
            ww_cu_walks_run_first(cu, cycle);
        issue(cu, cycle);
        if (__builtin_expect(cu->wiring.walker != NULL, 0))
            ww_cu_walks_run(cu, cycle);
        cu->issued_before = cycle + 1;
    } else {
        ww_front_end_expect(cu);
    }
    return ww_front_end_fetch(cu, cycle, ahead);
}

/* The next cycle with work for the compute unit if no other component wakes it, or WW_NEVER. Until
 * then ready warps wait for their units or for their scheduler's next active cycle. */
static uint64_t next_of_warps(const ww_cu *cu, uint64_t cycle)
{
    const ww_front_end *f = &cu->front_end;
    if (!cu->residency.present)
        return WW_NEVER;
    if (f->needs_fetch)
        return cycle + 1;
    uint64_t issue = ww_issue_next(cu, cycle);
    uint64_t fill = f->filled.used ? ww_ring_next(f->filled.used, cycle + 1) : WW_NEVER;
    return fill < issue ? fill : issue;
}

static uint64_t next_cycle(const ww_cu *cu, uint64_t cycle)
{
    uint64_t warps = next_of_warps(cu, cycle);
    uint64_t walks = WW_NEVER;
    if (__builtin_expect(cu->wiring.walker != NULL, 0))
        walks = ww_cu_walks_next(cu, cycle);
    return walks < warps ? walks : warps;
}

/* No instruction is in the load/store unit, or returns to it. */
static bool is_empty(const ww_load_store *unit)
{
    return !unit->count && !unit->translator.parked;
}

/* No event from outside can come but a fetch: no reply or translation is in flight, no page can be
 * replayed, no group can start, there is no observer, and no walk of another compute unit comes. */
static bool can_run_ahead(const ww_cu *cu)
{
    return cu->config.run_ahead && !cu->outstanding && is_empty(&cu->memory) &&
           is_empty(&cu->scalar_memory) && !cu->wiring.observers && cu->wiring.is_closed &&
           cu->wiring.is_closed(cu->wiring.context, cu->number) &&
           !(cu->wiring.walker && ww_cu_walker_goes_first(cu->wiring.walker));
}

/* The compute unit has run `cycle`, which starts now, and runs the next one at `next`. Returns the
 * cycle up to which nothing from outside can reach it. */
static uint64_t undisturbed_until(const ww_cu *cu, uint64_t cycle, uint64_t next)
{
    uint64_t reply = ww_front_end_next_reply(cu, cycle, next);
    if (reply <= next || !can_run_ahead(cu))
        return next;
    uint64_t end = ww_cu_cycle_from(cu, ww_engine_limit(cu->wiring.engine));
    return reply < end ? reply : end;
}

/* A walk is here, or on its way. */
static bool has_walks(const ww_cu *cu)
{
    return cu->wiring.walker && !ww_cu_walker_is_idle(cu->wiring.walker);
}

/* A compute unit that no event can reach runs several cycles at once, up to one with effects
 * outside. No result changes; the host's caches miss less than when compute units alternate. */
void ww_cu_tick(void *owner)
{
    ww_cu *cu = owner;
    uint64_t cycle = ww_cu_cycle(cu);
    if (cu->broken || (!cu->residency.launch_count && !has_walks(cu)))
        return;
    if (ww_clock_edge(cu->config.clock, cycle) != ww_engine_now(cu->wiring.engine)) {
        ww_cu_wake(cu, cycle);
        return;
    }
    assert(cycle + 1 >= cu->issued_before); /* no event wakes a CU for a cycle it ran ahead of */
    uint64_t limit = cycle + 1;             /* of cycles that run now */
    bool ahead = false;
    while (cycle < limit) {
        if (!run_cycle(cu, cycle, ahead))
            break;
        uint64_t next = next_cycle(cu, cycle);
        if (next == WW_NEVER || cu->broken)
            return;
        if (!ahead)
            limit = undisturbed_until(cu, cycle, next);
        ahead = true;
        cycle = next;
    }
    ww_cu_wake(cu, cycle);
}
