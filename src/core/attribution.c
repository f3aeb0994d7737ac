/* Why each warp did not issue, in every cycle, without a visit to every warp in every cycle. */
#include "core/core_internal.h"

#include <assert.h>
#include <string.h>

static void count_cycles(ww_cu *cu, uint64_t cycles)
{
    cu->wiring.counters->resident_cycles += cycles;
    cu->wiring.counters->warp_cycles += cycles * cu->present_count;
}

uint64_t ww_cu_mshr_cycles(ww_cu *cu, uint64_t cycle)
{
    uint64_t before = cu->mshr_cycles;
    cu->mshr_cycles = cu->wiring.mshr_cycles(cu->wiring.context, cu->number, cycle);
    return cu->mshr_cycles - before;
}

/* Charges ready warps: to their busy unit, or to scheduling when their unit is free. A warp behind
 * a full load/store unit is charged to a miss register in cycles in which the L1 waited for one. */
static void add_ready(ww_cu *cu, uint64_t cycle, uint64_t cycles)
{
    uint64_t behind = cu->behind_memory;
    uint64_t mshr = behind ? ww_cu_mshr_cycles(cu, cycle) : 0;
    uint64_t blocked = cu->ready & cu->blocked;
    cu->wiring.counters->waits.noted.behind_memory +=
        (uint64_t)__builtin_popcountll(behind) * cycles;
    ww_tally_add(&cu->tally, WW_COLUMN_MSHR, behind, mshr);
    ww_tally_add(&cu->tally, WW_COLUMN_STRUCTURAL, behind, cycles - mshr);
    ww_tally_add(&cu->tally, WW_COLUMN_STRUCTURAL, blocked & ~behind, cycles);
    ww_tally_add(&cu->tally, WW_COLUMN_SCHEDULING, cu->ready & ~blocked, cycles);
}

/* Charges cycles in which nothing could issue: every warp keeps the reason that its masks show. */
void ww_cu_account(ww_cu *cu, uint64_t cycle)
{
    uint64_t cycles = cycle - cu->accounted;
    assert(cycle >= cu->accounted); /* no event reaches a CU that ran ahead */
    cu->accounted = cycle;
    if (!cycles || !cu->present)
        return;
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_add(&cu->tally, w, cu->waiting[w], cycles);
    if (cu->ready)
        add_ready(cu, cycle, cycles);
    count_cycles(cu, cycles);
}

void ww_cu_account_issue(ww_cu *cu, const ww_issue_record *record,
                         const uint64_t waiting[WW_WAIT_COUNT])
{
    uint64_t structural = record->structural & record->considered;
    uint64_t others =
        record->present & ~record->issued & ~structural & ~(record->considered & ~record->ready);
#pragma GCC unroll 5
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_ripple(&cu->tally, w, waiting[w] & record->considered, 0);
    uint64_t behind = structural & cu->by_unit[WW_UNIT_MEMORY];
    if (behind)
        cu->wiring.counters->waits.noted.behind_memory += (uint64_t)__builtin_popcountll(behind);
    ww_tally_ripple(&cu->tally, WW_COLUMN_STRUCTURAL, structural & ~record->mshr, 0);
    ww_tally_ripple(&cu->tally, WW_COLUMN_MSHR, structural & record->mshr, 0);
    ww_tally_ripple(&cu->tally, WW_COLUMN_SCHEDULING, others, 0);
    count_cycles(cu, 1);
    cu->wiring.counters->issue_cycles += record->issued != 0;
    cu->accounted++;
}

/* Algorithm 2, lines 12 to 22: the first cycle of a wait for a missed load is a data hazard. */
void ww_cu_resolve_load(ww_cu *cu, unsigned slot)
{
    ww_slot_state *s = &cu->slots[slot];
    uint64_t cycles = ww_tally_read_and_clear(&cu->tally, WW_WAIT_LOAD, slot);
    uint64_t hazard = s->missed && cycles > 1 ? 1 : cycles;
    s->load_hazard += hazard;
    s->load_cache += cycles - hazard;
    s->missed = false;
}

void ww_cu_reasons(const ww_cu *cu, unsigned slot, uint64_t reasons[WW_REASON_COUNT])
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
    const ww_slot_state *s = &cu->slots[slot];
    memset(reasons, 0, WW_REASON_COUNT * sizeof(*reasons));
    for (unsigned c = 0; c < WW_COLUMN_COUNT; c++)
        reasons[reason_of[c]] += ww_tally_read(&cu->tally, c, slot);
    reasons[WW_REASON_DATA_HAZARD] += s->load_hazard;
    reasons[WW_REASON_DATA_CACHE] += s->load_cache;
    reasons[WW_REASON_EXECUTION] += s->issued;
}

void ww_cu_account_slot(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_cu_counters *c = cu->wiring.counters;
    ww_slot_state *s = &cu->slots[slot];
    uint64_t reasons[WW_REASON_COUNT];
    ww_cu_resolve_load(cu, slot);
    ww_cu_reasons(cu, slot, reasons);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        c->reasons[r] += reasons[r];
    c->load_hazard += s->load_hazard;
    c->lifetime += cycle - s->accounted_to;
    s->accounted_to = cycle;
    s->issued = s->load_hazard = s->load_cache = 0;
    ww_tally_clear(&cu->tally, slot);
}
