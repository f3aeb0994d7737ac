#include "mem/reorder.h"

#include "base/memory.h"
#include "mem/mem.h"

#include <inttypes.h>

typedef struct entry {
    const ww_request *request;
    ww_tick replied; /* WW_NEVER: not yet */
} entry;

struct ww_reorder {
    ww_task task;
    ww_engine *engine;
    ww_reorder_config config;
    ww_reorder_wiring wiring;
    ww_port in, replies;
    entry *entries; /* a ring */
    uint32_t first, count;
    const ww_request *refused; /* the last request that found no free entry */
    ww_reorder_counters counters;
};

static entry *entry_at(const ww_reorder *b, uint32_t index)
{
    uint32_t at = b->first + index;
    return &b->entries[at < b->config.entries ? at : at - b->config.entries];
}

static void accept_replies(ww_reorder *b, ww_tick now)
{
    for (const ww_request *r; (r = ww_port_peek(&b->replies)) != NULL; ww_port_pop(&b->replies)) {
        uint32_t i = 0;
        while (entry_at(b, i)->request != r)
            i++;
        entry_at(b, i)->replied = now;
    }
}

static ww_port *out_of(const ww_reorder *b, const ww_request *request)
{
    return b->wiring.outs[b->wiring.route(b->wiring.context, request)];
}

static void count_wait(ww_reorder_counters *c, ww_tick wait)
{
    c->held += wait > 0;
    c->held_ticks += wait;
}

/* Sends the replies that can leave; whether the head could leave in the next cycle. */
static bool send_replies(ww_reorder *b, uint64_t cycle, ww_tick now)
{
    ww_tick arrival = ww_clock_edge(b->config.clock, cycle + b->config.latency);
    for (uint32_t n = 0; b->count && entry_at(b, 0)->replied != WW_NEVER; n++) {
        const entry *head = entry_at(b, 0);
        ww_port *out = out_of(b, head->request);
        if (n == b->config.width)
            return true;
        if (!ww_port_has_room(out)) {
            ww_port_wait(out, &b->task);
            return false;
        }
        count_wait(&b->counters, now - head->replied);
        ww_port_send(out, (void *)(uintptr_t)head->request, arrival);
        b->first = b->first + 1 < b->config.entries ? b->first + 1 : 0;
        b->count--;
    }
    return false;
}

static void count_refusal(ww_reorder *b, const ww_request *request)
{
    b->counters.full += request != b->refused;
    b->refused = request;
}

/* Starts the requests that can; whether the next one could in the next cycle. */
static bool start_requests(ww_reorder *b, uint64_t cycle)
{
    ww_tick arrival = ww_clock_edge(b->config.clock, cycle + b->config.latency);
    uint32_t n = 0;
    for (ww_request *r; (r = ww_port_peek(&b->in)) != NULL; n++) {
        if (n == b->config.width)
            return true;
        if (b->count == b->config.entries) {
            count_refusal(b, r);
            return false;
        }
        if (!ww_port_has_room(b->wiring.cache)) {
            ww_port_wait(b->wiring.cache, &b->task);
            return false;
        }
        ww_port_pop(&b->in);
        *entry_at(b, b->count++) = (entry){r, WW_NEVER};
        b->counters.requests++;
        ww_port_send(b->wiring.cache, r, arrival);
    }
    return false;
}

static void wake_at(ww_reorder *b, ww_tick tick)
{
    if (tick != WW_NEVER)
        ww_wake(b->engine, &b->task, ww_clock_next(b->config.clock, tick));
}

/* At the edges of its clock. An entry that becomes free serves a request in the same cycle. */
static void run(void *owner)
{
    ww_reorder *b = owner;
    ww_tick now = ww_engine_now(b->engine);
    if (ww_clock_next(b->config.clock, now) != now) {
        wake_at(b, now);
        return;
    }
    uint64_t cycle = ww_clock_cycle(b->config.clock, now);
    accept_replies(b, now);
    bool more = send_replies(b, cycle, now);
    more |= start_requests(b, cycle);
    if (more)
        wake_at(b, now + 1);
    if (ww_port_next(&b->in) > now)
        wake_at(b, ww_port_next(&b->in));
    wake_at(b, ww_port_next(&b->replies));
}

static void explain(const void *owner, FILE *out)
{
    const ww_reorder *b = owner;
    if (b->count || b->in.count)
        fprintf(out,
                "reorder buffer of a scalar cache: %" PRIu32 " requests in it, %" PRIu32
                " wait before it; the oldest %s\n",
                b->count, b->in.count,
                b->count && entry_at(b, 0)->replied != WW_NEVER ? "has its reply"
                                                                : "waits for its reply");
}

ww_reorder *ww_reorder_create(const ww_reorder_config *config, ww_engine *engine)
{
    ww_reorder *b = ww_calloc(1, sizeof(*b));
    b->config = *config;
    b->engine = engine;
    b->entries = ww_calloc(config->entries, sizeof(*b->entries));
    ww_task_init(engine, &b->task, WW_PHASE_TRANSLATION, run, b);
    ww_port_init(&b->in, engine, config->queue, config->producers);
    ww_port_init(&b->replies, engine, config->entries, 1);
    ww_port_connect(&b->in, &b->task);
    ww_port_connect(&b->replies, &b->task);
    ww_engine_add_explainer(engine, explain, b);
    return b;
}

void ww_reorder_connect(ww_reorder *b, const ww_reorder_wiring *wiring)
{
    b->wiring = *wiring;
    /* The cache ends this wait when it looks the request up: the buffer has no cause of its own. */
    b->in.blame = wiring->cache->blame;
}

void ww_reorder_destroy(ww_reorder *b)
{
    ww_sleep(b->engine, &b->task);
    ww_port_clear(&b->in);
    ww_port_clear(&b->replies);
    free(b->entries);
    free(b);
}

ww_port *ww_reorder_in(ww_reorder *b)
{
    return &b->in;
}

ww_port *ww_reorder_replies(ww_reorder *b)
{
    return &b->replies;
}

const ww_reorder_counters *ww_reorder_count(const ww_reorder *b)
{
    return &b->counters;
}
