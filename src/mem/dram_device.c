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
        interval >>= device->rank_bits; /* over the banks of a rank */
    return later(interval, 1);
}

static void find_first_due(ww_dram_device *device)
{
    device->first_due = WW_DRAM_NEVER;
    for (uint32_t rank = 0; rank < device->ranks; rank++)
        if (device->rank[rank].refresh_due < device->first_due)
            device->first_due = device->rank[rank].refresh_due;
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
    device->group_members = UINT64_MAX >> (64 - type->banks / type->bank_groups);
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

/* The data bus is taken until `end`: reads and writes may come when their data finds it free. */
static void take_bus(ww_dram_device *device, uint32_t rank, bool write, uint64_t end)
{
    const ww_dram_timing *t = &device->timing;
    uint64_t turn = write ? 0 : t->bta;
    device->data_end = end;
    for (uint32_t i = 0; i < device->ranks; i++) {
        uint64_t gap = i != rank ? t->rtrs : 0, *ready = device->rank[i].ready;
        uint64_t read = end + gap, written = end + later(gap, turn);
        raise(&ready[WW_DRAM_READ], later(read, t->cl) - t->cl);
        raise(&ready[WW_DRAM_WRITE], later(written, t->cwl) - t->cwl);
    }
}

static void close_row(ww_dram_device *device, ww_dram_bank *bank, uint64_t cycle)
{
    bank->row = WW_DRAM_NO_ROW;
    raise(&bank->activate, cycle + device->timing.rp);
}

static void issue_activate(ww_dram_device *device, const ww_dram_command *command)
{
    const ww_dram_timing *t = &device->timing;
    ww_dram_bank *bank = &device->bank[command->bank];
    ww_dram_rank *rank = &device->rank[command->bank >> device->rank_bits];
    bank->row = command->row;
    bank->activate = command->cycle + t->rc;
    bank->column = command->cycle + t->rcd;
    bank->precharge = command->cycle + t->ras;
    device->group[command->bank >> device->group_bits][WW_DRAM_ACTIVATE] =
        command->cycle + t->rrd_l;
    rank->window[rank->window_next] = command->cycle + t->faw;
    rank->window_next = (rank->window_next + 1) % 4;
    rank->ready[WW_DRAM_ACTIVATE] =
        later(command->cycle + t->rrd_s, rank->window[rank->window_next]);
}

static void issue_column(ww_dram_device *device, const ww_dram_command *command)
{
    const ww_dram_timing *t = &device->timing;
    bool write = command->op == WW_DRAM_WRITE;
    ww_dram_bank *bank = &device->bank[command->bank];
    uint64_t *group = device->group[command->bank >> device->group_bits];
    uint32_t rank_number = command->bank >> device->rank_bits;
    uint64_t *rank = device->rank[rank_number].ready;
    uint64_t end = command->cycle + (write ? t->cwl : t->cl) + t->burst;
    take_bus(device, rank_number, write, end);
    for (int i = 0; i < 2; i++) {
        raise(&group[i], command->cycle + t->ccd_l);
        raise(&rank[i], command->cycle + t->ccd_s);
    }
    if (write) {
        raise(&group[WW_DRAM_READ], end + t->wtr_l);
        raise(&rank[WW_DRAM_READ], end + t->wtr_s);
    }
    raise(&bank->precharge, write ? end + t->wr : command->cycle + t->rtp);
    if (command->closes)
        close_row(device, bank, bank->precharge);
}

static void issue_to_rank(ww_dram_device *device, const ww_dram_command *command)
{
    for (uint32_t i = 0; i < device->banks; i++) {
        ww_dram_bank *bank = &device->bank[command->bank + i];
        if (command->op == WW_DRAM_REFRESH)
            raise(&bank->activate, command->cycle + device->timing.rfc);
        else if (bank->row != WW_DRAM_NO_ROW)
            close_row(device, bank, command->cycle);
    }
    if (command->op != WW_DRAM_REFRESH)
        return;
    device->rank[command->bank >> device->rank_bits].refresh_due += refresh_interval(device);
    find_first_due(device);
}

/* The turn of the bank `count` places on. */
static void advance_turn(ww_dram_device *device, uint32_t rank, uint64_t count)
{
    ww_dram_rank *r = &device->rank[rank];
    uint32_t first = rank << device->rank_bits;
    r->refresh_bank = first + (uint32_t)((r->refresh_bank - first + count) % device->banks);
    r->refresh_due += count * refresh_interval(device);
    find_first_due(device);
}

void ww_dram_issue(ww_dram_device *device, const ww_dram_command *command)
{
    ww_dram_bank *bank = &device->bank[command->bank];
    switch (command->op) {
    case WW_DRAM_READ:
    case WW_DRAM_WRITE: issue_column(device, command); break;
    case WW_DRAM_ACTIVATE: issue_activate(device, command); break;
    case WW_DRAM_PRECHARGE: close_row(device, bank, command->cycle); break;
    case WW_DRAM_PRECHARGE_ALL:
    case WW_DRAM_REFRESH: issue_to_rank(device, command); break;
    case WW_DRAM_REFRESH_BANK:
        raise(&bank->activate, command->cycle + device->timing.rfc_bank);
        advance_turn(device, command->bank >> device->rank_bits, 1);
        break;
    }
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
    advance_turn(device, rank, count);
    return count;
}
