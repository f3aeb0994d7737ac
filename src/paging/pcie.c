#include "paging/pcie.h"

#include "base/memory.h"
#include "engine/clock.h"

#include <assert.h>

typedef struct transfer_list {
    ww_transfer *first, *last;
} transfer_list;

typedef struct lane {
    ww_pcie *pcie;
    transfer_list waiting;  /* to pass, or passing */
    transfer_list arriving; /* have passed, in their latency */
    ww_timer passed;        /* when the first of `waiting` has passed */
    ww_timer arrived;       /* when the first of `arriving` is done */
    ww_tick start, end;     /* of the last busy period */
    uint64_t period_bytes;  /* sent in it */
} lane;

struct ww_pcie {
    ww_pcie_config config;
    ww_timers *timers;
    lane lanes[WW_PCIE_COUNT]; /* without duplex, only the first is used */
    ww_pcie_counters counters[WW_PCIE_COUNT];
};

/* ---- lists ---- */

static void append(transfer_list *list, ww_transfer *transfer)
{
    transfer->link = NULL;
    if (list->first)
        list->last->link = transfer;
    else
        list->first = transfer;
    list->last = transfer;
}

static uint64_t count_of(const transfer_list *list)
{
    uint64_t count = 0;
    for (const ww_transfer *t = list->first; t; t = t->link)
        count++;
    return count;
}

/* ---- bytes ---- */

static unsigned lane_of(const ww_pcie *pcie, ww_pcie_direction direction)
{
    return pcie->config.duplex ? direction : 0;
}

static uint64_t wire_bytes(const ww_pcie_config *c, uint64_t bytes)
{
    uint64_t packets = bytes ? (bytes + c->payload - 1) / c->payload : 1;
    return bytes + packets * c->header;
}

/* Rounded up. */
static ww_tick ticks_of(const ww_pcie_config *c, uint64_t bytes)
{
    return ww_clock_scale(bytes, c->base_hertz, c->bandwidth - 1, c->bandwidth);
}

/* Adds bytes to the busy period, or starts one; returns when they have passed. */
static ww_tick extend_period(lane *l, uint64_t bytes, ww_tick now)
{
    if (now > l->end) {
        l->start = now;
        l->period_bytes = 0;
    }
    l->period_bytes += bytes;
    l->end = l->start + ticks_of(&l->pcie->config, l->period_bytes);
    return l->end;
}

/* ---- events ---- */

static void await_pass(lane *l)
{
    if (l->waiting.first)
        ww_timer_set(l->pcie->timers, &l->passed, l->waiting.first->end);
}

static void await_arrival(lane *l)
{
    if (l->arriving.first)
        ww_timer_set(l->pcie->timers, &l->arrived, l->arriving.first->due);
}

static void count(ww_pcie *pcie, const ww_transfer *t)
{
    ww_pcie_counters *c = &pcie->counters[t->direction];
    c->transfers++;
    c->bytes += t->bytes;
    c->wire_bytes += wire_bytes(&pcie->config, t->bytes);
    c->busy_ticks += t->end - t->start;
    c->waiting_ticks += t->start - t->sent;
}

/* Transfers arrive in the order in which they passed: their latency is the same. */
static void begin_latency(lane *l, ww_transfer *transfer)
{
    append(&l->arriving, transfer);
    if (l->arriving.first == transfer)
        await_arrival(l);
}

static void pass(void *owner)
{
    lane *l = owner;
    ww_tick now = ww_timers_now(l->pcie->timers);
    for (ww_transfer *t; (t = l->waiting.first) != NULL && t->end <= now;) {
        l->waiting.first = t->link;
        count(l->pcie, t);
        if (t->due > now)
            begin_latency(l, t);
        else
            t->done(t->owner);
    }
    await_pass(l);
}

static void arrive(void *owner)
{
    lane *l = owner;
    ww_tick now = ww_timers_now(l->pcie->timers);
    for (ww_transfer *t; (t = l->arriving.first) != NULL && t->due <= now;) {
        l->arriving.first = t->link;
        t->done(t->owner);
    }
    await_arrival(l);
}

void ww_pcie_send(ww_pcie *pcie, ww_transfer *transfer, bool with_latency)
{
    lane *l = &pcie->lanes[lane_of(pcie, transfer->direction)];
    ww_tick now = ww_timers_now(pcie->timers);
    transfer->sent = now;
    transfer->start = l->end > now ? l->end : now;
    transfer->end = extend_period(l, wire_bytes(&pcie->config, transfer->bytes), now);
    transfer->due = transfer->end + (with_latency ? pcie->config.latency : 0);
    append(&l->waiting, transfer);
    if (l->waiting.first == transfer)
        await_pass(l);
}

ww_tick ww_pcie_ticks(const ww_pcie *pcie, uint64_t bytes)
{
    return ticks_of(&pcie->config, wire_bytes(&pcie->config, bytes));
}

ww_tick ww_pcie_backlog(const ww_pcie *pcie, ww_pcie_direction direction)
{
    ww_tick now = ww_timers_now(pcie->timers), end = pcie->lanes[lane_of(pcie, direction)].end;
    return end > now ? end - now : 0;
}

ww_tick ww_pcie_busy(const ww_pcie *pcie, ww_pcie_direction direction)
{
    ww_tick now = ww_timers_now(pcie->timers);
    const ww_transfer *passing = pcie->lanes[lane_of(pcie, direction)].waiting.first;
    bool counts = passing && passing->direction == direction && passing->start < now;
    return pcie->counters[direction].busy_ticks + (counts ? now - passing->start : 0);
}

const ww_pcie_counters *ww_pcie_count(const ww_pcie *pcie, ww_pcie_direction direction)
{
    return &pcie->counters[direction];
}

/* ---- life ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_pcie *pcie = owner;
    uint64_t waiting = 0, arriving = 0;
    for (unsigned i = 0; i < WW_PCIE_COUNT; i++) {
        waiting += count_of(&pcie->lanes[i].waiting);
        arriving += count_of(&pcie->lanes[i].arriving);
    }
    if (waiting || arriving)
        fprintf(out, "link to the host: %llu transfers wait or pass, %llu more in their latency\n",
                (unsigned long long)waiting, (unsigned long long)arriving);
}

ww_pcie *ww_pcie_create(const ww_pcie_config *config, ww_engine *engine, ww_timers *timers)
{
    assert(config->bandwidth > 0 && config->payload > 0);
    ww_pcie *pcie = ww_calloc(1, sizeof(*pcie));
    pcie->config = *config;
    pcie->timers = timers;
    for (unsigned i = 0; i < WW_PCIE_COUNT; i++) {
        lane *l = &pcie->lanes[i];
        l->pcie = pcie;
        l->passed = (ww_timer){.run = pass, .owner = l};
        l->arrived = (ww_timer){.run = arrive, .owner = l};
    }
    ww_engine_add_explainer(engine, explain, pcie);
    return pcie;
}

void ww_pcie_destroy(ww_pcie *pcie)
{
    if (!pcie)
        return;
    for (unsigned i = 0; i < WW_PCIE_COUNT; i++) {
        ww_timer_clear(pcie->timers, &pcie->lanes[i].passed);
        ww_timer_clear(pcie->timers, &pcie->lanes[i].arrived);
    }
    free(pcie);
}
