#include "core/dispatch.h"

#include "base/memory.h"
#include "base/rng.h"

struct ww_dispatcher {
    ww_dispatcher_config config;
    ww_engine *engine;
    ww_task task;
    ww_cu *const *cus;
    unsigned cu_count;
    uint64_t *open;  /* a bit for each compute unit that may accept a group */
    uint64_t *fresh; /* a bit for each that has not begun the launch */
    unsigned next;   /* compute unit to try first */
    ww_tick next_at; /* the earliest tick at which the next group starts */
    const ww_cu_launch *launch;
    uint64_t groups, started, done; /* of the launch */
    ww_tick last_end;
    ww_rng rng;
};

static void set_open(ww_dispatcher *d, unsigned cu, bool open)
{
    uint64_t bit = 1ull << cu % 64;
    d->open[cu / 64] = open ? d->open[cu / 64] | bit : d->open[cu / 64] & ~bit;
}

static bool can_accept(ww_dispatcher *d, unsigned cu)
{
    uint64_t bit = 1ull << cu % 64;
    if (d->fresh[cu / 64] & bit && d->config.begin)
        d->config.begin(d->config.context, cu);
    d->fresh[cu / 64] &= ~bit;
    return ww_cu_can_accept(d->cus[cu], d->launch);
}

/* The first compute unit from `next` on, round robin, that accepts a group; else cu_count. */
static unsigned find_free(ww_dispatcher *d)
{
    unsigned words = (d->cu_count + 63) / 64;
    for (unsigned i = 0; i <= words; i++) {
        unsigned word = (d->next / 64 + i) % words;
        uint64_t bits = d->open[word];
        if (i == 0)
            bits &= ~0ull << d->next % 64;
        for (; bits; bits &= bits - 1) {
            unsigned cu = word * 64 + (unsigned)__builtin_ctzll(bits);
            if (can_accept(d, cu))
                return cu;
            set_open(d, cu, false);
        }
    }
    return d->cu_count;
}

/* Cycles from the start of a group to that of the next. */
static uint64_t interval(ww_dispatcher *d)
{
    uint32_t warps = d->launch->warps, covered = d->config.warps;
    return d->config.interval + (warps > covered ? warps - covered : 0) +
           ww_rng_below(&d->rng, d->config.jitter + 1ull);
}

static void tick(void *owner)
{
    ww_dispatcher *d = owner;
    if (d->started == d->groups)
        return;
    unsigned cu = find_free(d);
    if (cu == d->cu_count)
        return; /* until a compute unit has room */
    ww_cu_add_group(d->cus[cu], d->launch, d->started++);
    d->next = (cu + 1) % d->cu_count;
    d->next_at = ww_clock_after(d->config.clock, ww_engine_now(d->engine), interval(d));
    ww_wake(d->engine, &d->task, d->next_at);
}

static void explain(const void *owner, FILE *out)
{
    const ww_dispatcher *d = owner;
    if (d->done < d->groups)
        fprintf(out, "dispatcher: %llu of %llu groups started, %llu ended\n",
                (unsigned long long)d->started, (unsigned long long)d->groups,
                (unsigned long long)d->done);
}

ww_dispatcher *ww_dispatcher_create(const ww_dispatcher_config *config, ww_engine *engine,
                                    ww_cu *const *cus, unsigned cu_count)
{
    ww_dispatcher *d = ww_calloc(1, sizeof(*d));
    d->config = *config;
    d->engine = engine;
    d->cus = cus;
    d->cu_count = cu_count;
    d->open = ww_calloc((cu_count + 63) / 64, sizeof(*d->open));
    d->fresh = ww_calloc((cu_count + 63) / 64, sizeof(*d->fresh));
    ww_rng_seed(&d->rng, config->seed);
    ww_task_init(engine, &d->task, WW_PHASE_DISPATCH, tick, d);
    ww_engine_add_explainer(engine, explain, d);
    return d;
}

void ww_dispatcher_destroy(ww_dispatcher *d)
{
    if (!d)
        return;
    free(d->open);
    free(d->fresh);
    free(d);
}

void ww_dispatcher_start(ww_dispatcher *d, const ww_cu_launch *launch, ww_tick at, uint64_t first,
                         uint64_t count)
{
    d->launch = launch;
    d->groups = count;
    d->started = d->done = first;
    d->next = 0;
    for (unsigned cu = 0; cu < d->cu_count; cu += 64) {
        unsigned rest = d->cu_count - cu;
        d->open[cu / 64] = rest < 64 ? (1ull << rest) - 1 : ~0ull;
        d->fresh[cu / 64] = d->open[cu / 64];
    }
    d->next_at = ww_clock_after(d->config.clock, at, d->config.latency);
    ww_wake(d->engine, &d->task, d->next_at);
}

void ww_dispatcher_group_done(ww_dispatcher *d, unsigned cu)
{
    d->done++;
    d->last_end = ww_engine_now(d->engine);
    ww_dispatcher_look(d, cu);
}

void ww_dispatcher_look(ww_dispatcher *d, unsigned cu)
{
    ww_tick now = ww_engine_now(d->engine);
    set_open(d, cu, true);
    if (d->started < d->groups)
        ww_wake(d->engine, &d->task,
                d->next_at > now ? d->next_at : ww_clock_next(d->config.clock, now));
}

bool ww_dispatcher_is_closed(const ww_dispatcher *d, unsigned cu)
{
    return d->started == d->groups || !ww_cu_can_accept(d->cus[cu], d->launch);
}

bool ww_dispatcher_all_closed(const ww_dispatcher *d)
{
    uint64_t open = 0;
    for (unsigned word = 0; word < (d->cu_count + 63) / 64; word++)
        open |= d->open[word];
    return d->started == d->groups || !open;
}

uint64_t ww_dispatcher_done(const ww_dispatcher *d)
{
    return d->done;
}

ww_tick ww_dispatcher_last_end(const ww_dispatcher *d)
{
    return d->last_end;
}
