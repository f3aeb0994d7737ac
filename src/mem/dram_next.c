#include "mem/dram_next.h"

void ww_dram_next_begin_writes(ww_dram_next *next, uint64_t cycle)
{
    next->writes_since = cycle;
    next->stale |= next->refused;
}

/* ---- the next command of each bank ---- */

/* The cycle from which a bank's oldest request counts as waiting. */
static uint64_t waits_since(const ww_dram_next *next, uint32_t bank)
{
    uint64_t arrived = ww_dram_queue_oldest(next->queue, next->direction, bank)->arrived;
    return arrived < next->writes_since ? next->writes_since : arrived;
}

static bool may_be_passed(const ww_dram_next *next, uint32_t bank)
{
    return next->times.cycle - waits_since(next, bank) < next->age_cap;
}

static void find_next(ww_dram_next *next, uint32_t bank)
{
    const ww_dram_bank *state = &next->device->bank[bank];
    ww_dram_entry *entry = ww_dram_queue_oldest(next->queue, next->direction, bank), *hit;
    uint64_t bit = UINT64_C(1) << bank, time = state->column;
    if (state->row == WW_DRAM_NO_ROW) {
        next->activates |= bit;
        time = state->activate;
    } else if (state->row == entry->row) {
        next->columns |= bit;
    } else if (!(hit = ww_dram_queue_hit(next->queue, next->direction, bank, state->row)) ||
               !may_be_passed(next, bank)) {
        next->refused |= hit ? bit : 0;
        next->precharges |= bit;
        time = state->precharge;
    } else {
        next->passing |= bit;
        next->columns |= bit;
        entry = hit;
    }
    next->entry[bank] = entry;
    next->age[bank] = entry->order * WW_DRAM_BANKS + bank;
    ww_dram_ready_add(&next->times, bank, time);
}

void ww_dram_next_check_age(ww_dram_next *next, uint64_t cycle)
{
    uint64_t since = UINT64_MAX;
    for (uint64_t rest = next->queue->banks[next->direction]; rest; rest &= rest - 1) {
        uint64_t bank_since = waits_since(next, (uint32_t)__builtin_ctzll(rest));
        since = bank_since < since ? bank_since : since;
    }
    if (__builtin_add_overflow(since, next->age_cap, &next->within_cap_until))
        next->within_cap_until = UINT64_MAX;
    next->over_age_cap = cycle >= next->within_cap_until;
    if (next->over_age_cap)
        next->stale |= next->passing;
}

void ww_dram_next_update_stale(ww_dram_next *next)
{
    uint64_t stale = next->stale, kept = ~stale;
    next->stale = 0;
    next->columns &= kept;
    next->activates &= kept;
    next->precharges &= kept;
    next->passing &= kept;
    next->refused &= kept;
    for (; stale; stale &= stale - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(stale);
        ww_dram_ready_remove(&next->times, bank);
        if (next->queue->banks[next->direction] >> bank & 1)
            find_next(next, bank);
    }
}

/* ---- the earliest commands ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Adds banks whose next commands are allowed at a cycle. */
static inline ww_dram_earliest consider(ww_dram_earliest first, uint64_t banks, uint64_t cycle)
{
    if (cycle > first.cycle)
        return first;
    return (ww_dram_earliest){cycle, cycle == first.cycle ? banks | first.banks : banks};
}

/* Adds banks that are ready for a command, by group. */
static inline ww_dram_earliest consider_ready(const ww_dram_next *next, ww_dram_earliest first,
                                              uint64_t banks, unsigned op)
{
    const ww_dram_device *device = next->device;
    while (banks) {
        const ww_dram_group *group =
            &device->group[(uint32_t)__builtin_ctzll(banks) >> device->group_bits];
        uint64_t start = later(group->ready[op], next->times.cycle);
        first = consider(first, banks & group->members, start);
        banks &= ~group->members;
    }
    return first;
}

static inline ww_dram_earliest consider_each(const ww_dram_next *next, ww_dram_earliest first,
                                             uint64_t banks)
{
    const ww_dram_device *device = next->device;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        ww_dram_op op = ww_dram_next_op(next, bank);
        uint64_t start = next->times.time[bank];
        if (op != WW_DRAM_PRECHARGE)
            start = later(start, device->group[bank >> device->group_bits].ready[op]);
        first = consider(first, UINT64_C(1) << bank, start);
    }
    return first;
}

/* Adds banks that are not ready yet, as far as they could precede those that are. */
static ww_dram_earliest consider_later(const ww_dram_next *next, ww_dram_earliest first,
                                       uint64_t banks)
{
    const ww_dram_ready_times *r = &next->times;
    for (uint64_t ahead = ww_dram_ready_ahead(r); ahead; ahead &= ahead - 1) {
        uint64_t time = r->cycle + 1 + (unsigned)__builtin_ctzll(ahead);
        if (time > first.cycle)
            return first;
        first = consider_each(next, first, r->slot[time % WW_DRAM_SLOTS] & banks);
    }
    return consider_each(next, first, r->far & banks);
}

/* As if there were no refreshes. */
static ww_dram_earliest earliest_without_refresh(const ww_dram_next *next, uint64_t banks)
{
    uint64_t ready = next->times.ready & banks;
    ww_dram_earliest first = {.cycle = WW_DRAM_NEVER};
    if (ready & next->precharges)
        first = (ww_dram_earliest){next->times.cycle, ready & next->precharges};
    first = consider_ready(next, first, ready & next->columns, next->direction);
    first = consider_ready(next, first, ready & next->activates, WW_DRAM_ACTIVATE);
    first = consider_later(next, first, banks);
    if (first.banks & next->columns)
        first.banks &= next->columns;
    return first;
}

ww_dram_earliest ww_dram_next_earliest(const ww_dram_next *next, uint64_t banks)
{
    for (;;) {
        ww_dram_earliest first = earliest_without_refresh(next, banks);
        if (first.cycle < next->device->first_due)
            return first;
        uint64_t late = ww_dram_refreshing(next->device, first.cycle);
        if (!(first.banks & late))
            return first;
        banks &= ~late;
    }
}

uint64_t ww_dram_next_start(const ww_dram_next *next, uint32_t bank)
{
    return ww_dram_next_earliest(next, UINT64_C(1) << bank).cycle;
}

uint64_t ww_dram_next_kind(const ww_dram_next *next, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    return next->columns & bit     ? next->columns
           : next->activates & bit ? next->activates
                                   : next->precharges;
}
