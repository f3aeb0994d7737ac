#include "mem/dram_wishes.h"

bool ww_dram_wishes_arrival(ww_dram_wishes *wishes, const ww_dram_entry *entry)
{
    uint64_t bit = UINT64_C(1) << entry->bank;
    bool first = !(wishes->queue->banks[wishes->direction] & bit);
    bool hit = wishes->device->bank[entry->bank].row == entry->row && !(wishes->columns & bit);
    if (!first && !hit)
        return false;
    wishes->stale |= bit;
    return true;
}

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

static void wish_for(ww_dram_wishes *wishes, uint64_t *kind, ww_dram_op op, ww_dram_entry *entry)
{
    uint32_t bank = entry->bank;
    *kind |= UINT64_C(1) << bank;
    wishes->entry[bank] = entry;
    wishes->order[bank] = entry->order;
    ww_dram_ripening_add(&wishes->ripening, bank, ww_dram_bank_ready(wishes->device, op, bank));
}

static void look_up(ww_dram_wishes *wishes, uint32_t bank)
{
    ww_dram_op column = (ww_dram_op)wishes->direction;
    ww_dram_entry *oldest = ww_dram_queue_oldest(wishes->queue, wishes->direction, bank);
    uint64_t row = wishes->device->bank[bank].row, bit = UINT64_C(1) << bank;
    if (row == WW_DRAM_NO_ROW) {
        wish_for(wishes, &wishes->activates, WW_DRAM_ACTIVATE, oldest);
        return;
    }
    if (oldest->row == row) {
        wish_for(wishes, &wishes->columns, column, oldest);
        return;
    }
    ww_dram_entry *hit = ww_dram_queue_hit(wishes->queue, wishes->direction, bank, row);
    if (hit && may_be_passed(wishes, bank)) {
        wishes->passing |= bit;
        wish_for(wishes, &wishes->columns, column, hit);
        return;
    }
    wishes->refused |= hit ? bit : 0;
    wish_for(wishes, &wishes->precharges, WW_DRAM_PRECHARGE, oldest);
}

static void find_impatient(ww_dram_wishes *wishes, uint64_t cycle)
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

void ww_dram_wishes_update(ww_dram_wishes *wishes, uint64_t cycle)
{
    ww_dram_ripening_advance(&wishes->ripening, cycle);
    if (cycle >= wishes->patient_until)
        find_impatient(wishes, cycle);
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

static ww_dram_op op_of(const ww_dram_wishes *wishes, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    return wishes->columns & bit     ? (ww_dram_op)wishes->direction
           : wishes->activates & bit ? WW_DRAM_ACTIVATE
                                     : WW_DRAM_PRECHARGE;
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

static ww_dram_first consider_each(const ww_dram_wishes *wishes, ww_dram_first first,
                                   uint64_t banks)
{
    const ww_dram_device *device = wishes->device;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        ww_dram_op op = op_of(wishes, bank);
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
    uint64_t cycle = wishes->ripening.cycle, ripe = wishes->ripening.ripe & banks;
    ww_dram_first first = {.cycle = WW_DRAM_NEVER};
    first = consider_ripe(wishes, first, ripe & wishes->columns, wishes->direction);
    if (first.cycle == cycle)
        return first;
    if (ripe & wishes->precharges)
        first = (ww_dram_first){cycle, ripe & wishes->precharges};
    first = consider_ripe(wishes, first, ripe & wishes->activates, WW_DRAM_ACTIVATE);
    if (first.cycle != cycle)
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

uint32_t ww_dram_wishes_oldest(const ww_dram_wishes *wishes, uint64_t banks)
{
    uint32_t oldest = (uint32_t)__builtin_ctzll(banks);
    uint64_t least = wishes->order[oldest];
    for (banks &= banks - 1; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        oldest = wishes->order[bank] < least ? bank : oldest;
        least = wishes->order[bank] < least ? wishes->order[bank] : least;
    }
    return oldest;
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

void ww_dram_wishes_command(const ww_dram_wishes *wishes, uint32_t bank, ww_dram_command *command)
{
    command->row = wishes->entry[bank]->row;
    command->bank = bank;
    command->op = op_of(wishes, bank);
    command->closes = false;
}
