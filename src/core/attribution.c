/* Why each warp did not issue, in every cycle, without a visit to every warp in every cycle. */
#include "core/parts.h"

static void count_cycles(ww_core *core, uint64_t cycles)
{
    core->wiring.counters->resident_cycles += cycles;
    core->wiring.counters->warp_cycles += cycles * core->present_count;
}

static void add_waits(ww_core *core, const ww_waiting *waiting, uint64_t mask, uint64_t cycles)
{
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        if (waiting->reasons[r] & mask)
            ww_tally_add(&core->tallies[r], waiting->reasons[r] & mask, cycles);
    if (waiting->pending & mask)
        ww_tally_add(&core->pending_tally, waiting->pending & mask, cycles);
}

/* Cycles in which nothing could issue: every warp was looked at and had its reason. */
void ww_core_account(ww_core *core, uint64_t cycle)
{
    uint64_t cycles = cycle - core->accounted;
    core->accounted = cycle;
    if (!cycles || !core->present)
        return;
    add_waits(core, &core->waiting, core->present, cycles);
    if (core->ready)
        ww_tally_add(&core->tallies[WW_REASON_STRUCTURAL], core->ready, cycles);
    count_cycles(core, cycles);
}

void ww_core_account_turn(ww_core *core, const ww_turn *turn, const ww_waiting *before)
{
    add_waits(core, before, turn->looked, 1);
    uint64_t structural = turn->structural & turn->looked;
    if (structural & ~turn->mshr)
        ww_tally_add(&core->tallies[WW_REASON_STRUCTURAL], structural & ~turn->mshr, 1);
    if (structural & turn->mshr)
        ww_tally_add(&core->tallies[WW_REASON_MSHR], structural & turn->mshr, 1);
    if (turn->issued)
        ww_tally_add(&core->tallies[WW_REASON_EXECUTION], turn->issued, 1);
    uint64_t others = turn->present & ~turn->issued & ~structural & ~(turn->looked & ~turn->ready);
    if (others)
        ww_tally_add(&core->tallies[WW_REASON_SCHEDULING], others, 1);
    count_cycles(core, 1);
    core->wiring.counters->issue_cycles += turn->issued != 0;
    core->accounted++;
}

/* Algorithm 2, lines 12 to 22: of the cycles spent on a load that missed, the first is a data hazard. */
void ww_core_resolve_pending(ww_core *core, unsigned slot)
{
    uint64_t cycles = ww_tally_take(&core->pending_tally, slot);
    uint64_t hazard = core->slots[slot].missed && cycles > 1 ? 1 : cycles;
    ww_tally_add(&core->tallies[WW_REASON_DATA_HAZARD], 1ull << slot, hazard);
    ww_tally_add(&core->tallies[WW_REASON_DATA_CACHE], 1ull << slot, cycles - hazard);
    core->slots[slot].missed = false;
}

void ww_core_close_account(ww_core *core, unsigned slot, uint64_t cycle)
{
    ww_core_counters *c = core->wiring.counters;
    ww_core_resolve_pending(core, slot);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        c->reasons[r] += ww_tally_take(&core->tallies[r], slot);
    c->lifetime += cycle - core->slots[slot].settled;
    core->slots[slot].settled = cycle;
}
