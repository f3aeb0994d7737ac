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
    ww_dram_prepare_columns(wishes->device, wishes->direction);
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

/* These banks have wishes that are allowed at a cycle, but for refreshes. */
static void consider(const ww_dram_wishes *wishes, ww_dram_first *first, uint64_t banks,
                     uint64_t cycle)
{
    if (cycle > first->cycle)
        return;
    if (cycle >= wishes->device->first_due)
        banks &= ~ww_dram_refreshing(wishes->device, cycle);
    if (!banks)
        return;
    if (cycle < first->cycle)
        *first = (ww_dram_first){.cycle = cycle};
    first->columns |= banks & wishes->columns;
    first->rows |= banks & ~wishes->columns;
}

/* Ripe wishes of one kind: by group, with what the others say. */
static void consider_groups(const ww_dram_wishes *wishes, ww_dram_first *first, uint64_t banks,
                            const uint64_t *ready)
{
    uint32_t group_bits = wishes->device->group_bits;
    uint64_t of_group = UINT64_MAX >> (64 - (1u << group_bits));
    while (banks) {
        uint32_t group = (uint32_t)__builtin_ctzll(banks) >> group_bits;
        uint64_t members = of_group << (group << group_bits);
        consider(wishes, first, banks & members, later(ready[group], wishes->ripening.cycle));
        banks &= ~members;
    }
}

/* When a wish is allowed that ripens at `time`. */
static uint64_t start_of(const ww_dram_wishes *wishes, uint32_t bank, uint64_t time)
{
    uint32_t group = bank >> wishes->device->group_bits;
    if (wishes->columns >> bank & 1)
        return later(time, wishes->device->column_ready[group]);
    if (wishes->activates >> bank & 1)
        return later(time, wishes->device->activate_ready[group]);
    return time;
}

static void consider_each(const ww_dram_wishes *wishes, ww_dram_first *first, uint64_t banks)
{
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        uint64_t start = start_of(wishes, bank, wishes->ripening.time[bank]);
        consider(wishes, first, UINT64_C(1) << bank, start);
    }
}

/* Wishes that are not ripe, as far as they can go before those that are. */
static void consider_unripe(const ww_dram_wishes *wishes, ww_dram_first *first, uint64_t banks)
{
    const ww_dram_ripening *r = &wishes->ripening;
    for (uint64_t ahead = ww_dram_ripening_ahead(r); ahead; ahead &= ahead - 1) {
        uint64_t time = r->cycle + 1 + (unsigned)__builtin_ctzll(ahead);
        if (time > first->cycle)
            return;
        consider_each(wishes, first, r->slot[time % WW_DRAM_SLOTS] & banks);
    }
    consider_each(wishes, first, r->far & banks);
}

ww_dram_first ww_dram_wishes_first(const ww_dram_wishes *wishes, uint64_t banks)
{
    ww_dram_first first = {.cycle = WW_DRAM_NEVER};
    const ww_dram_device *device = wishes->device;
    uint64_t ripe = wishes->ripening.ripe & banks;
    consider_groups(wishes, &first, ripe & wishes->columns, device->column_ready);
    if (first.cycle == wishes->ripening.cycle)
        return first;
    consider(wishes, &first, ripe & wishes->precharges, wishes->ripening.cycle);
    consider_groups(wishes, &first, ripe & wishes->activates, device->activate_ready);
    consider_unripe(wishes, &first, banks);
    return first;
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
    const ww_dram_ripening *r = &wishes->ripening;
    uint64_t start = start_of(wishes, bank, later(r->time[bank], r->cycle));
    bool refreshing =
        start >= wishes->device->first_due && ww_dram_refreshing(wishes->device, start) >> bank & 1;
    return refreshing ? WW_DRAM_NEVER : start;
}

uint64_t ww_dram_wishes_kind(const ww_dram_wishes *wishes, uint32_t bank)
{
    uint64_t bit = UINT64_C(1) << bank;
    return wishes->columns & bit     ? wishes->columns
           : wishes->activates & bit ? wishes->activates
                                     : wishes->precharges;
}

ww_dram_command ww_dram_wishes_command(const ww_dram_wishes *wishes, uint32_t bank, uint64_t cycle)
{
    ww_dram_op op = wishes->columns >> bank & 1     ? (ww_dram_op)wishes->direction
                    : wishes->activates >> bank & 1 ? WW_DRAM_ACTIVATE
                                                    : WW_DRAM_PRECHARGE;
    return (ww_dram_command){
        .cycle = cycle, .op = op, .bank = bank, .row = wishes->entry[bank]->row};
}
