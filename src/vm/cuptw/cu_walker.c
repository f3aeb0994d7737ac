#include "vm/cuptw/cu_walker.h"

#include "base/memory.h"
#include "vm/cuptw/cu_walker_internal.h"

#include <assert.h>

/* ---- set-up ---- */

static void add_to_queue(ww_cu_walker *w, ww_translation *t)
{
    t->link = NULL;
    if (w->queue)
        w->last->link = t;
    else
        w->queue = t;
    w->last = t;
    w->waiting++;
}

static void receive_translations(ww_cu_walker *w)
{
    for (ww_translation *t; (t = ww_port_peek(&w->in)) != NULL;) {
        ww_port_pop(&w->in);
        w->expected--;
        add_to_queue(w, t);
    }
}

/* The wavefront that gets the next translation: the one that is being filled, else a free one.
 * NULL: no thread is free. */
static ww_wavefront *next_to_fill(const ww_cu_walker *w)
{
    ww_wavefront *empty = NULL;
    for (unsigned i = w->room; i-- > 0;) {
        ww_wavefront *wave = &w->wavefronts[i];
        if (wave->filling && wave->filled < w->config.threads)
            return wave;
        if (!wave->active)
            empty = wave;
    }
    return empty;
}

static void begin_filling(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    wave->filling = true;
    wave->filled = 0;
    wave->working = 0;
    wave->stage = (uint8_t)ww_wavefront_first_stage(w);
    wave->eligible = cycle + w->config.timeout;
}

static void set_up_thread(ww_cu_walker *w, ww_wavefront *wave, ww_translation *t, uint64_t cycle)
{
    unsigned n = wave->filled++;
    ww_tick now = ww_engine_now(w->wiring.engine);
    wave->threads[n] = (ww_walk_thread){
        .translation = t,
        .address = t->page << w->config.page_shift,
        .node = t->level ? t->frame : w->wiring.root(w->wiring.context, t->instruction.asid),
        .level = t->level ? t->level : WW_LEVELS,
        .wavefront = (uint8_t)(wave - w->wavefronts),
        .number = (uint8_t)n};
    wave->active |= 1ull << n;
    wave->working |= 1ull << n;
    t->started = now;
    if (wave->filled == w->config.threads)
        wave->eligible = cycle + 1;
}

static void set_up_next(ww_cu_walker *w, ww_wavefront *wave, uint64_t cycle)
{
    ww_translation *t = w->queue;
    w->queue = t->link;
    w->waiting--;
    w->walking++;
    w->set_up = cycle;
    if (!wave->active)
        begin_filling(w, wave, cycle);
    set_up_thread(w, wave, t, cycle);
}

/* One translation a cycle. The requests of a walk warp are in its local memory already. */
static void set_up(ww_cu_walker *w, uint64_t cycle)
{
    ww_wavefront *wave = w->set_up != cycle ? next_to_fill(w) : NULL;
    for (; wave && w->queue; wave = w->config.goes_first ? next_to_fill(w) : NULL)
        set_up_next(w, wave, cycle);
}

/* ---- cycles ---- */

static void receive_replies(ww_cu_walker *w, uint64_t cycle)
{
    for (ww_request *r; (r = ww_port_peek(&w->replies)) != NULL;) {
        const ww_walk_thread *thread = r->owner;
        ww_port_pop(&w->replies);
        w->counters.pte_misses += r->missed;
        ww_request_free(w->wiring.pool, r);
        ww_wavefront_receive(w, &w->wavefronts[thread->wavefront], thread->number, cycle);
    }
}

void ww_cu_walker_tick(ww_cu_walker *w, uint64_t cycle)
{
    if (w->in.count)
        receive_translations(w);
    if (w->replies.count)
        receive_replies(w, cycle);
    if (w->queue)
        set_up(w, cycle);
    if (w->sending)
        ww_wavefront_send(w);
}

static uint64_t cycle_of(const ww_cu_walker *w, const ww_port *port)
{
    ww_tick at = ww_port_next(port);
    ww_clock clock = w->config.clock;
    return at == WW_NEVER ? WW_NEVER : ww_clock_cycle(clock, ww_clock_next(clock, at));
}

uint64_t ww_cu_walker_next(const ww_cu_walker *w, uint64_t cycle)
{
    bool can_send = w->sending && ww_port_has_room(w->wiring.memory);
    if (can_send || (w->queue && next_to_fill(w)))
        return cycle + 1;
    uint64_t in = cycle_of(w, &w->in), replies = cycle_of(w, &w->replies);
    uint64_t next = in < replies ? in : replies;
    return next > cycle ? next : cycle + 1;
}

bool ww_cu_walker_is_idle(const ww_cu_walker *w)
{
    return !w->walking && !w->waiting && !w->in.count;
}

uint32_t ww_cu_walker_waiting(const ww_cu_walker *walker)
{
    return walker->waiting;
}

uint32_t ww_cu_walker_walking(const ww_cu_walker *walker)
{
    return walker->walking;
}

static unsigned free_threads(const ww_cu_walker *w)
{
    unsigned count = 0;
    for (unsigned i = 0; i < w->room; i++) {
        const ww_wavefront *wave = &w->wavefronts[i];
        if (wave->filling || !wave->active)
            count += w->config.threads - (wave->active ? wave->filled : 0);
    }
    return count;
}

bool ww_cu_walker_reserve(ww_cu_walker *w)
{
    if (!w->room || (w->config.waits_outside && free_threads(w) <= w->waiting + w->expected))
        return false;
    w->expected++;
    return true;
}

uint64_t ww_cu_walker_eligible(const ww_cu_walker *w, unsigned scheduler)
{
    const ww_wavefront *wave = &w->wavefronts[scheduler];
    if (scheduler >= w->room || !wave->active)
        return WW_NEVER;
    /* One wavefront at a time has requests to send. */
    if (wave->stage == WW_WAVEFRONT_MEMORY && w->sending)
        return WW_NEVER;
    return wave->eligible;
}

ww_walk_unit ww_cu_walker_unit(const ww_cu_walker *w, unsigned scheduler)
{
    return w->config.stages[w->wavefronts[scheduler].stage].unit;
}

void ww_cu_walker_add_delay(ww_cu_walker *w, uint64_t cycles)
{
    w->counters.delay += cycles;
}

/* ---- launches and invalidations ---- */

ww_wavefront_registers ww_cu_walker_registers(const ww_cu_walker *w)
{
    return w->config.registers;
}

bool ww_cu_walker_goes_first(const ww_cu_walker *w)
{
    return w->config.goes_first;
}

void ww_cu_walker_begin(ww_cu_walker *w, unsigned wavefronts, uint64_t lds_bytes)
{
    assert(ww_cu_walker_is_idle(w) && !w->expected);
    w->room = wavefronts < w->config.wavefronts ? wavefronts : w->config.wavefronts;
    unsigned rows = w->cache ? ww_lds_walk_cache_resize(w->cache, lds_bytes) : 0;
    w->caches = rows;
    w->counters.launches++;
    w->counters.room += w->room;
    w->counters.cache_rows += rows;
}

void ww_cu_walker_invalidate(ww_cu_walker *w, const ww_invalidation *what)
{
    for (unsigned i = 0; i < w->room; i++) {
        ww_wavefront *wave = &w->wavefronts[i];
        for (uint64_t rest = wave->active; rest; rest &= rest - 1) {
            ww_walk_thread *thread = &wave->threads[__builtin_ctzll(rest)];
            thread->restart |= ww_invalidation_covers(what, thread->translation);
        }
    }
}

/* ---- making it ---- */

static void explain(const void *owner, FILE *out)
{
    const ww_cu_walker *w = owner;
    if (!ww_cu_walker_is_idle(w))
        fprintf(out, "walks on a compute unit: %u in threads, %u wait for one\n", w->walking,
                w->waiting + w->expected);
}

ww_cu_walker *ww_cu_walker_create(const ww_cu_walker_config *config, ww_engine *engine)
{
    ww_cu_walker *w = ww_calloc(1, sizeof(*w));
    w->config = *config;
    w->set_up = UINT64_MAX;
    w->leaf_level = config->page_shift < ww_level_shift(2) ? 1 : 2;
    w->wavefronts = ww_calloc(config->wavefronts, sizeof(*w->wavefronts));
    if (config->caches)
        w->cache = ww_lds_walk_cache_create(&config->cache);
    ww_port_init(&w->in, engine, config->queue, 2);
    ww_port_init(&w->replies, engine, config->wavefronts * config->threads, 1);
    ww_engine_add_explainer(engine, explain, w);
    return w;
}

void ww_cu_walker_destroy(ww_cu_walker *w)
{
    if (!w)
        return;
    ww_lds_walk_cache_destroy(w->cache);
    ww_port_clear(&w->in);
    ww_port_clear(&w->replies);
    free(w->wavefronts);
    free(w);
}

void ww_cu_walker_connect(ww_cu_walker *w, const ww_cu_walker_wiring *wiring)
{
    w->wiring = *wiring;
    ww_port_connect(&w->in, wiring->task);
    ww_port_connect(&w->replies, wiring->task);
}

ww_port *ww_cu_walker_in(ww_cu_walker *w)
{
    return &w->in;
}

ww_port *ww_cu_walker_replies(ww_cu_walker *w)
{
    return &w->replies;
}

const ww_cuptw_counters *ww_cu_walker_count(const ww_cu_walker *w)
{
    return &w->counters;
}
