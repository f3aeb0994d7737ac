#include "mem/dram_wishes.h"

bool ww_dram_wishes_arrival(ww_dram_wishes *wishes, const ww_dram_entry *entry)
{
    uint64_t bit = UINT64_C(1) << entry->bank;
    bool first = !(wishes->queue->banks[entry->direction] & bit);
    bool hit = wishes->device->bank[entry->bank].row == entry->row &&
               wishes->wish[entry->direction][entry->bank].op > WW_DRAM_WRITE;
    if (!first && !hit)
        return false;
    wishes->stale[entry->direction] |= bit;
    return true;
}

/* The cycle from which on an entry counts as waiting. */
static uint64_t waits_since(const ww_dram_wishes *wishes, const ww_dram_entry *entry)
{
    if (entry->direction == WW_DRAM_WRITE && entry->arrived < wishes->turn)
        return wishes->turn;
    return entry->arrived;
}

static ww_dram_entry *entry_to_serve(const ww_dram_wishes *wishes, unsigned direction,
                                     uint32_t bank, uint64_t cycle)
{
    ww_dram_entry *oldest = ww_dram_queue_oldest(wishes->queue, direction, bank);
    uint64_t row = wishes->device->bank[bank].row;
    if (row == WW_DRAM_NO_ROW || oldest->row == row)
        return oldest;
    ww_dram_entry *hit = ww_dram_queue_hit(wishes->queue, direction, bank, row);
    uint64_t since = waits_since(wishes, oldest);
    if (hit && wishes->scheduler->may_pass(wishes->policy_state, cycle - since))
        return hit;
    return oldest;
}

static void look_up(ww_dram_wishes *wishes, unsigned direction, uint32_t bank, uint64_t cycle)
{
    ww_dram_entry *entry = entry_to_serve(wishes, direction, bank, cycle);
    uint64_t row = wishes->device->bank[bank].row;
    ww_dram_op op = row == entry->row       ? (ww_dram_op)direction
                    : row == WW_DRAM_NO_ROW ? WW_DRAM_ACTIVATE
                                            : WW_DRAM_PRECHARGE;
    uint64_t passing = entry != ww_dram_queue_oldest(wishes->queue, direction, bank);
    wishes->passing[direction] &= ~(UINT64_C(1) << bank);
    wishes->passing[direction] |= passing << bank;
    wishes->entry[direction][bank] = entry;
    wishes->local[direction][bank] = ww_dram_bank_ready(wishes->device, op, bank);
    wishes->wish[direction][bank] =
        (ww_dram_wish){.order = entry->order, .since = waits_since(wishes, entry), .op = op};
}

static void bring_up_to_date(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle)
{
    uint64_t banks = wishes->queue->banks[direction];
    uint64_t look = banks & (wishes->stale[direction] | wishes->passing[direction]);
    for (; look; look &= look - 1)
        look_up(wishes, direction, (uint32_t)__builtin_ctzll(look), cycle);
    wishes->stale[direction] &= ~banks;
}

static uint64_t first_refresh(const ww_dram_device *device)
{
    uint64_t due = WW_DRAM_NEVER;
    for (uint32_t rank = 0; rank < device->ranks; rank++)
        due = device->rank[rank].refresh_due < due ? device->rank[rank].refresh_due : due;
    return due;
}

/* Sets the wait of every wish of a direction, counted from `cycle`. */
static void set_waits(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle)
{
    const ww_dram_device *device = wishes->device;
    const uint64_t *local = wishes->local[direction];
    ww_dram_wish *wish = wishes->wish[direction];
    uint32_t group_bits = device->group_bits;
    uint64_t refresh = first_refresh(device);
    ww_dram_shared shared;
    ww_dram_shared_ready(device, direction, cycle, shared);
    for (uint64_t banks = wishes->queue->banks[direction]; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        uint64_t start = shared[wish[bank].op][bank >> group_bits];
        start = start > local[bank] ? start : local[bank];
        bool late = start >= refresh && ww_dram_must_refresh(device, bank, start);
        wish[bank].wait = late ? WW_DRAM_LONG_WAIT : (uint32_t)(start - cycle);
    }
}

ww_dram_entry *ww_dram_wishes_choose(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle,
                                     ww_dram_command *command)
{
    uint64_t banks = wishes->queue->banks[direction];
    uint32_t bank = (uint32_t)__builtin_ctzll(banks);
    bring_up_to_date(wishes, direction, cycle);
    set_waits(wishes, direction, cycle);
    if (banks & (banks - 1))
        bank =
            wishes->scheduler->choose(wishes->policy_state, wishes->wish[direction], banks, cycle);
    const ww_dram_wish *wish = &wishes->wish[direction][bank];
    ww_dram_entry *entry = wishes->entry[direction][bank];
    uint64_t start = wish->wait == WW_DRAM_LONG_WAIT ? WW_DRAM_NEVER : cycle + wish->wait;
    *command = (ww_dram_command){.cycle = start, .op = wish->op, .bank = bank, .row = entry->row};
    return entry;
}
