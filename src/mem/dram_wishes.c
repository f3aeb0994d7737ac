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

static ww_dram_entry *entry_to_serve(const ww_dram_wishes *wishes, unsigned direction,
                                     uint32_t bank, uint64_t cycle)
{
    ww_dram_entry *oldest = ww_dram_queue_oldest(wishes->queue, direction, bank);
    uint64_t row = wishes->device->bank[bank].row;
    if (row == WW_DRAM_NO_ROW || oldest->row == row)
        return oldest;
    ww_dram_entry *hit = ww_dram_queue_hit(wishes->queue, direction, bank, row);
    if (hit && wishes->scheduler->may_pass(wishes->policy_state, cycle - oldest->arrived))
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
        (ww_dram_wish){.order = entry->order, .arrived = entry->arrived, .op = op};
}

static void bring_up_to_date(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle)
{
    uint64_t banks = wishes->queue->banks[direction];
    uint64_t look = banks & (wishes->stale[direction] | wishes->passing[direction]);
    for (; look; look &= look - 1)
        look_up(wishes, direction, (uint32_t)__builtin_ctzll(look), cycle);
    wishes->stale[direction] &= ~banks;
}

/* When groups, ranks and the bus are ready, by command and group. */
typedef uint64_t shared_times[WW_DRAM_PRECHARGE + 1][WW_DRAM_BANKS];

static void find_shared(const ww_dram_device *device, unsigned direction, shared_times shared)
{
    uint32_t groups = device->ranks << (device->rank_bits - device->group_bits);
    for (uint32_t group = 0; group < groups; group++) {
        shared[direction][group] = ww_dram_column_ready(device, (ww_dram_op)direction, group);
        shared[WW_DRAM_ACTIVATE][group] = ww_dram_activate_ready(device, group);
        shared[WW_DRAM_PRECHARGE][group] = 0;
    }
}

/* Sets `ready` of every wish of a direction. */
static void set_ready(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle)
{
    const ww_dram_device *device = wishes->device;
    uint64_t refresh = WW_DRAM_NEVER;
    shared_times shared;
    find_shared(device, direction, shared);
    for (uint32_t rank = 0; rank < device->ranks; rank++)
        if (device->rank[rank].refresh_due < refresh)
            refresh = device->rank[rank].refresh_due;
    for (uint64_t banks = wishes->queue->banks[direction]; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        ww_dram_wish *wish = &wishes->wish[direction][bank];
        uint64_t ready = wishes->local[direction][bank];
        uint64_t with_others = shared[wish->op][bank >> device->group_bits];
        ready = ready > with_others ? ready : with_others;
        uint64_t start = ready > cycle ? ready : cycle;
        if (start >= refresh && ww_dram_must_refresh(device, bank, start))
            ready = WW_DRAM_NEVER;
        wish->ready = ready;
    }
}

ww_dram_entry *ww_dram_wishes_choose(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle,
                                     ww_dram_command *command)
{
    uint64_t banks = wishes->queue->banks[direction];
    uint32_t bank = (uint32_t)__builtin_ctzll(banks);
    bring_up_to_date(wishes, direction, cycle);
    set_ready(wishes, direction, cycle);
    if (banks & (banks - 1))
        bank =
            wishes->scheduler->choose(wishes->policy_state, wishes->wish[direction], banks, cycle);
    const ww_dram_wish *wish = &wishes->wish[direction][bank];
    ww_dram_entry *entry = wishes->entry[direction][bank];
    *command = (ww_dram_command){.cycle = wish->ready > cycle ? wish->ready : cycle,
                                 .op = wish->op,
                                 .bank = bank,
                                 .row = entry->row};
    return entry;
}
