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
    for (uint32_t i = 0; i < WW_DRAM_BANKS; i++)
        device->bank[i].row = WW_DRAM_NO_ROW;
    for (uint32_t i = 0; i < type->ranks; i++) {
        ww_dram_rank *rank = &device->rank[i];
        rank->refresh_bank = i * type->banks;
        rank->refresh_due = refresh_interval(device) * (i + 1) / type->ranks;
        if (type->refresh == WW_DRAM_REFRESH_NONE)
            rank->refresh_due = WW_DRAM_NEVER;
    }
    device->columns_for = WW_DRAM_ACTIVATE;
    find_first_due(device);
}

/* When a read or write may come so that its data finds the data bus free. */
static uint64_t bus_ready(const ww_dram_device *device, bool write, uint32_t rank)
{
    const ww_dram_timing *t = &device->timing;
    uint64_t gap = device->data_rank != rank ? t->rtrs : 0;
    if (write && !device->data_written)
        gap = later(gap, t->bta);
    uint64_t latency = write ? t->cwl : t->cl, start = device->data_end + gap;
    return device->data_end && start > latency ? start - latency : 0;
}

void ww_dram_prepare_columns(ww_dram_device *device, unsigned direction)
{
    uint32_t groups = device->ranks << device->rank_bits >> device->group_bits;
    uint32_t per_rank_bits = device->rank_bits - device->group_bits;
    if (device->columns_for == direction)
        return;
    device->columns_for = direction;
    for (uint32_t group = 0; group < groups; group++) {
        uint32_t rank = group >> per_rank_bits;
        uint64_t bus = bus_ready(device, direction == WW_DRAM_WRITE, rank);
        uint64_t rank_ready = device->rank[rank].column[direction];
        device->column_ready[group] =
            later(later(bus, rank_ready), device->group[group].column[direction]);
    }
}

/* After an activate of the rank. */
static void prepare_activates(ww_dram_device *device, uint32_t rank)
{
    const ww_dram_rank *r = &device->rank[rank];
    uint32_t per_rank_bits = device->rank_bits - device->group_bits;
    uint64_t rank_ready = later(r->activate, r->window[r->window_next]);
    for (uint32_t i = rank << per_rank_bits; i < (rank + 1) << per_rank_bits; i++)
        device->activate_ready[i] = later(rank_ready, device->group[i].activate);
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
    device->group[command->bank >> device->group_bits].activate = command->cycle + t->rrd_l;
    rank->activate = command->cycle + t->rrd_s;
    rank->window[rank->window_next] = command->cycle + t->faw;
    rank->window_next = (rank->window_next + 1) % 4;
    prepare_activates(device, command->bank >> device->rank_bits);
}

static void issue_column(ww_dram_device *device, const ww_dram_command *command)
{
    const ww_dram_timing *t = &device->timing;
    bool write = command->op == WW_DRAM_WRITE;
    ww_dram_bank *bank = &device->bank[command->bank];
    ww_dram_group *group = &device->group[command->bank >> device->group_bits];
    ww_dram_rank *rank = &device->rank[command->bank >> device->rank_bits];
    uint64_t end = command->cycle + (write ? t->cwl : t->cl) + t->burst;
    for (int i = 0; i < 2; i++) {
        raise(&group->column[i], command->cycle + t->ccd_l);
        raise(&rank->column[i], command->cycle + t->ccd_s);
    }
    if (write) {
        raise(&group->column[WW_DRAM_READ], end + t->wtr_l);
        raise(&rank->column[WW_DRAM_READ], end + t->wtr_s);
    }
    raise(&bank->precharge, write ? end + t->wr : command->cycle + t->rtp);
    device->data_end = end;
    device->data_rank = command->bank >> device->rank_bits;
    device->data_written = write;
    device->columns_for = WW_DRAM_ACTIVATE;
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
