#include "mem/dram.h"

#include "base/memory.h"
#include "mem/dram_device.h"
#include "mem/dram_queue.h"
#include "mem/dram_stats.h"
#include "mem/dram_wishes.h"

#include <assert.h>

/* What is issued next if no request arrives before; holds when its cycle is not WW_DRAM_NEVER. */
typedef struct plan {
    ww_dram_command command;
    ww_dram_entry *entry; /* NULL: a refresh */
} plan;

/* What every cycle needs comes first. */
struct ww_dram {
    ww_task task;
    uint64_t next_command; /* the command bus is free from this cycle on */
    bool draining;
    bool planned;           /* `plan` holds */
    unsigned direction;     /* that is to be served */
    ww_dram_wishes *served; /* of the direction for which was planned last */
    uint64_t
        touched; /* banks that had commands of which the other direction's wishes do not know */
    plan plan;
    uint64_t wake_cycle;     /* the cycle that starts at `wake` */
    ww_tick wake;            /* when a read or write may come next, unless requests arrive */
    ww_tick last_arrival;    /* of a reply in `out` */
    ww_request *held, *last; /* replies that wait for room in `out`: a list */
    uint32_t held_reads;     /* of them, that still have a place in the queue */
    uint32_t burst_bytes;
    ww_dram_wiring w;
    ww_dram_config c;
    ww_dram_tally tally;
    ww_dram_counters counters;
    uint64_t *policy_state;
    ww_dram_queue queue;
    ww_dram_device device;
    ww_dram_wishes wishes[2]; /* of reads and of writes */
};

static ww_tick edge(const ww_dram *dram, uint64_t cycle)
{
    return ww_clock_edge(dram->c.clock, cycle);
}

/* ---- replies ---- */

static ww_port *out_of(const ww_dram *dram, const ww_request *request)
{
    return request->class == WW_CLASS_PTE && dram->w.pte_out ? dram->w.pte_out : dram->w.out;
}

static void send(ww_dram *dram, ww_request *request, ww_tick now)
{
    ww_tick arrival = request->since > now ? request->since : now;
    dram->last_arrival = arrival > dram->last_arrival ? arrival : dram->last_arrival;
    ww_port_send(out_of(dram, request), request, dram->last_arrival);
}

/* Its data ends at request->since; it counts in held_reads while it waits for room. */
static void reply(ww_dram *dram, ww_request *request, ww_tick now)
{
    if (!dram->held && ww_port_has_room(out_of(dram, request))) {
        send(dram, request, now);
        return;
    }
    request->link = NULL;
    if (dram->held)
        dram->last->link = request;
    else
        dram->held = request;
    dram->last = request;
    dram->held_reads++;
    ww_port_wait(out_of(dram, dram->held), &dram->task);
}

static void send_held(ww_dram *dram, ww_tick now)
{
    while (dram->held && ww_port_has_room(out_of(dram, dram->held))) {
        ww_request *request = dram->held;
        dram->held = request->link;
        dram->held_reads--;
        send(dram, request, now);
    }
    if (dram->held)
        ww_port_wait(out_of(dram, dram->held), &dram->task);
}

/* ---- arrivals ---- */

static uint32_t bursts_of(const ww_dram *dram, uint32_t sectors)
{
    return ww_dram_bursts_of(sectors, dram->c.sector_bytes, dram->burst_bytes);
}

static bool wants_reply(const ww_request *request)
{
    return request->kind != WW_REQUEST_WRITE || request->class != WW_CLASS_WRITE_BACK;
}

static bool can_accept(const ww_dram *dram, const ww_request *request)
{
    if (request->kind != WW_REQUEST_WRITE)
        return dram->queue.count[WW_DRAM_READ] + dram->held_reads < dram->c.read_entries;
    if (wants_reply(request) && (dram->held || !ww_port_has_room(dram->w.out)))
        return false;
    return dram->queue.count[WW_DRAM_WRITE] < dram->c.write_entries;
}

/* After the queue has changed. */
static void choose_direction(ww_dram *dram)
{
    uint32_t reads = dram->queue.count[WW_DRAM_READ], writes = dram->queue.count[WW_DRAM_WRITE];
    if (writes >= dram->c.write_high)
        dram->draining = true;
    if (writes <= dram->c.write_low)
        dram->draining = false;
    dram->direction = writes && (dram->draining || !reads) ? WW_DRAM_WRITE : WW_DRAM_READ;
}

static void enqueue(ww_dram *dram, const ww_dram_entry *entry)
{
    bool changes = ww_dram_wishes_arrival(&dram->wishes[entry->direction], entry);
    if (changes && entry->direction == dram->served->direction)
        dram->planned = false;
    ww_dram_queue_add(&dram->queue, entry);
    choose_direction(dram);
}

static void accept_write(ww_dram *dram, ww_request *request, ww_dram_entry *entry, ww_tick now)
{
    entry->direction = WW_DRAM_WRITE;
    entry->sectors = request->full ? request->sectors : 0;
    entry->bursts = bursts_of(dram, request->sectors);
    enqueue(dram, entry);
    ww_request_stage(request, WW_STAGE_DRAM_QUEUE, now);
    if (wants_reply(request))
        reply(dram, request, now);
    else
        ww_request_give(dram->w.pool, request);
}

static void accept_read(ww_dram *dram, ww_request *request, ww_dram_entry *entry, ww_tick now)
{
    uint32_t written = ww_dram_queue_written(&dram->queue, entry->bank, entry->line);
    if ((request->sectors & ~written) == 0) {
        dram->counters.forwarded++;
        ww_request_stage(request, WW_STAGE_DRAM_QUEUE, now);
        ww_request_stage(request, WW_STAGE_DRAM, edge(dram, entry->arrived + 1 + dram->c.latency));
        reply(dram, request, now);
        return;
    }
    entry->request = request;
    entry->bursts = bursts_of(dram, request->sectors & ~written);
    enqueue(dram, entry);
}

static void accept(ww_dram *dram, ww_request *request, uint64_t cycle, ww_tick now)
{
    assert(request->kind != WW_REQUEST_ATOMIC && request->sectors);
    ww_dram_place place = ww_dram_map_place(&dram->c.map, request->address);
    ww_dram_entry entry = {
        .line = request->address, .row = place.row, .bank = (uint8_t)place.bank, .arrived = cycle};
    if (request->kind == WW_REQUEST_WRITE)
        accept_write(dram, request, &entry, now);
    else
        accept_read(dram, request, &entry, now);
}

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
    ww_dram_wishes_touch(dram->served, touched << command->bank);
    dram->touched |= touched << command->bank;
}

/* The first command of a refresh that is allowed before `cycle` and before those of other ranks. */
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

/* Refreshes that happened while nothing waited. */
static void make_up(ww_dram *dram, uint64_t cycle)
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

/* ---- what comes next ---- */

/* Another direction is served from a cycle on. */
static void change_direction(ww_dram *dram, uint64_t cycle)
{
    ww_dram_wishes *wishes = &dram->wishes[dram->direction];
    ww_dram_wishes_touch(wishes, dram->touched);
    if (dram->direction == WW_DRAM_WRITE)
        ww_dram_wishes_begin_turn(wishes, cycle);
    dram->touched = 0;
    dram->served = wishes;
}

/* Refreshes a rank if a command for it is allowed up to this cycle. */
static bool plan_refresh(ww_dram *dram, uint64_t cycle)
{
    ww_dram_command refresh = next_refresh(dram, cycle);
    if (refresh.cycle > cycle)
        return false;
    dram->plan.command = refresh;
    dram->plan.entry = NULL;
    return true;
}

/* The first command for those who wait, refreshes among them, from a cycle on. */
static void make_plan(ww_dram *dram, uint64_t cycle)
{
    plan *p = &dram->plan;
    dram->planned = true;
    if (!(dram->queue.count[WW_DRAM_READ] | dram->queue.count[WW_DRAM_WRITE])) {
        p->command.cycle = WW_DRAM_NEVER;
        return;
    }
    cycle = cycle < dram->next_command ? dram->next_command : cycle;
    if (dram->direction != dram->served->direction)
        change_direction(dram, cycle);
    ww_dram_wishes *wishes = dram->served;
    ww_dram_wishes_update(wishes, cycle);
    ww_dram_choice choice = dram->c.scheduler->choose(dram->policy_state, wishes);
    if (dram->device.first_due <= choice.cycle && plan_refresh(dram, choice.cycle))
        return;
    p->entry = wishes->entry[choice.bank];
    p->command = (ww_dram_command){.cycle = choice.cycle,
                                   .row = p->entry->row,
                                   .bank = choice.bank,
                                   .op = ww_dram_wishes_op(wishes, choice.bank)};
}

/* ---- carrying it out ---- */

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
    assert(now == ww_engine_now(dram->w.engine)); /* somebody sees this */
    ww_dram_queue_remove(&dram->queue, entry);
    choose_direction(dram);
    if (!request)
        return;
    ww_request_stage(request, WW_STAGE_DRAM, edge(dram, dram->device.data_end + dram->c.latency));
    reply(dram, request, now);
}

/* A command for a waiting request. */
static void carry_out_for(ww_dram *dram, ww_dram_entry *entry, ww_dram_command *command)
{
    ww_dram_wishes *wishes = dram->served;
    if (!entry->begun)
        begin(dram, entry, command->op, edge(dram, command->cycle));
    bool column = command->op <= WW_DRAM_WRITE;
    if (column && dram->c.closed_page)
        command->closes = ww_dram_queue_is_last(&dram->queue, entry);
    issue(dram, command);
    dram->touched |= UINT64_C(1) << command->bank;
    if (!column) {
        ww_dram_wishes_go_on(wishes, command->bank, command->op);
        return;
    }
    ww_dram_wishes_touch(wishes, UINT64_C(1) << command->bank);
    entry->bursts &= entry->bursts - 1;
    if (!entry->bursts)
        finish(dram, entry, edge(dram, command->cycle));
}

/* Commands before cycle `end`; what is planned anew is planned for `start` or later. */
static void carry_out(ww_dram *dram, uint64_t start, uint64_t end)
{
    for (;;) {
        if (!dram->planned)
            make_plan(dram, start);
        if (dram->plan.command.cycle >= end)
            return;
        dram->planned = false;
        if (dram->plan.entry)
            carry_out_for(dram, dram->plan.entry, &dram->plan.command);
        else
            issue_refresh(dram, &dram->plan.command);
    }
}

/* Commands before a cycle, which nobody has seen. */
static void catch_up(ww_dram *dram, uint64_t cycle)
{
    if (dram->plan.command.cycle < cycle)
        carry_out(dram, 0, cycle);
}

/* The first cycle at which somebody may see something, unless requests arrive: that of the next read or write, or an
 * earlier one when that depends on commands before it. */
static uint64_t next_seen(const ww_dram *dram)
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

/* ---- the task ---- */

static void take_arrivals(ww_dram *dram, uint64_t cycle, ww_tick now)
{
    ww_request *request;
    while ((request = ww_port_peek(dram->w.in)) != NULL && can_accept(dram, request)) {
        if (!dram->queue.count[WW_DRAM_READ] && !dram->queue.count[WW_DRAM_WRITE])
            make_up(dram, cycle);
        ww_port_pop(dram->w.in);
        accept(dram, request, cycle, now);
    }
    if (dram->direction != dram->served->direction)
        dram->planned = false;
}

/* When the next arrival can be taken, as far as is known in a cycle, if that is before `wake`. */
static ww_tick next_arrival(ww_dram *dram, uint64_t cycle)
{
    const ww_request *request = ww_port_peek(dram->w.in);
    if (!request) {
        ww_tick next = ww_port_next(dram->w.in);
        return next >= dram->wake ? WW_NEVER : ww_clock_next(dram->c.clock, next);
    }
    if (can_accept(dram, request))
        return edge(dram, cycle + 1);
    if (request->kind == WW_REQUEST_WRITE && wants_reply(request))
        ww_port_wait(dram->w.out, &dram->task);
    return WW_NEVER;
}

static void run_cycle(ww_dram *dram, uint64_t cycle, ww_tick now)
{
    catch_up(dram, cycle);
    take_arrivals(dram, cycle, now);
    if (!dram->planned || dram->plan.command.cycle == cycle)
        carry_out(dram, cycle, cycle + 1);
    dram->wake_cycle = next_seen(dram);
    dram->wake = dram->wake_cycle == WW_DRAM_NEVER ? WW_NEVER : edge(dram, dram->wake_cycle);
}

static void run(void *owner)
{
    ww_dram *dram = owner;
    ww_tick now = ww_engine_now(dram->w.engine);
    bool expected = dram->wake == now;
    uint64_t cycle = expected ? dram->wake_cycle : ww_clock_cycle(dram->c.clock, now);
    send_held(dram, now);
    if (expected || edge(dram, cycle) == now)
        run_cycle(dram, cycle, now);
    ww_tick arrival = next_arrival(dram, cycle);
    ww_tick wake = arrival < dram->wake ? arrival : dram->wake;
    if (wake != WW_NEVER)
        ww_wake(dram->w.engine, &dram->task, wake);
}

static void explain(const void *owner, FILE *out)
{
    const ww_dram *dram = owner;
    const uint32_t *count = dram->queue.count;
    if (!count[WW_DRAM_READ] && !count[WW_DRAM_WRITE] && !dram->held_reads)
        return;
    fprintf(out, "DRAM channel %u: %u reads and %u writes wait, %u replies find no room above\n",
            dram->w.index, count[WW_DRAM_READ], count[WW_DRAM_WRITE], dram->held_reads);
}

uint32_t ww_dram_flight(const ww_dram_config *config)
{
    const ww_dram_timing *t = &config->type.timing;
    return (t->cl + t->burst + config->latency) / t->burst + 1;
}

ww_dram *ww_dram_create(const ww_dram_config *config, const ww_dram_wiring *wiring)
{
    ww_dram *dram = ww_calloc(1, sizeof(*dram));
    dram->c = *config;
    dram->w = *wiring;
    dram->planned = true;
    dram->wake = WW_NEVER;
    dram->plan.command.cycle = WW_DRAM_NEVER;
    dram->burst_bytes = ww_dram_burst_bytes(&config->type);
    ww_dram_device_init(&dram->device, &config->type);
    ww_dram_queue_init(&dram->queue, config->read_entries + config->write_entries);
    dram->policy_state = ww_calloc(1, config->scheduler->policy.state_size + 1);
    config->scheduler->start(dram->policy_state, config->config);
    for (unsigned direction = 0; direction < 2; direction++)
        dram->wishes[direction] =
            (ww_dram_wishes){.queue = &dram->queue,
                             .device = &dram->device,
                             .direction = direction,
                             .patience = config->scheduler->patience(dram->policy_state)};
    dram->served = &dram->wishes[WW_DRAM_READ];
    ww_task_init(wiring->engine, &dram->task, WW_PHASE_DRAM, run, dram);
    ww_port_connect(wiring->in, &dram->task);
    ww_engine_add_explainer(wiring->engine, explain, dram);
    return dram;
}

void ww_dram_destroy(ww_dram *dram)
{
    if (!dram)
        return;
    ww_dram_queue_clear(&dram->queue);
    free(dram->policy_state);
    free(dram);
}

/* ---- statistics ---- */

void ww_dram_settle(ww_dram *dram, ww_tick elapsed)
{
    ww_tick now = ww_engine_now(dram->w.engine);
    uint64_t cycle = ww_clock_cycle(dram->c.clock, now);
    catch_up(dram, edge(dram, cycle) < now ? cycle + 1 : cycle);
    if (!dram->queue.count[WW_DRAM_READ] && !dram->queue.count[WW_DRAM_WRITE])
        make_up(dram, cycle);
    ww_dram_count(&dram->counters, &dram->tally, &dram->c.type);
    dram->counters.cycles = ww_clock_cycle(dram->c.clock, elapsed);
}

uint64_t ww_dram_bytes(const ww_dram *dram)
{
    const uint64_t *commands = dram->tally.commands;
    return (commands[WW_DRAM_READ] + commands[WW_DRAM_WRITE]) * dram->burst_bytes;
}

const ww_dram_counters *ww_dram_get_counters(const ww_dram *dram)
{
    return &dram->counters;
}
