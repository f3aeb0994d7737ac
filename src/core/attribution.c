/* Why each warp did not issue, in every cycle, without a visit to every warp in every cycle. */
#include "core/parts.h"

#include <assert.h>
#include <string.h>

static void count_cycles(ww_core *core, uint64_t cycles)
{
    core->wiring.counters->resident_cycles += cycles;
    core->wiring.counters->warp_cycles += cycles * core->present_count;
}

uint64_t ww_core_mshr_cycles(ww_core *core, uint64_t cycle)
{
    uint64_t before = core->mshr_cycles;
    core->mshr_cycles = core->wiring.mshr_cycles(core->wiring.context, core->number, cycle);
    return core->mshr_cycles - before;
}

/* Warps that could issue but for their units, or that wait for their scheduler's turn. Those behind a full load/store unit may
 * wait for a miss register. */
static void add_ready(ww_core *core, uint64_t cycle, uint64_t cycles)
{
    uint64_t behind = core->behind_memory;
    uint64_t mshr = behind ? ww_core_mshr_cycles(core, cycle) : 0;
    uint64_t blocked = core->ready & core->blocked;
    core->wiring.counters->waits.noted.behind_memory +=
        (uint64_t)__builtin_popcountll(behind) * cycles;
    ww_tally_add(&core->tally, WW_COLUMN_MSHR, behind, mshr);
    ww_tally_add(&core->tally, WW_COLUMN_STRUCTURAL, behind, cycles - mshr);
    ww_tally_add(&core->tally, WW_COLUMN_STRUCTURAL, blocked & ~behind, cycles);
    ww_tally_add(&core->tally, WW_COLUMN_SCHEDULING, core->ready & ~blocked, cycles);
}

/* Cycles in which nothing could issue: every warp was looked at and had its reason. */
void ww_core_account(ww_core *core, uint64_t cycle)
{
    uint64_t cycles = cycle - core->accounted;
    assert(cycle >= core->accounted); /* nobody reaches a compute unit that ran ahead */
    core->accounted = cycle;
    if (!cycles || !core->present)
        return;
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_add(&core->tally, w, core->waiting[w], cycles);
    if (core->ready)
        add_ready(core, cycle, cycles);
    count_cycles(core, cycles);
}

void ww_core_account_turn(ww_core *core, const ww_turn *turn, const uint64_t waiting[WW_WAIT_COUNT])
{
    uint64_t structural = turn->structural & turn->looked;
    uint64_t others = turn->present & ~turn->issued & ~structural & ~(turn->looked & ~turn->ready);
#pragma GCC unroll 5
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_ripple(&core->tally, w, waiting[w] & turn->looked, 0);
    uint64_t behind = structural & core->by_unit[WW_UNIT_MEMORY];
    if (behind)
        core->wiring.counters->waits.noted.behind_memory += (uint64_t)__builtin_popcountll(behind);
    ww_tally_ripple(&core->tally, WW_COLUMN_STRUCTURAL, structural & ~turn->mshr, 0);
    ww_tally_ripple(&core->tally, WW_COLUMN_MSHR, structural & turn->mshr, 0);
    ww_tally_ripple(&core->tally, WW_COLUMN_SCHEDULING, others, 0);
    count_cycles(core, 1);
    core->wiring.counters->issue_cycles += turn->issued != 0;
    core->accounted++;
}

/* Algorithm 2, lines 12 to 22: of the cycles spent on a load that missed, the first is a data hazard. */
void ww_core_resolve_load(ww_core *core, unsigned slot)
{
    ww_slot_state *s = &core->slots[slot];
    uint64_t cycles = ww_tally_take(&core->tally, WW_WAIT_LOAD, slot);
    uint64_t hazard = s->missed && cycles > 1 ? 1 : cycles;
    s->load_hazard += hazard;
    s->load_cache += cycles - hazard;
    s->missed = false;
}

void ww_core_reasons(const ww_core *core, unsigned slot, uint64_t reasons[WW_REASON_COUNT])
{
    static const uint8_t reason_of[WW_COLUMN_COUNT] = {
        [WW_WAIT_SYNCHRONISATION] = WW_REASON_SYNCHRONISATION,
        [WW_WAIT_FETCH] = WW_REASON_FETCH,
        [WW_WAIT_CONTROL] = WW_REASON_CONTROL,
        [WW_WAIT_OPERAND] = WW_REASON_DATA_HAZARD,
        [WW_WAIT_LOAD] = WW_REASON_DATA_HAZARD,
        [WW_COLUMN_STRUCTURAL] = WW_REASON_STRUCTURAL,
        [WW_COLUMN_MSHR] = WW_REASON_MSHR,
        [WW_COLUMN_SCHEDULING] = WW_REASON_SCHEDULING,
    };
    const ww_slot_state *s = &core->slots[slot];
    memset(reasons, 0, WW_REASON_COUNT * sizeof(*reasons));
    for (unsigned c = 0; c < WW_COLUMN_COUNT; c++)
        reasons[reason_of[c]] += ww_tally_read(&core->tally, c, slot);
    reasons[WW_REASON_DATA_HAZARD] += s->load_hazard;
    reasons[WW_REASON_DATA_CACHE] += s->load_cache;
    reasons[WW_REASON_EXECUTION] += s->issued;
}

void ww_core_close_account(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_core_counters *c = core->wiring.counters;
    ww_slot_state *s = &core->slots[slot];
    uint64_t reasons[WW_REASON_COUNT];
    ww_core_resolve_load(core, slot);
    ww_core_reasons(core, slot, reasons);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        c->reasons[r] += reasons[r];
    c->lifetime += cycle - s->settled;
    s->settled = cycle;
    s->issued = s->load_hazard = s->load_cache = 0;
    ww_tally_forget(&core->tally, slot);
}
