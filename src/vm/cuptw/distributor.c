#include "vm/cuptw/distributor.h"

#include "base/memory.h"

struct ww_distributor {
    ww_task task;
    ww_port in, answers;
    ww_distributor_config config;
    ww_distributor_wiring wiring;
    ww_engine *engine;
    uint32_t *used;   /* slots, by compute unit */
    unsigned next;    /* the compute unit whose turn it is */
    uint64_t cycle;   /* of the last request that left */
    uint32_t left;    /* requests, in that cycle */
    uint32_t walking; /* requests at compute units */
};

/* ---- answers ---- */

static void receive_answers(ww_distributor *d, ww_tick now)
{
    for (ww_translation *t; (t = ww_port_peek(&d->answers)) != NULL;) {
        ww_port_pop(&d->answers);
        d->used[t->walker]--;
        d->walking--;
        ww_port_send(d->wiring.out, t, now + 1);
    }
}

/* ---- requests ---- */

/* The next compute unit with a free slot; `cus`: none has one. */
static unsigned choose(const ww_distributor *d)
{
    unsigned cus = d->config.cus;
    for (unsigned n = 0; n < cus; n++) {
        unsigned cu = d->next + n < cus ? d->next + n : d->next + n - cus;
        if (d->used[cu] < d->config.slots)
            return cu;
    }
    return cus;
}

static void send_to(ww_distributor *d, unsigned cu, ww_translation *t, ww_tick now)
{
    const ww_distributor_config *c = &d->config;
    ww_walk_start start = ww_mmu_look_up_start(
        d->wiring.mmu, ww_walk_address(t->instruction.asid, t->page << c->page_shift));
    t->frame = start.node;
    t->level = (uint8_t)start.level;
    t->walker = (uint16_t)cu;
    d->used[cu]++;
    d->walking++;
    d->next = cu + 1 < c->cus ? cu + 1 : 0;
    ww_port_send(d->wiring.walkers[cu], t, ww_clock_after(c->clock, now, c->look_up + c->latency));
}

/* False: no walker is free, and no slot, or no port of the walk caches. */
static bool distribute(ww_distributor *d, ww_translation *t, ww_tick now)
{
    if (d->config.hybrid && ww_mmu_can_start(d->wiring.mmu)) {
        ww_port_send(ww_mmu_in(d->wiring.mmu), t, now + 1);
        return true;
    }
    unsigned cu = choose(d);
    ww_tick port = ww_mmu_cache_free_at(d->wiring.mmu);
    if (cu == d->config.cus)
        return false;
    if (port > now) {
        ww_wake(d->engine, &d->task, port);
        return false;
    }
    send_to(d, cu, t, now);
    return true;
}

static void distribute_all(ww_distributor *d, ww_tick now)
{
    uint64_t cycle = ww_clock_cycle(d->config.clock, now);
    if (cycle != d->cycle)
        d->left = 0;
    d->cycle = cycle;
    for (ww_translation *t; (t = ww_port_peek(&d->in)) != NULL; d->left++) {
        if (d->left == d->config.requests) {
            ww_wake(d->engine, &d->task, ww_clock_after(d->config.clock, now, 1));
            return;
        }
        if (!distribute(d, t, now))
            return; /* an answer, or the time of the port, wakes it */
        ww_port_pop(&d->in);
    }
    if (d->in.count)
        ww_wake(d->engine, &d->task, ww_port_next(&d->in));
}

static void tick(void *owner)
{
    ww_distributor *d = owner;
    ww_tick now = ww_engine_now(d->engine);
    ww_tick edge = ww_clock_next(d->config.clock, now);
    if (edge != now) {
        ww_wake(d->engine, &d->task, edge);
        return;
    }
    receive_answers(d, now);
    if (d->answers.count)
        ww_wake(d->engine, &d->task, ww_port_next(&d->answers));
    distribute_all(d, now);
}

/* ---- making it ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_distributor *d = owner;
    if (d->walking || d->in.count)
        fprintf(out, "distributor of walks: %u wait, %u at compute units\n", d->in.count,
                d->walking);
}

ww_distributor *ww_distributor_create(const ww_distributor_config *config, ww_engine *engine)
{
    ww_distributor *d = ww_calloc(1, sizeof(*d));
    d->config = *config;
    d->engine = engine;
    d->cycle = UINT64_MAX;
    d->used = ww_calloc(config->cus, sizeof(*d->used));
    ww_task_init(engine, &d->task, WW_PHASE_TRANSLATION, tick, d);
    ww_port_init(&d->in, engine, config->most, 1);
    ww_port_init(&d->answers, engine, config->most, 1);
    ww_port_connect(&d->in, &d->task);
    ww_port_connect(&d->answers, &d->task);
    ww_engine_add_explainer(engine, explain, d);
    return d;
}

void ww_distributor_destroy(ww_distributor *d)
{
    if (!d)
        return;
    ww_port_clear(&d->in);
    ww_port_clear(&d->answers);
    free(d->used);
    free(d);
}

void ww_distributor_connect(ww_distributor *d, const ww_distributor_wiring *wiring)
{
    d->wiring = *wiring;
}

ww_port *ww_distributor_in(ww_distributor *d)
{
    return &d->in;
}

ww_port *ww_distributor_answers(ww_distributor *d)
{
    return &d->answers;
}
