#include "paging/remote.h"

#include "base/memory.h"

/* A request on its way. */
typedef struct access {
    ww_transfer transfer;
    ww_timer timer;
    ww_remote *remote;
    ww_request *request;
    struct access *next; /* free, or answered and waiting for its network */
} access;

struct ww_remote {
    ww_task task;
    ww_port in;
    ww_engine *engine;
    ww_remote_config config;
    ww_timers *timers;
    ww_pcie *pcie;
    ww_port **outs;
    uint32_t sources;
    access *accesses, *free;
    access *answered, *last_answered;
    uint64_t count;
};

static uint64_t data_bytes(const ww_remote *r, const ww_request *request)
{
    return (uint64_t)__builtin_popcount(request->sectors) * r->config.sector;
}

/* ---- the way back ---- */

static void answer(void *owner)
{
    access *it = owner;
    ww_remote *r = it->remote;
    it->next = NULL;
    if (r->answered)
        r->last_answered->next = it;
    else
        r->answered = it;
    r->last_answered = it;
    ww_wake(r->engine, &r->task, ww_engine_now(r->engine));
}

static void send_back(void *owner)
{
    access *it = owner;
    ww_remote *r = it->remote;
    it->transfer = (ww_transfer){.bytes = data_bytes(r, it->request),
                                 .direction = WW_PCIE_TO_GPU,
                                 .done = answer,
                                 .owner = it};
    ww_pcie_send(r->pcie, &it->transfer, true);
}

/* It is at the host: a write has taken effect, data of others comes back. */
static void reach_host(void *owner)
{
    access *it = owner;
    ww_remote *r = it->remote;
    it->timer =
        (ww_timer){.run = it->request->kind == WW_REQUEST_WRITE ? answer : send_back, .owner = it};
    ww_timer_set(r->timers, &it->timer, ww_timers_now(r->timers) + r->config.memory_ticks);
}

static void reply(ww_remote *r, ww_tick now)
{
    for (access *it; (it = r->answered) != NULL;) {
        ww_port *out = r->outs[it->request->source / r->sources];
        if (!ww_port_has_room(out)) {
            ww_port_wait(out, &r->task);
            return;
        }
        r->answered = it->next;
        ww_request_stage(it->request, WW_STAGE_HOST, now + 1);
        ww_request_leave(it->request, NULL, WW_CAUSE_PAGING, now);
        ww_request_join(it->request, out->blame, WW_CAUSE_NETWORK, now);
        ww_port_send(out, it->request, now + 1);
        it->next = r->free;
        r->free = it;
    }
}

/* ---- the way there ---- */

static void start(ww_remote *r, ww_request *request, ww_tick now)
{
    ww_request_leave(request, r->in.blame, WW_CAUSE_NETWORK_LATENCY, now);
    ww_request_join(request, NULL, WW_CAUSE_PAGING, now);
    access *it = r->free;
    r->free = it->next;
    r->count++;
    it->request = request;
    it->transfer =
        (ww_transfer){.bytes = request->kind == WW_REQUEST_READ ? 0 : data_bytes(r, request),
                      .direction = WW_PCIE_TO_HOST,
                      .done = reach_host,
                      .owner = it};
    ww_pcie_send(r->pcie, &it->transfer, true);
}

static void tick(void *owner)
{
    ww_remote *r = owner;
    ww_tick now = ww_engine_now(r->engine);
    reply(r, now);
    for (ww_request *request; r->free && (request = ww_port_peek(&r->in)) != NULL;) {
        ww_port_pop(&r->in);
        start(r, request, now);
    }
    if (r->free && r->in.count)
        ww_wake(r->engine, &r->task, ww_port_next(&r->in));
}

/* ---- life ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_remote *r = owner;
    if (r->in.count || r->answered)
        fprintf(out, "accesses to the host: %u requests wait\n", r->in.count);
}

ww_remote *ww_remote_create(const ww_remote_config *config, ww_engine *engine, ww_timers *timers,
                            ww_pcie *pcie)
{
    ww_remote *r = ww_calloc(1, sizeof(*r));
    r->config = *config;
    r->engine = engine;
    r->timers = timers;
    r->pcie = pcie;
    r->outs = ww_calloc(config->producers, sizeof(ww_port *));
    r->accesses = ww_calloc(config->outstanding, sizeof(*r->accesses));
    for (uint32_t i = config->outstanding; i-- > 0;) {
        r->accesses[i].remote = r;
        r->accesses[i].next = r->free;
        r->free = &r->accesses[i];
    }
    ww_task_init(engine, &r->task, WW_PHASE_L2, tick, r);
    ww_port_init(&r->in, engine, config->outstanding, config->producers);
    ww_port_connect(&r->in, &r->task);
    ww_engine_add_explainer(engine, explain, r);
    return r;
}

void ww_remote_destroy(ww_remote *r)
{
    if (!r)
        return;
    ww_port_clear(&r->in);
    free(r->outs);
    free(r->accesses);
    free(r);
}

ww_port *ww_remote_in(ww_remote *r)
{
    return &r->in;
}

void ww_remote_connect(ww_remote *r, ww_port *const *outs, uint32_t sources)
{
    r->sources = sources;
    for (uint32_t i = 0; i < r->config.producers; i++)
        r->outs[i] = outs[i];
}

uint64_t ww_remote_count(const ww_remote *r)
{
    return r->count;
}
