#include "paging/dma.h"

#include "base/memory.h"

typedef struct job {
    uint64_t next, end; /* physical addresses of lines to be sent */
    uint64_t missing;   /* answers */
    ww_request_kind kind;
    void (*done)(void *owner);
    void *owner;
    struct job *link;
} job;

struct ww_dma {
    ww_task task;
    ww_port replies;
    ww_dma_config config;
    ww_engine *engine;
    ww_request_pool *pool;
    ww_port *out;
    uint16_t source;
    uint32_t in_flight;
    uint64_t cycle; /* in which the last request was sent */
    bool paused;
    job *first, *last; /* with lines to send */
    job *free;
    WW_VEC(job *) all;
};

static void receive(ww_dma *dma)
{
    for (ww_request *r; (r = ww_port_peek(&dma->replies)) != NULL;) {
        job *it = r->owner;
        ww_port_pop(&dma->replies);
        ww_request_free(dma->pool, r);
        dma->in_flight--;
        if (--it->missing)
            continue;
        it->link = dma->free;
        dma->free = it;
        it->done(it->owner);
    }
    if (dma->replies.count)
        ww_wake(dma->engine, &dma->task, ww_port_next(&dma->replies));
}

static void send_line(ww_dma *dma, ww_tick now)
{
    job *it = dma->first;
    ww_request *r = ww_request_allocate(dma->pool, now);
    r->address = it->next;
    r->sectors = (uint32_t)((1ull << (dma->config.line / dma->config.sector)) - 1);
    r->kind = (uint8_t)it->kind;
    r->class = WW_CLASS_DMA;
    r->full = it->kind == WW_REQUEST_WRITE;
    r->source = dma->source;
    r->owner = it;
    ww_port_send(dma->out, r, now + 1);
    dma->in_flight++;
    it->next += dma->config.line;
    if (it->next == it->end)
        dma->first = it->link;
}

/* One line a cycle. */
static void send(ww_dma *dma, ww_tick now)
{
    if (!dma->first || dma->paused || dma->in_flight == dma->config.outstanding)
        return; /* a job, the next launch or an answer wakes it */
    uint64_t cycle = ww_clock_cycle(dma->config.clock, now);
    ww_tick next = ww_clock_after(dma->config.clock, now, 1);
    if (cycle != dma->cycle) {
        if (!ww_port_has_room(dma->out)) {
            ww_port_wait(dma->out, &dma->task);
            return;
        }
        dma->cycle = cycle;
        send_line(dma, now);
    }
    if (dma->first)
        ww_wake(dma->engine, &dma->task, next);
}

static void tick(void *owner)
{
    ww_dma *dma = owner;
    receive(dma);
    send(dma, ww_engine_now(dma->engine));
}

static void add(ww_dma *dma, const job *what, uint64_t lines)
{
    job *it = dma->free;
    if (it) {
        dma->free = it->link;
    } else {
        it = ww_calloc(1, sizeof(*it));
        ww_vec_push(&dma->all, it);
    }
    *it = *what;
    it->missing = lines;
    if (dma->first)
        dma->last->link = it;
    else
        dma->first = it;
    dma->last = it;
    ww_wake(dma->engine, &dma->task, ww_engine_now(dma->engine));
}

static void start(ww_dma *dma, uint64_t physical, uint64_t bytes, ww_request_kind kind,
                  void (*done)(void *owner), void *owner)
{
    job what = {
        .next = physical, .end = physical + bytes, .kind = kind, .done = done, .owner = owner};
    add(dma, &what, bytes / dma->config.line);
}

void ww_dma_write(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                  void *owner)
{
    start(dma, physical, bytes, WW_REQUEST_WRITE, done, owner);
}

void ww_dma_read(ww_dma *dma, uint64_t physical, uint64_t bytes, void (*done)(void *owner),
                 void *owner)
{
    start(dma, physical, bytes, WW_REQUEST_READ, done, owner);
}

void ww_dma_pause(ww_dma *dma)
{
    dma->paused = true;
}

void ww_dma_resume(ww_dma *dma, ww_tick at)
{
    dma->paused = false;
    if (dma->first)
        ww_wake(dma->engine, &dma->task, at);
}

static void explain(const void *owner, FILE *out)
{
    const ww_dma *dma = owner;
    if (dma->in_flight || dma->first)
        fprintf(out, "DMA: %u requests outstanding\n", dma->in_flight);
}

ww_dma *ww_dma_create(const ww_dma_config *config, ww_engine *engine, ww_request_pool *pool)
{
    ww_dma *dma = ww_calloc(1, sizeof(*dma));
    dma->config = *config;
    dma->engine = engine;
    dma->pool = pool;
    dma->cycle = UINT64_MAX;
    dma->paused = true;
    ww_task_init(engine, &dma->task, WW_PHASE_TRANSLATION, tick, dma);
    ww_port_init(&dma->replies, engine, config->outstanding, 1);
    ww_port_connect(&dma->replies, &dma->task);
    ww_engine_add_explainer(engine, explain, dma);
    return dma;
}

void ww_dma_destroy(ww_dma *dma)
{
    if (!dma)
        return;
    for (size_t i = 0; i < dma->all.count; i++)
        free(dma->all.items[i]);
    ww_vec_free(&dma->all);
    ww_port_clear(&dma->replies);
    free(dma);
}

void ww_dma_connect(ww_dma *dma, ww_port *out, uint16_t source)
{
    dma->out = out;
    dma->source = source;
}

ww_port *ww_dma_replies(ww_dma *dma)
{
    return &dma->replies;
}
