#include "mem/dram_device.h"

#include <string.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void raise(uint64_t *time, uint64_t to)
{
    *time = later(*time, to);
}

static uint32_t bits_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

/* Between two refreshes of a rank. */
static uint64_t refresh_interval(const ww_dram_device *device)
{
    uint64_t interval = device->timing.refi;
    if (device->refresh == WW_DRAM_REFRESH_PER_BANK)
        interval >>= device->rank_bits; /* one bank after the other */
    return later(interval, 1);
}

static void find_first_due(ww_dram_device *device)
{
    device->first_due = WW_DRAM_NEVER;
    for (uint32_t rank = 0; rank < device->ranks; rank++)
        if (device->rank[rank].refresh_due < device->first_due)
            device->first_due = device->rank[rank].refresh_due;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The least distance from a read or write to another: the data bus must be free, and from a write
 * to a read the banks need tWTR. */
static uint32_t column_gap(const ww_dram_timing *t, ww_dram_op from, ww_dram_distance far,
                           ww_dram_op to)
{
    uint32_t end = (from == WW_DRAM_WRITE ? t->cwl : t->cl) + t->burst;
    uint32_t start = to == WW_DRAM_WRITE ? t->cwl : t->cl;
    uint32_t idle = from == WW_DRAM_READ && to == WW_DRAM_WRITE ? t->bta : 0, gap = 0;
    bool same_group = far == WW_DRAM_SAME_GROUP;
    if (far == WW_DRAM_OTHER_RANK)
        idle = larger(idle, t->rtrs);
    else
        gap = larger(t->ccd_s, same_group ? t->ccd_l : 0);
    if (far != WW_DRAM_OTHER_RANK && from == WW_DRAM_WRITE && to == WW_DRAM_READ)
        gap = larger(gap, end + larger(t->wtr_s, same_group ? t->wtr_l : 0));
    return larger(gap, larger(end + idle, start) - start);
}

static void find_column_gaps(ww_dram_device *device)
{
    const ww_dram_timing *t = &device->timing;
    device->data_start[WW_DRAM_READ] = t->cl;
    device->data_start[WW_DRAM_WRITE] = t->cwl;
    device->data_end_after[WW_DRAM_READ] = t->cl + t->burst;
    device->data_end_after[WW_DRAM_WRITE] = t->cwl + t->burst;
    device->precharge_after[WW_DRAM_READ] = t->rtp;
    device->precharge_after[WW_DRAM_WRITE] = t->cwl + t->burst + t->wr;
    for (unsigned from = 0; from < 2; from++)
        for (unsigned far = 0; far < WW_DRAM_DISTANCES; far++)
            for (unsigned to = 0; to < 2; to++)
                device->column_gap[from][far][to] =
                    column_gap(t, (ww_dram_op)from, (ww_dram_distance)far, (ww_dram_op)to);
}

void ww_dram_device_init(ww_dram_device *device, const ww_dram_type *type)
{
    memset(device, 0, sizeof(*device));
    device->timing = type->timing;
    device->refresh = type->refresh;
    device->ranks = type->ranks;
    device->banks = type->banks;
    device->rank_bits = bits_of(type->banks);
    device->group_bits = bits_of(type->banks / type->bank_groups);
    device->groups = type->ranks * type->bank_groups;
    find_column_gaps(device);
    for (uint32_t i = 0; i < device->groups; i++)
        device->group[i].members = (UINT64_MAX >> (64 - type->banks / type->bank_groups))
                                   << (i << device->group_bits);
    for (uint32_t i = 0; i < WW_DRAM_BANKS; i++)
        device->bank[i].row = WW_DRAM_NO_ROW;
    for (uint32_t i = 0; i < type->ranks; i++) {
        ww_dram_rank *rank = &device->rank[i];
        rank->refresh_bank = i * type->banks;
        rank->refresh_due = refresh_interval(device) * (i + 1) / type->ranks;
        if (type->refresh == WW_DRAM_REFRESH_NONE)
            rank->refresh_due = WW_DRAM_NEVER;
    }
    find_first_due(device);
}

void ww_dram_issue_activate(ww_dram_device *device, const ww_dram_command *command)
{
    const ww_dram_timing *t = &device->timing;
    uint64_t cycle = command->cycle;
    uint32_t rank_number = command->bank >> device->rank_bits;
    ww_dram_bank *bank = &device->bank[command->bank];
    ww_dram_rank *rank = &device->rank[rank_number];
    bank->row = command->row;
    bank->activate = cycle + t->rc;
    bank->column = cycle + t->rcd;
    bank->precharge = cycle + t->ras;
    rank->window[rank->window_next] = cycle + t->faw;
    rank->window_next = (rank->window_next + 1) % 4;
    uint64_t others = later(cycle + t->rrd_s, rank->window[rank->window_next]);
    uint32_t first = rank_number << (device->rank_bits - device->group_bits);
    uint32_t end = (rank_number + 1) << (device->rank_bits - device->group_bits);
    for (uint32_t i = first; i < end; i++)
        raise(&device->group[i].ready[WW_DRAM_ACTIVATE], others);
    raise(&device->group[command->bank >> device->group_bits].ready[WW_DRAM_ACTIVATE],
          cycle + t->rrd_l);
}

/* Delays reads and writes of the groups from `first` up to `end` after one at a cycle. */
static inline void keep_apart(ww_dram_device *device, uint32_t first, uint32_t end,
                              const uint32_t gap[2], uint64_t cycle)
{
    uint64_t read = cycle + gap[WW_DRAM_READ], write = cycle + gap[WW_DRAM_WRITE];
    for (ww_dram_group *group = &device->group[first]; group < &device->group[end]; group++) {
        raise(&group->ready[WW_DRAM_READ], read);
        raise(&group->ready[WW_DRAM_WRITE], write);
    }
}

void ww_dram_issue_column(ww_dram_device *device, const ww_dram_command *command)
{
    uint64_t cycle = command->cycle;
    ww_dram_bank *bank = &device->bank[command->bank];
    uint32_t own = command->bank >> device->group_bits;
    uint32_t of_rank = 1u << (device->rank_bits - device->group_bits);
    const uint32_t(*gap)[2] = device->column_gap[command->op];
    uint32_t first = own & ~(of_rank - 1), end = first + of_rank;
    if (device->ranks > 1) {
        keep_apart(device, 0, first, gap[WW_DRAM_OTHER_RANK], cycle);
        keep_apart(device, end, device->groups, gap[WW_DRAM_OTHER_RANK], cycle);
    }
    if (of_rank > 1)
        keep_apart(device, first, end, gap[WW_DRAM_SAME_RANK], cycle);
    keep_apart(device, own, own + 1, gap[WW_DRAM_SAME_GROUP], cycle);
    device->data_end = cycle + device->data_end_after[command->op];
    raise(&bank->precharge, cycle + device->precharge_after[command->op]);
    if (command->closes)
        ww_dram_close_row(device, bank, bank->precharge);
}

static void issue_to_rank(ww_dram_device *device, const ww_dram_command *command)
{
    for (uint32_t i = 0; i < device->banks; i++) {
        ww_dram_bank *bank = &device->bank[command->bank + i];
        if (command->op == WW_DRAM_REFRESH)
            raise(&bank->activate, command->cycle + device->timing.rfc);
        else if (bank->row != WW_DRAM_NO_ROW)
            ww_dram_close_row(device, bank, command->cycle);
    }
    if (command->op != WW_DRAM_REFRESH)
        return;
    device->rank[command->bank >> device->rank_bits].refresh_due += refresh_interval(device);
    find_first_due(device);
}

/* Counts `count` refreshes of a rank as done. */
static void advance_refresh(ww_dram_device *device, uint32_t rank, uint64_t count)
{
    ww_dram_rank *r = &device->rank[rank];
    uint32_t first = rank << device->rank_bits;
    r->refresh_bank = first + (uint32_t)((r->refresh_bank - first + count) % device->banks);
    r->refresh_due += count * refresh_interval(device);
    find_first_due(device);
}

void ww_dram_issue_refresh(ww_dram_device *device, const ww_dram_command *command)
{
    if (command->op != WW_DRAM_REFRESH_BANK) {
        issue_to_rank(device, command);
        return;
    }
    raise(&device->bank[command->bank].activate, command->cycle + device->timing.rfc_bank);
    advance_refresh(device, command->bank >> device->rank_bits, 1);
}

uint64_t ww_dram_refreshing(const ww_dram_device *device, uint64_t cycle)
{
    uint64_t banks = 0, all = UINT64_MAX >> (64 - device->banks);
    for (uint32_t i = 0; i < device->ranks; i++) {
        const ww_dram_rank *rank = &device->rank[i];
        if (cycle < rank->refresh_due)
            continue;
        banks |= device->refresh == WW_DRAM_REFRESH_PER_BANK ? UINT64_C(1) << rank->refresh_bank
                                                             : all << (i << device->rank_bits);
    }
    return banks;
}

static ww_dram_command refresh_all_step(const ww_dram_device *device, uint32_t rank)
{
    uint32_t first = rank << device->rank_bits;
    uint64_t closed = 0, closable = 0; /* also of rows that close by themselves */
    bool open = false;
    for (uint32_t i = first; i < first + device->banks; i++) {
        const ww_dram_bank *bank = &device->bank[i];
        closed = later(closed, bank->activate);
        closable = later(closable, bank->precharge);
        open |= bank->row != WW_DRAM_NO_ROW;
    }
    return (ww_dram_command){.op = open ? WW_DRAM_PRECHARGE_ALL : WW_DRAM_REFRESH,
                             .bank = first,
                             .cycle = open ? closable : closed};
}

ww_dram_command ww_dram_refresh_step(const ww_dram_device *device, uint32_t rank)
{
    const ww_dram_rank *r = &device->rank[rank];
    ww_dram_command step;
    if (device->refresh == WW_DRAM_REFRESH_PER_BANK) {
        const ww_dram_bank *bank = &device->bank[r->refresh_bank];
        bool open = bank->row != WW_DRAM_NO_ROW;
        step = (ww_dram_command){.op = open ? WW_DRAM_PRECHARGE : WW_DRAM_REFRESH_BANK,
                                 .bank = r->refresh_bank,
                                 .cycle = open ? bank->precharge : bank->activate};
    } else {
        step = refresh_all_step(device, rank);
    }
    step.cycle = later(step.cycle, r->refresh_due);
    return step;
}

static bool is_closed(const ww_dram_device *device, uint32_t rank)
{
    const ww_dram_bank *bank = &device->bank[rank << device->rank_bits];
    for (uint32_t i = 0; i < device->banks; i++)
        if (bank[i].row != WW_DRAM_NO_ROW)
            return false;
    return true;
}

uint64_t ww_dram_refresh_skip(ww_dram_device *device, uint32_t rank, uint64_t cycle)
{
    uint64_t due = device->rank[rank].refresh_due, kept = device->banks;
    uint64_t count = cycle > due ? (cycle - due) / refresh_interval(device) : 0;
    if (device->refresh == WW_DRAM_REFRESH_NONE || count <= kept || !is_closed(device, rank))
        return 0;
    count -= kept;
    advance_refresh(device, rank, count);
    return count;
}
