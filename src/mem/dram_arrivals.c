#include "mem/dram_internal.h"

#include <assert.h>

/* Replies that wait for a full `out` keep their queue entries. ww_blame_use_bus counts the bus. */
void ww_dram_note_blame(ww_dram *dram, ww_tick now)
{
    const ww_blame_clock *follows = dram->held ? dram->w.out->blame : NULL;
    ww_blame_wait(&dram->blame, follows,
                  ww_dram_is_idle(dram) ? WW_CAUSE_DRAM_LATENCY : WW_CAUSE_DRAM_BANK, now);
}

/* ---- replies ---- */

static ww_port *out_of(const ww_dram *dram, const ww_request *request)
{
    bool past_l2 =
        request->class == WW_CLASS_PTE && dram->w.pte_out && request->source == dram->w.pte_source;
    return past_l2 ? dram->w.pte_out : dram->w.out;
}

static void send(ww_dram *dram, ww_request *request, ww_tick now)
{
    ww_tick arrival = request->since > now ? request->since : now;
    dram->last_arrival = arrival > dram->last_arrival ? arrival : dram->last_arrival;
    ww_port_send(out_of(dram, request), request, dram->last_arrival);
}

void ww_dram_reply(ww_dram *dram, ww_request *request, ww_tick now)
{
    ww_request_leave(request, &dram->blame, WW_CAUSE_DRAM_LATENCY, now);
    ww_request_join(request, out_of(dram, request)->blame, WW_CAUSE_DRAM_LATENCY, now);
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

void ww_dram_send_held(ww_dram *dram, ww_tick now)
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

void ww_dram_choose_direction(ww_dram *dram)
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
    bool changes = ww_dram_next_note_arrival(&dram->next[entry->direction], entry);
    if (changes && entry->direction == dram->served->direction)
        dram->planned = false;
    ww_dram_queue_add(&dram->queue, entry);
    ww_dram_choose_direction(dram);
}

static void accept_write(ww_dram *dram, ww_request *request, ww_dram_entry *entry, ww_tick now)
{
    entry->direction = WW_DRAM_WRITE;
    entry->sectors = request->full ? request->sectors : 0;
    entry->bursts = bursts_of(dram, request->sectors);
    enqueue(dram, entry);
    ww_request_stage(request, WW_STAGE_DRAM_QUEUE, now);
    if (wants_reply(request))
        ww_dram_reply(dram, request, now);
    else
        ww_request_free(dram->w.pool, request);
}

static void accept_read(ww_dram *dram, ww_request *request, ww_dram_entry *entry, ww_tick now)
{
    uint32_t written = ww_dram_queue_written(&dram->queue, entry->bank, entry->line);
    if ((request->sectors & ~written) == 0) {
        dram->counters.forwarded++;
        ww_request_stage(request, WW_STAGE_DRAM_QUEUE, now);
        ww_request_stage(request, WW_STAGE_DRAM,
                         ww_dram_edge(dram, entry->arrived + 1 + dram->c.latency));
        ww_dram_reply(dram, request, now);
        return;
    }
    entry->request = request;
    entry->bursts = bursts_of(dram, request->sectors & ~written);
    if (request->class == WW_CLASS_PTE)
        dram->counters.pte_bytes += (uint64_t)__builtin_popcount(entry->bursts) * dram->burst_bytes;
    enqueue(dram, entry);
}

static void accept(ww_dram *dram, ww_request *request, uint64_t cycle, ww_tick now)
{
    assert(request->kind != WW_REQUEST_ATOMIC && request->sectors);
    ww_dram_address address = ww_dram_map_address(&dram->c.map, request->address);
    ww_dram_entry entry = {.line = request->address,
                           .row = address.row,
                           .bank = (uint8_t)address.bank,
                           .arrived = cycle};
    if (dram->c.scheduler->rank)
        entry.rank = dram->c.scheduler->rank(dram->policy_state, request);
    if (request->kind == WW_REQUEST_WRITE)
        accept_write(dram, request, &entry, now);
    else
        accept_read(dram, request, &entry, now);
}

void ww_dram_accept_arrivals(ww_dram *dram, uint64_t cycle, ww_tick now)
{
    ww_request *request;
    while ((request = ww_port_arrived(dram->w.in, now)) != NULL && can_accept(dram, request)) {
        if (ww_dram_is_idle(dram))
            ww_dram_issue_idle_refreshes(dram, cycle);
        ww_port_pop(dram->w.in);
        accept(dram, request, cycle, now);
    }
    if (dram->direction != dram->served->direction)
        dram->planned = false;
}

ww_tick ww_dram_arrival_time(ww_dram *dram, uint64_t cycle, ww_tick now)
{
    const ww_request *request = ww_port_arrived(dram->w.in, now);
    if (!request) {
        ww_tick next = ww_port_next(dram->w.in);
        return next >= dram->wake ? WW_NEVER : ww_clock_next(dram->c.clock, next);
    }
    if (can_accept(dram, request))
        return ww_dram_edge(dram, cycle + 1);
    if (request->kind == WW_REQUEST_WRITE && wants_reply(request))
        ww_port_wait(dram->w.out, &dram->task);
    return WW_NEVER;
}
