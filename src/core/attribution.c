#include "core/attribution.h"

#include "core/core_internal.h"

#include <assert.h>
#include <string.h>

static void count_cycles(ww_cu *cu, uint64_t cycles)
{
    cu->counters.resident_cycles += cycles;
    cu->counters.warp_cycles += cycles * cu->residency.warp_count;
}

/* Cycles in which the L1 waited for a miss register, from the last call up to, not including,
 * `cycle`. */
static uint64_t mshr_cycles(ww_cu *cu, uint64_t cycle)
{
    ww_attribution *a = &cu->attribution;
    uint64_t before = a->mshr_cycles;
    a->mshr_cycles = cu->wiring.mshr_cycles(cu->wiring.context, cu->number, cycle);
    return a->mshr_cycles - before;
}

void ww_attribution_begin(ww_cu *cu, uint64_t cycle)
{
    cu->attribution.accounted = cycle;
}

void ww_attribution_start(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    cu->slots[slot].attribution = (ww_attribution_slot){.counted_to = cycle};
    cu->attribution.missed &= ~(1ull << slot);
}

/* Charges ready warps to their busy unit. A warp behind a full load/store unit is charged to a miss
 * register in cycles in which the L1 waited for one. */
static void add_ready(ww_cu *cu, uint64_t cycle, uint64_t cycles)
{
    ww_attribution *a = &cu->attribution;
    uint64_t behind = a->behind_memory, blocked = cu->issue.ready & a->blocked;
    uint64_t mshr = behind ? mshr_cycles(cu, cycle) : 0;
    cu->counters.noted.behind_memory += (uint64_t)__builtin_popcountll(behind) * cycles;
    ww_tally_add(&a->tally, WW_COLUMN_MSHR, behind, mshr);
    ww_tally_add(&a->tally, WW_COLUMN_STRUCTURAL, behind, cycles - mshr);
    ww_tally_add(&a->tally, WW_COLUMN_STRUCTURAL, blocked & ~behind, cycles);
}

void ww_attribution_advance(ww_cu *cu, uint64_t cycle)
{
    ww_attribution *a = &cu->attribution;
    uint64_t cycles = cycle - a->accounted;
    assert(cycle >= a->accounted); /* no event reaches a CU that ran ahead */
    a->accounted = cycle;
    if (!cycles || !cu->residency.present)
        return;
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_add(&a->tally, w, cu->issue.waiting[w], cycles);
    if (cu->issue.ready)
        add_ready(cu, cycle, cycles);
    count_cycles(cu, cycles);
}

bool ww_attribution_behind_mshr(ww_cu *cu, uint64_t cycle)
{
    mshr_cycles(cu, cycle);
    return mshr_cycles(cu, cycle + 1) != 0;
}

void ww_attribution_issue(ww_cu *cu, const ww_issue_record *record)
{
    ww_tally *tally = &cu->attribution.tally;
    uint64_t structural = record->structural & record->considered;
#pragma GCC unroll 5
    for (unsigned w = 0; w < WW_WAIT_COUNT; w++)
        ww_tally_ripple(tally, w, record->waiting[w] & record->considered, 0);
    uint64_t behind = structural & cu->units.needed_by[WW_UNIT_MEMORY];
    if (behind)
        cu->counters.noted.behind_memory += (uint64_t)__builtin_popcountll(behind);
    ww_tally_ripple(tally, WW_COLUMN_STRUCTURAL, structural & ~record->mshr, 0);
    ww_tally_ripple(tally, WW_COLUMN_MSHR, structural & record->mshr, 0);
    count_cycles(cu, 1);
    cu->counters.issue_cycles += record->issued != 0;
    cu->attribution.accounted++;
}

void ww_attribution_end_issue(ww_cu *cu, uint64_t behind, uint64_t blocked, uint64_t cycle)
{
    cu->attribution.behind_memory = behind;
    cu->attribution.blocked = blocked;
    if (behind)
        mshr_cycles(cu, cycle + 1);
}

void ww_attribution_load(ww_cu *cu, unsigned slot, bool missed)
{
    ww_attribution *a = &cu->attribution;
    a->missed = (a->missed & ~(1ull << slot)) | (uint64_t)missed << slot;
}

/* Algorithm 2, lines 12 to 22: the first cycle of a wait for a missed load is a data hazard. */
void ww_attribution_resolve_load(ww_cu *cu, unsigned slot)
{
    ww_attribution *a = &cu->attribution;
    ww_attribution_slot *s = &cu->slots[slot].attribution;
    uint64_t cycles = ww_tally_read_and_clear(&a->tally, WW_WAIT_LOAD, slot);
    uint64_t hazard = a->missed >> slot & 1 && cycles > 1 ? 1 : cycles;
    s->load_hazard += hazard;
    s->load_cache += cycles - hazard;
    a->missed &= ~(1ull << slot);
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
    };
    const ww_attribution_slot *s = &cu->slots[slot].attribution;
    uint64_t counted[WW_TALLY_COLUMNS], others = 0;
    ww_tally_read_all(&cu->attribution.tally, slot, counted);
    memset(reasons, 0, WW_REASON_COUNT * sizeof(*reasons));
    for (unsigned c = 0; c < WW_COLUMN_COUNT; c++)
        reasons[reason_of[c]] += counted[c];
    reasons[WW_REASON_DATA_HAZARD] += s->load_hazard;
    reasons[WW_REASON_DATA_CACHE] += s->load_cache;
    reasons[WW_REASON_EXECUTION] += s->issued;
    for (unsigned r = 0; r < WW_REASON_COUNT; r++)
        others += reasons[r];
    reasons[WW_REASON_SCHEDULING] = cu->attribution.accounted - s->counted_to - others;
}

const uint64_t *ww_cu_ended_reasons(const ww_cu *cu, unsigned slot)
{
    return cu->slots[slot].attribution.reasons;
}

void ww_attribution_count(ww_cu *cu, unsigned slot, uint64_t cycle)
{
    ww_cu_counters *c = &cu->counters;
    ww_attribution_slot *s = &cu->slots[slot].attribution;
    uint64_t reasons[WW_REASON_COUNT];
    ww_attribution_resolve_load(cu, slot);
    ww_cu_reasons(cu, slot, reasons);
    for (unsigned r = 0; r < WW_REASON_COUNT; r++) {
        c->reasons[r] += reasons[r];
        s->reasons[r] += reasons[r];
    }
    c->load_hazard += s->load_hazard;
    c->lifetime += cycle - s->counted_to;
    s->counted_to = cycle;
    s->issued = s->load_hazard = s->load_cache = 0;
    ww_tally_clear(&cu->attribution.tally, slot);
}
