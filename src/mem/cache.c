#include "base/memory.h"
#include "mem/cache_internal.h"

#include <assert.h>
#include <inttypes.h>

static const char *const stall_reasons[] = {"nothing",
#define REASON(context, name, statistic, doc) doc,
                                            WW_CACHE_STALLS(REASON, )
#undef REASON
};

/* ---- configuration ---- */

static bool is_power(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

int ww_cache_line_check(uint64_t line, uint64_t sector, ww_where at, ww_errors *errors)
{
    uint64_t least = line / WW_MAX_SECTORS ? line / WW_MAX_SECTORS : 1;
    if (!is_power(line))
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "l1d.line is %" PRIu64 " (a power of two is needed, such as 64 or 128)",
                       line);
    if (!is_power(sector) || sector > line || sector < least)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "l1d.sector is %" PRIu64 ", no part of l1d.line, %" PRIu64
                       " (a power of two from %" PRIu64 " to %" PRIu64 ")",
                       sector, line, least, line);
    return WW_OK;
}

static int check_geometry(const ww_cache_config *c, const char *prefix, ww_where at,
                          ww_errors *errors)
{
    uint64_t set = (uint64_t)c->line * c->ways;
    ww_policy_start start = c->start;
    start.ways = c->ways;
    const char *refused = c->replace->refuse ? c->replace->refuse(&start) : NULL;
    if (!c->ways || c->ways > WW_MAX_WAYS)
        return ww_fail(errors, WW_BAD_INPUT, at, "%s.ways is %u (1 to %d)", prefix, c->ways,
                       WW_MAX_WAYS);
    if (refused)
        return ww_fail(errors, WW_BAD_INPUT, at, "%s.ways is %u (%s.replacement: %s)", prefix,
                       c->ways, prefix, refused);
    if (c->size % set)
        return ww_fail(errors, WW_BAD_INPUT, at,
                       "%s.size is %" PRIu64 ", no whole number of sets (a multiple of %" PRIu64
                       ": %s.ways, %u, of l1d.line, %u)",
                       prefix, c->size, set, prefix, c->ways, c->line);
    if (c->size / c->line > UINT32_MAX)
        return ww_fail(errors, WW_BAD_INPUT, at, "%s.size is %" PRIu64 " (at most 2^32 lines)",
                       prefix, c->size);
    return WW_OK;
}

int ww_cache_config_check(const ww_cache_config *config, const char *prefix, ww_where at,
                          ww_errors *errors)
{
    int status = config->size ? check_geometry(config, prefix, at, errors) : WW_OK;
    if (config->atomics_here && !config->size)
        status |=
            ww_fail(errors, WW_BAD_INPUT, at,
                    "%s.size is 0 (atomics are performed in this cache: more than 0)", prefix);
    return status;
}

/* ---- a cycle ---- */

/* When the first reply (there is one) can leave; when its out is full, the port wakes the task. */
static ww_tick next_reply(ww_cache *cache)
{
    ww_port *out = ww_cache_out(cache, cache->replies.first);
    if (ww_port_has_room(out))
        return cache->now;
    ww_port_wait(out, &cache->task);
    return WW_NEVER;
}

/* The earlier of `next` and when the first atomic ends. */
static ww_tick next_atomic(const ww_cache *cache, ww_tick next)
{
    for (uint32_t i = 0; i < cache->bank_count; i++)
        if (cache->banks[i].atomics.count && cache->banks[i].done < next)
            next = cache->banks[i].done;
    return next;
}

/* The earlier of `next` and when the head of `in` (there is one) can be looked up. */
static ww_tick next_lookup(ww_cache *cache, ww_tick next)
{
    ww_tick arrival = ww_port_next(&cache->in);
    if (arrival >= next || (arrival <= cache->edge && ww_cache_foresee_stall(cache)))
        return next;
    return arrival;
}

/* The next tick with work that is known now; neighbours wake the task for the rest. */
static ww_tick next_tick(ww_cache *cache)
{
    ww_tick next = cache->replies.count ? next_reply(cache) : WW_NEVER;
    if (cache->replies.count < cache->config.ports && ww_port_next(&cache->fill) < next)
        next = ww_port_next(&cache->fill);
    if (cache->stall == WW_CACHE_FLOWS && cache->in.count)
        next = next_lookup(cache, next);
    if (cache->stall == WW_CACHE_STALL_BANK) {
        const ww_request *head = ww_port_peek(&cache->in);
        ww_tick free = ww_cache_bank(cache, ww_cache_number(cache, head))->free;
        next = free < next ? free : next;
    }
    return cache->performing ? next_atomic(cache, next) : next;
}

static void run(void *owner)
{
    ww_cache *cache = owner;
    ww_tick now = ww_engine_now(cache->engine);
    uint64_t cycle = ww_clock_cycle(cache->clock, now);
    cache->edge = ww_clock_edge(cache->clock, cycle + 1);
    if (ww_clock_edge(cache->clock, cycle) != now) {
        ww_wake(cache->engine, &cache->task, cache->edge);
        return;
    }
    cache->now = now;
    cache->cycle = cycle;
    cache->answered = 0;
    if (__builtin_expect(cache->flush == WW_FLUSH_REQUESTED, 0))
        ww_cache_begin_flush(cache);
    if (cache->victims.count)
        ww_cache_send_victims(cache);
    if (cache->performing)
        ww_cache_finish_atomics(cache);
    if (ww_cache_has_arrived(cache, &cache->fill))
        ww_cache_accept_fills(cache);
    if (cache->replies.count)
        ww_cache_send_replies(cache);
    if (ww_cache_has_arrived(cache, &cache->in) && !ww_cache_is_still_stalled(cache))
        ww_cache_look_up(cache);
    if (cache->victims.count)
        ww_cache_send_victims(cache);
    ww_tick next = next_tick(cache);
    if (cache->waits || cache->stall || cache->replies.count || cache->in.next <= now ||
        cache->fill.next <= now)
        ww_cache_note_blame(cache);
    if (next <= cache->edge)
        ww_wake(cache->engine, &cache->task, cache->edge);
    else if (next != WW_NEVER)
        ww_wake(cache->engine, &cache->task, ww_clock_next(cache->clock, next));
    if (__builtin_expect(cache->flush, 0))
        ww_cache_end_flush(cache);
}

/* A request is on its way from above: its lookup and its fill need its set. */
static void expect_request(const void *owner, void *item)
{
    const ww_cache *cache = owner;
    ww_request *request = item;
    uint64_t number = ww_cache_number(cache, request);
    uint32_t set = ww_tags_set(cache->tags, number);
    request->sets[cache->config.level] = set;
    ww_tags_prefetch(cache->tags, set);
    ww_mshr_prefetch(cache->mshrs, number);
}

/* A reply is on its way from below. */
static void expect_fill(const void *owner, void *item)
{
    const ww_cache *cache = owner;
    const ww_request *request = item;
    if (!ww_cache_is_fetch(cache, request))
        return;
    __builtin_prefetch(ww_mshr_at(cache->mshrs, request->registers[cache->config.level]));
    ww_tags_prefetch(cache->tags, request->sets[cache->config.level]);
    ww_mshr_prefetch(cache->mshrs, ww_cache_number(cache, request));
}

static void explain_count(FILE *out, uint32_t count, const char *what)
{
    if (count)
        fprintf(out, ", %s: %u", what, count);
}

static void explain(const void *owner, FILE *out)
{
    const ww_cache *cache = owner;
    if (ww_cache_is_idle(cache))
        return;
    fprintf(out, "%s: requests in its queue: %u", cache->config.name, cache->in.count);
    if (cache->stall)
        fprintf(out, " (held: %s)", stall_reasons[cache->stall]);
    explain_count(out, cache->mshrs ? cache->mshrs->used : 0, "lines with a miss on its way");
    explain_count(out, cache->fill.count, "replies from below");
    explain_count(out, cache->replies.count, "replies that wait for room above");
    explain_count(out, cache->victims.count, "write-backs that wait for room below");
    explain_count(out, cache->performing, "atomics being performed");
    fputc('\n', out);
}

/* ---- life ---- */

static void set_stages(ww_cache *cache)
{
    bool l1 = cache->config.level == WW_LEVEL_L1;
    cache->stall_stage = l1 ? WW_STAGE_L1_STALL : WW_STAGE_L2_STALL;
    cache->lookup_stage = l1 ? WW_STAGE_L1 : WW_STAGE_L2;
    cache->merged_stage = l1 ? WW_STAGE_L1_MERGED : WW_STAGE_L2_MERGED;
    cache->port_cause = l1 ? WW_CAUSE_L1_PORTS : WW_CAUSE_L2_PORTS;
    cache->latency_cause = l1 ? WW_CAUSE_L1_LATENCY : WW_CAUSE_L2_LATENCY;
    cache->miss_cause = l1 ? WW_CAUSE_L1_MISS : WW_CAUSE_DRAM_LATENCY;
    cache->queue_idle = l1 ? WW_CAUSE_L1_LATENCY : WW_CAUSE_NETWORK_LATENCY;
    cache->reply_idle = l1 ? WW_CAUSE_NETWORK_LATENCY : WW_CAUSE_DRAM_LATENCY;
    cache->queue_blame.cause = cache->queue_idle;
    cache->reply_blame.cause = cache->reply_idle;
    cache->in.blame = &cache->queue_blame;
    cache->fill.blame = &cache->reply_blame;
}

static void create_lines(ww_cache *cache)
{
    const ww_cache_config *config = &cache->config;
    const ww_bypass *bypass = config->bypass;
    cache->tags = ww_tags_create(&(ww_tags_config){
        .sets = (uint32_t)(config->size / config->line / config->ways),
        .ways = config->ways,
        .index = config->index,
        .slices = config->slices,
        .slice_lines = config->slice_lines,
        .replace = config->replace,
        .start = config->start,
        .keeps_pc_tags = bypass && (bypass->hit || bypass->evict),
    });
    cache->mshrs = ww_mshr_create(config->mshrs, config->merges);
    if (config->measures_reuse)
        cache->reuse = ww_reuse_create(cache->tags->config.sets);
}

static void create_bypass(ww_cache *cache)
{
    const ww_bypass *bypass = cache->config.bypass;
    ww_policy_start *start = &cache->config.start;
    start->sets = cache->config.size / cache->config.line / cache->config.ways;
    start->ways = cache->config.ways;
    cache->bypasses = bypass->bypasses;
    cache->bypass_hit = bypass->hit;
    cache->bypass_evict = bypass->evict;
    cache->bypass_state = ww_policy_create(&bypass->policy, start);
}

ww_cache *ww_cache_create(const ww_cache_config *config, ww_engine *engine, ww_request_pool *pool)
{
    ww_cache *cache = ww_calloc(1, sizeof(*cache));
    cache->config = *config;
    cache->config.start.line = config->line;
    cache->clock = config->clock;
    cache->engine = engine;
    cache->pool = pool;
    cache->line_bits = (uint32_t)__builtin_ctz(config->line);
    cache->all_sectors = (uint32_t)(~0ull >> (64 - config->line / config->sector));
    if (config->size)
        create_lines(cache);
    if (config->bypass)
        create_bypass(cache);
    cache->bank_count = config->banks ? config->banks : 1;
    cache->banks = ww_calloc(cache->bank_count, sizeof(*cache->banks));
    ww_task_init(engine, &cache->task, config->level == WW_LEVEL_L1 ? WW_PHASE_L1 : WW_PHASE_L2,
                 run, cache);
    ww_port_init(&cache->in, engine, config->in_queue, config->producers);
    ww_port_init(&cache->fill, engine, config->fill_queue, config->suppliers);
    ww_port_connect(&cache->in, &cache->task);
    ww_port_connect(&cache->fill, &cache->task);
    if (cache->tags) {
        ww_port_expect(&cache->in, expect_request, cache);
        ww_port_expect(&cache->fill, expect_fill, cache);
    }
    set_stages(cache);
    ww_engine_add_explainer(engine, explain, cache);
    return cache;
}

void ww_cache_connect(ww_cache *cache, const ww_cache_wiring *wiring)
{
    cache->wiring = *wiring;
    if (cache->config.level == WW_LEVEL_L2) /* its misses wait in the channel below */
        cache->miss_blame = wiring->down->blame;
}

void ww_cache_destroy(ww_cache *cache)
{
    if (!cache)
        return;
    ww_sleep(cache->engine, &cache->task);
    if (cache->config.bypass)
        ww_policy_destroy(&cache->config.bypass->policy, &cache->config.start, cache->bypass_state);
    ww_tags_destroy(cache->tags);
    ww_mshr_destroy(cache->mshrs);
    ww_reuse_destroy(cache->reuse);
    ww_port_clear(&cache->in);
    ww_port_clear(&cache->fill);
    free(cache->banks);
    free(cache);
}

ww_port *ww_cache_in(ww_cache *cache)
{
    return &cache->in;
}

ww_port *ww_cache_fill(ww_cache *cache)
{
    return &cache->fill;
}

ww_cache_stall ww_cache_stall_reason(const ww_cache *cache)
{
    return cache->stalled_since <= ww_engine_now(cache->engine) ? cache->stall : WW_CACHE_FLOWS;
}

uint64_t ww_cache_mshr_cycles(const ww_cache *cache, uint64_t cycle)
{
    if (!ww_cache_waits_for_mshr(cache))
        return cache->mshr_cycles;
    uint64_t since = ww_clock_cycle(cache->clock, cache->stalled_since);
    return cache->mshr_cycles + (cycle > since ? cycle - since : 0);
}

ww_cache_counters *ww_cache_counters_of(ww_cache *cache)
{
    return &cache->counters;
}

ww_reuse *ww_cache_reuse(const ww_cache *cache)
{
    return cache->reuse;
}

const ww_tags *ww_cache_tags(const ww_cache *cache)
{
    return cache->tags;
}

bool ww_cache_is_idle(const ww_cache *cache)
{
    return !cache->in.count && !cache->fill.count && !cache->replies.count &&
           !cache->victims.count && !cache->performing && !cache->flush &&
           !(cache->mshrs && cache->mshrs->used);
}
