#include "mem/dram_wishes.h"

void ww_dram_wishes_begin_turn(ww_dram_wishes *wishes, uint64_t cycle)
{
    wishes->turn = cycle;
    wishes->stale |= wishes->refused;
}

/* ---- what each bank would do ---- */

/* The cycle from which on a bank's oldest request counts as waiting: none of the bank has for longer. */
static uint64_t waits_since(const ww_dram_wishes *wishes, uint32_t bank)
{
    uint64_t arrived = ww_dram_queue_oldest(wishes->queue, wishes->direction, bank)->arrived;
    return arrived < wishes->turn ? wishes->turn : arrived;
}

static bool may_be_passed(const ww_dram_wishes *wishes, uint32_t bank)
{
    return wishes->ripening.cycle - waits_since(wishes, bank) < wishes->patience;
}

static void look_up(ww_dram_wishes *wishes, uint32_t bank)
{
    const ww_dram_bank *state = &wishes->device->bank[bank];
    ww_dram_entry *entry = ww_dram_queue_oldest(wishes->queue, wishes->direction, bank), *hit;
    uint64_t bit = UINT64_C(1) << bank, time = state->column;
    if (state->row == WW_DRAM_NO_ROW) {
        wishes->activates |= bit;
        time = state->activate;
    } else if (state->row == entry->row) {
        wishes->columns |= bit;
    } else if (!(hit = ww_dram_queue_hit(wishes->queue, wishes->direction, bank, state->row)) ||
               !may_be_passed(wishes, bank)) {
        wishes->refused |= hit ? bit : 0;
        wishes->precharges |= bit;
        time = state->precharge;
    } else {
        wishes->passing |= bit;
        wishes->columns |= bit;
        entry = hit;
    }
    wishes->entry[bank] = entry;
    wishes->age[bank] = entry->order * WW_DRAM_BANKS + bank;
    ww_dram_ripening_add(&wishes->ripening, bank, time);
}

void ww_dram_wishes_find_impatient(ww_dram_wishes *wishes, uint64_t cycle)
{
    uint64_t since = UINT64_MAX;
    for (uint64_t rest = wishes->queue->banks[wishes->direction]; rest; rest &= rest - 1) {
        uint64_t bank_since = waits_since(wishes, (uint32_t)__builtin_ctzll(rest));
        since = bank_since < since ? bank_since : since;
    }
    if (__builtin_add_overflow(since, wishes->patience, &wishes->patient_until))
        wishes->patient_until = UINT64_MAX;
    wishes->impatient = cycle >= wishes->patient_until;
    if (wishes->impatient)
        wishes->stale |= wishes->passing;
}

void ww_dram_wishes_look_up(ww_dram_wishes *wishes)
{
    uint64_t stale = wishes->stale, kept = ~stale;
    wishes->stale = 0;
    wishes->columns &= kept;
    wishes->activates &= kept;
    wishes->precharges &= kept;
    wishes->passing &= kept;
    wishes->refused &= kept;
    for (; stale; stale &= stale - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(stale);
        ww_dram_ripening_remove(&wishes->ripening, bank);
        if (wishes->queue->banks[wishes->direction] >> bank & 1)
            look_up(wishes, bank);
    }
}

/* ---- what can go first ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Adds banks whose wishes are allowed at a cycle. */
static inline ww_dram_first consider(ww_dram_first first, uint64_t banks, uint64_t cycle)
{
    if (cycle > first.cycle)
        return first;
    return (ww_dram_first){cycle, cycle == first.cycle ? banks | first.banks : banks};
}

/* Adds ripe wishes for a command, by group. */
static inline ww_dram_first consider_ripe(const ww_dram_wishes *wishes, ww_dram_first first,
                                          uint64_t banks, unsigned op)
{
    const ww_dram_device *device = wishes->device;
    while (banks) {
        const ww_dram_group *group =
            &device->group[(uint32_t)__builtin_ctzll(banks) >> device->group_bits];
        uint64_t start = later(group->ready[op], wishes->ripening.cycle);
        first = consider(first, banks & group->members, start);
        banks &= ~group->members;
    }
    return first;
}

static inline ww_dram_first consider_each(const ww_dram_wishes *wishes, ww_dram_first first,
                                          uint64_t banks)
{
    const ww_dram_device *device = wishes->device;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        ww_dram_op op = ww_dram_wishes_op(wishes, bank);
        uint64_t start = wishes->ripening.time[bank];
        if (op != WW_DRAM_PRECHARGE)
            start = later(start, device->group[bank >> device->group_bits].ready[op]);
        first = consider(first, UINT64_C(1) << bank, start);
    }
    return first;
}

/* Adds wishes that are not ripe, as far as they could go before those that are. */
static ww_dram_first consider_unripe(const ww_dram_wishes *wishes, ww_dram_first first,
                                     uint64_t banks)
{
    const ww_dram_ripening *r = &wishes->ripening;
    for (uint64_t ahead = ww_dram_ripening_ahead(r); ahead; ahead &= ahead - 1) {
        uint64_t time = r->cycle + 1 + (unsigned)__builtin_ctzll(ahead);
        if (time > first.cycle)
            return first;
        first = consider_each(wishes, first, r->slot[time % WW_DRAM_SLOTS] & banks);
    }
    return consider_each(wishes, first, r->far & banks);
}

/* As if there were no refreshes. */
static ww_dram_first earliest(const ww_dram_wishes *wishes, uint64_t banks)
{
    uint64_t ripe = wishes->ripening.ripe & banks;
    ww_dram_first first = {.cycle = WW_DRAM_NEVER};
    if (ripe & wishes->precharges)
        first = (ww_dram_first){wishes->ripening.cycle, ripe & wishes->precharges};
    first = consider_ripe(wishes, first, ripe & wishes->columns, wishes->direction);
    first = consider_ripe(wishes, first, ripe & wishes->activates, WW_DRAM_ACTIVATE);
    first = consider_unripe(wishes, first, banks);
    if (first.banks & wishes->columns)
        first.banks &= wishes->columns;
    return first;
}

ww_dram_first ww_dram_wishes_first(const ww_dram_wishes *wishes, uint64_t banks)
{
    for (;;) {
        ww_dram_first first = earliest(wishes, banks);
        if (first.cycle < wishes->device->first_due)
            return first;
        uint64_t late = ww_dram_refreshing(wishes->device, first.cycle);
        if (!(first.banks & late))
            return first;
        banks &= ~late;
    }
}

uint64_t ww_dram_wishes_start(const ww_dram_wishes *wishes, uint32_t bank)
{
    return ww_dram_wishes_first(wishes, UINT64_C(1) << bank).cycle;
}

uint64_t ww_dram_wishes_kind(const ww_dram_wishes *wishes, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    return wishes->columns & bit     ? wishes->columns
           : wishes->activates & bit ? wishes->activates
                                     : wishes->precharges;
}
