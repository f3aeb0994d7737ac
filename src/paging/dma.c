#include "paging/dma.h"

#include "base/memory.h"

typedef struct copy {
    uint64_t next, end; /* physical: the lines that are to be sent */
    uint64_t pending;   /* lines without an answer, sent or not */
    ww_request_kind kind;
    void (*done)(void *owner);
    void *owner;
    struct copy *link; /* in the queue, or in the list of free ones */
} copy;

struct ww_dma {
    ww_task task;
    ww_port replies;
    ww_dma_config config;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_port *network;
    uint32_t all_sectors; /* of a line */
    uint32_t outstanding; /* lines */
    uint16_t source;
    ww_tick sends_from; /* WW_NEVER: paused */
    copy *first, *last; /* the queue: copies with lines to send */
    copy *free;
    ww_arena *copies;
    ww_dma_counters counters;
};

/* ---- sending ---- */

static void send_line(ww_dma *dma, copy *c, ww_tick now)
{
    ww_request *r = ww_request_allocate(dma->pool, now);
    r->address = c->next;
    r->sectors = dma->all_sectors;
    r->kind = (uint8_t)c->kind;
    r->class = WW_CLASS_DMA;
    r->full = c->kind == WW_REQUEST_WRITE;
    r->source = dma->source;
    r->owner = c;
    ww_port_send(dma->network, r, now + 1);
    ++*(r->full ? &dma->counters.writes : &dma->counters.reads);
    dma->outstanding++;
    c->next += dma->config.line;
    if (c->next == c->end)
        dma->first = c->link;
}

/* Wakes the task when it may send. */
static void wake(ww_dma *dma)
{
    ww_tick now = ww_engine_now(dma->engine);
    ww_wake(dma->engine, &dma->task, now > dma->sends_from ? now : dma->sends_from);
}

/* Once a cycle. A reply wakes the task when too many lines are outstanding, the port when it is
 * full. */
static void send_lines(ww_dma *dma, ww_tick now)
{
    for (uint32_t sent = 0; dma->first && dma->outstanding < dma->config.outstanding; sent++) {
        if (now < dma->sends_from) {
            wake(dma);
            return;
        }
        if (!ww_port_has_room(dma->network)) {
            ww_port_wait(dma->network, &dma->task);
            return;
        }
        if (sent == dma->config.lines_per_cycle) {
            ww_wake(dma->engine, &dma->task, ww_clock_after(dma->config.clock, now, 1));
            return;
        }
        send_line(dma, dma->first, now);
    }
}

/* ---- replies ---- */

static void finish(ww_dma *dma, copy *c)
{
    void (*done)(void *) = c->done;
    void *owner = c->owner;
    c->link = dma->free;
    dma->free = c;
    dma->counters.copies++;
    done(owner);
}

static void receive_replies(ww_dma *dma, ww_tick now)
{
    for (ww_request *r; (r = ww_port_peek(&dma->replies)) != NULL;) {
        copy *c = r->owner;
        ww_port_pop(&dma->replies);
        dma->counters.latency_ticks += now - r->made;
        ww_request_free(dma->pool, r);
        dma->outstanding--;
        if (--c->pending == 0)
            finish(dma, c);
    }
}

static void tick(void *owner)
{
    ww_dma *dma = owner;
    ww_tick now = ww_engine_now(dma->engine);
    ww_tick edge = ww_clock_next(dma->config.clock, now);
    if (edge != now) {
        ww_wake(dma->engine, &dma->task, edge);
        return;
    }
    receive_replies(dma, now);
    send_lines(dma, now);
    if (dma->replies.count)
        ww_wake(dma->engine, &dma->task, ww_port_next(&dma->replies));
}

/* ---- copies ---- */

static copy *allocate_copy(ww_dma *dma)
{
    copy *c = dma->free;
    if (!c)
        return ww_arena_alloc(dma->copies, 1, sizeof(*c));
    dma->free = c->link;
    return c;
}

static void add(ww_dma *dma, const copy *what)
{
    assert(what->end > what->next && what->next % dma->config.line == 0 &&
           what->end % dma->config.line == 0);
    copy *c = allocate_copy(dma);
    *c = *what;
    c->pending = (c->end - c->next) / dma->config.line;
    if (dma->first)
        dma->last->link = c;
    else
        dma->first = c;
    dma->last = c;
    wake(dma);
}

void ww_dma_write(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                  void *owner)
{
    add(dma, &(copy){physical, physical + bytes, .kind = WW_REQUEST_WRITE, .done = done,
                     .owner = owner});
}

void ww_dma_read(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                 void *owner)
{
    add(dma,
        &(copy){physical, physical + bytes, .kind = WW_REQUEST_READ, .done = done, .owner = owner});
}

void ww_dma_pause(ww_dma *dma)
{
    dma->sends_from = WW_NEVER;
}

void ww_dma_resume(ww_dma *dma, ww_tick at)
{
    dma->sends_from = at;
    if (dma->first)
        wake(dma);
}

const ww_dma_counters *ww_dma_count(const ww_dma *dma)
{
    return &dma->counters;
}

/* ---- life ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_dma *dma = owner;
    uint64_t lines = 0;
    for (const copy *c = dma->first; c; c = c->link)
        lines += (c->end - c->next) / dma->config.line;
    if (lines || dma->outstanding)
        fprintf(out, "DMA: %llu lines to send%s, %u outstanding%s\n", (unsigned long long)lines,
                dma->sends_from == WW_NEVER ? " (paused)" : "", dma->outstanding,
                ww_port_has_room(dma->network) ? "" : "; the network's queue is full");
}

ww_dma *ww_dma_create(const ww_dma_config *config, ww_engine *engine, ww_request_pool *pool)
{
    assert(config->outstanding > 0 && config->lines_per_cycle > 0);
    ww_dma *dma = ww_calloc(1, sizeof(*dma));
    dma->config = *config;
    dma->engine = engine;
    dma->pool = pool;
    dma->sends_from = WW_NEVER;
    dma->all_sectors = (uint32_t)((1ull << config->line / config->sector) - 1);
    dma->copies = ww_arena_create();
    ww_task_init(engine, &dma->task, WW_PHASE_DISPATCH, tick, dma);
    ww_port_init(&dma->replies, engine, config->outstanding, 1);
    ww_port_connect(&dma->replies, &dma->task);
    ww_engine_add_explainer(engine, explain, dma);
    return dma;
}

void ww_dma_destroy(ww_dma *dma)
{
    if (!dma)
        return;
    ww_sleep(dma->engine, &dma->task);
    ww_port_clear(&dma->replies);
    ww_arena_destroy(dma->copies);
    free(dma);
}

void ww_dma_connect(ww_dma *dma, ww_port *network, uint16_t source)
{
    dma->network = network;
    dma->source = source;
}

ww_port *ww_dma_replies(ww_dma *dma)
{
    return &dma->replies;
}
