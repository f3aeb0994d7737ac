#include "mem/dram_internal.h"

#include <assert.h>

/* ---- commands ---- */

static inline void issue(ww_dram *dram, const ww_dram_command *command)
{
    ww_dram_issue(&dram->device, command);
    dram->tally.commands[command->op]++;
    dram->next_command = command->cycle + 1;
    if (dram->w.trace)
        dram->w.trace(dram->w.trace_owner, command);
}

static void issue_refresh(ww_dram *dram, const ww_dram_command *command)
{
    bool of_rank = command->op == WW_DRAM_REFRESH || command->op == WW_DRAM_PRECHARGE_ALL;
    uint64_t touched = of_rank ? UINT64_MAX >> (64 - dram->device.banks) : 1;
    issue(dram, command);
    ww_dram_next_invalidate(dram->served, touched << command->bank);
    dram->touched |= touched << command->bank;
}

/* Of the ranks whose refresh is due by `cycle`: the refresh command that is allowed first. */
static ww_dram_command next_refresh(const ww_dram *dram, uint64_t cycle)
{
    ww_dram_command best = {.cycle = WW_DRAM_NEVER};
    for (uint32_t rank = 0; rank < dram->device.ranks; rank++) {
        if (dram->device.rank[rank].refresh_due > cycle)
            continue;
        ww_dram_command step = ww_dram_refresh_step(&dram->device, rank);
        if (step.cycle < dram->next_command)
            step.cycle = dram->next_command;
        if (step.cycle < best.cycle)
            best = step;
    }
    return best;
}

void ww_dram_issue_idle_refreshes(ww_dram *dram, uint64_t cycle)
{
    while (dram->device.first_due < cycle) {
        for (uint32_t rank = 0; rank < dram->device.ranks; rank++)
            dram->tally.commands[WW_DRAM_REFRESH] +=
                ww_dram_refresh_skip(&dram->device, rank, cycle);
        ww_dram_command step = next_refresh(dram, cycle);
        if (step.cycle >= cycle)
            return;
        issue_refresh(dram, &step);
    }
}

/* ---- which command is next ---- */

/* Changes between reads and writes at a cycle. */
static void change_direction(ww_dram *dram, uint64_t cycle)
{
    ww_dram_next *next = &dram->next[dram->direction];
    ww_dram_next_invalidate(next, dram->touched);
    if (dram->direction == WW_DRAM_WRITE)
        ww_dram_next_begin_writes(next, cycle);
    dram->touched = 0;
    dram->served = next;
}

/* Plans a refresh command if one is allowed by this cycle. */
static bool plan_refresh(ww_dram *dram, uint64_t cycle)
{
    ww_dram_command refresh = next_refresh(dram, cycle);
    if (refresh.cycle > cycle)
        return false;
    dram->plan.command = refresh;
    dram->plan.entry = NULL;
    return true;
}

/* Plans the first command, refreshes included, from a cycle on. */
static void make_plan(ww_dram *dram, uint64_t cycle)
{
    ww_dram_plan *p = &dram->plan;
    dram->planned = true;
    if (ww_dram_is_idle(dram)) {
        p->command.cycle = WW_DRAM_NEVER;
        return;
    }
    cycle = cycle < dram->next_command ? dram->next_command : cycle;
    if (dram->direction != dram->served->direction)
        change_direction(dram, cycle);
    ww_dram_next *next = dram->served;
    ww_dram_next_update(next, cycle);
    ww_dram_choice choice = dram->c.scheduler->choose(dram->policy_state, next);
    if (dram->device.first_due <= choice.cycle && plan_refresh(dram, choice.cycle))
        return;
    p->entry = next->entry[choice.bank];
    p->command = (ww_dram_command){.cycle = choice.cycle,
                                   .row = p->entry->row,
                                   .bank = choice.bank,
                                   .op = ww_dram_next_op(next, choice.bank)};
    if (p->entry->request)
        ww_request_prefetch(p->entry->request); /* it is needed when the command issues */
}

/* ---- issuing it ---- */

static void begin(ww_dram *dram, ww_dram_entry *entry, ww_dram_op op, ww_tick now)
{
    entry->begun = true;
    dram->tally.begun[entry->direction][op]++;
    if (entry->request)
        ww_request_stage(entry->request, WW_STAGE_DRAM_QUEUE, now);
}

static void finish(ww_dram *dram, ww_dram_entry *entry, ww_tick now)
{
    ww_request *request = entry->request;
    assert(now == ww_engine_now(dram->w.engine)); /* a reply is observable */
    ww_dram_queue_remove(&dram->queue, entry);
    ww_dram_choose_direction(dram);
    if (!request)
        return;
    ww_request_stage(request, WW_STAGE_DRAM,
                     ww_dram_edge(dram, dram->device.data_end + dram->c.latency));
    ww_dram_reply(dram, request, now);
}

/* Issues a command for a waiting request. */
static void issue_for(ww_dram *dram, ww_dram_entry *entry, ww_dram_command *command)
{
    ww_dram_next *next = dram->served;
    if (!entry->begun)
        begin(dram, entry, command->op, ww_dram_edge(dram, command->cycle));
    bool column = command->op <= WW_DRAM_WRITE;
    if (column && dram->c.closed_page)
        command->closes = ww_dram_queue_is_last(&dram->queue, entry);
    issue(dram, command);
    dram->touched |= UINT64_C(1) << command->bank;
    if (!column) {
        ww_dram_next_advance(next, command->bank, command->op);
        return;
    }
    ww_tick now = ww_dram_edge(dram, command->cycle);
    ww_blame_use_bus(&dram->blame, dram->burst_ticks, now);
    ww_dram_next_invalidate(next, UINT64_C(1) << command->bank);
    entry->bursts &= entry->bursts - 1;
    if (!entry->bursts)
        finish(dram, entry, now);
}

void ww_dram_issue_commands(ww_dram *dram, uint64_t start, uint64_t end)
{
    for (;;) {
        if (!dram->planned)
            make_plan(dram, start);
        if (dram->plan.command.cycle >= end)
            return;
        dram->planned = false;
        if (dram->plan.entry)
            issue_for(dram, dram->plan.entry, &dram->plan.command);
        else
            issue_refresh(dram, &dram->plan.command);
    }
}

void ww_dram_catch_up(ww_dram *dram, uint64_t cycle)
{
    if (dram->plan.command.cycle < cycle)
        ww_dram_issue_commands(dram, 0, cycle);
}

uint64_t ww_dram_first_observable(const ww_dram *dram)
{
    const ww_dram_command *next = &dram->plan.command;
    if (next->cycle == WW_DRAM_NEVER || next->op <= WW_DRAM_WRITE)
        return next->cycle;
    const ww_dram_device *device = &dram->device;
    uint64_t soonest = next->cycle + 1, data_start = device->data_start[dram->served->direction];
    if (!dram->served->columns && device->timing.rcd) /* a row has to be opened first */
        soonest = next->cycle + device->timing.rcd;
    return device->data_end > soonest + data_start ? device->data_end - data_start : soonest;
}
