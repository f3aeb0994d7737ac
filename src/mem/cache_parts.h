/* The inside of a cache, for its own files: cache.c (life, cycle), cache_lookup.c (what comes from above),
 * cache_fill.c (what comes from below, and what goes down) and cache_blame.c (what requests wait for). */
#ifndef WW_MEM_CACHE_PARTS_H
#define WW_MEM_CACHE_PARTS_H

#include "mem/cache.h"
#include "mem/mshr.h"

/* Requests in order, through their links. */
typedef struct ww_request_list {
    ww_request *first, *last;
    uint32_t count;
} ww_request_list;

/* A part of the cache that does one thing at a time. */
typedef struct ww_bank {
    ww_tick free;            /* when the next lookup can start */
    ww_tick done;            /* when the first atomic is performed */
    ww_request_list atomics; /* that are performed one after the other */
} ww_bank;

/* What every cycle needs comes first. */
struct ww_cache {
    ww_task task;
    ww_engine *engine;
    ww_clock clock;
    ww_tick now;    /* of the cycle that runs */
    uint64_t cycle; /* that one, of its clock */
    ww_tick edge;   /* of the cycle after it */
    ww_port in, fill;
    ww_tags *tags;
    ww_mshr_file *mshrs;
    ww_request_list replies; /* that wait to leave */
    uint32_t answered;       /* replies that left in this cycle */
    ww_request_list victims; /* write-backs that wait to go down */
    uint32_t line_bits;
    uint32_t all_sectors;
    uint32_t performing; /* atomics in the banks */
    uint32_t bank_count; /* at least one */
    ww_bank *banks;
    ww_cache_stall stall;
    ww_stage stall_stage, lookup_stage, merged_stage;
    ww_blame_clock queue_blame; /* of `in` */
    ww_blame_clock reply_blame; /* of `fill` and `replies` */
    ww_cause port_cause, latency_cause, miss_cause, queue_idle, reply_idle;
    bool waits;                       /* a head waits for something other than latency */
    const ww_blame_clock *miss_blame; /* what misses on their way wait for; NULL: miss_cause */
    ww_tick stalled_since;            /* a cycle to come, when the stall is foreseen */
    uint64_t mshr_cycles;             /* in which it waited for a miss register, before that */
    const ww_request *not_bypassed;   /* the head of `in`, when that was asked */
    /* The head of `in`, when it was looked up and has to wait, and nothing of its line is here or on its way. That
     * stays so until it leaves: its set is all that has to be known. */
    const ww_request *absent;
    uint32_t absent_set;
    ww_request_pool *pool;
    ww_cache_wiring wiring;
    ww_cache_config config;
    ww_cache_counters counters;
};

static inline void ww_list_push(ww_request_list *list, ww_request *request)
{
    request->link = NULL;
    if (list->last)
        list->last->link = request;
    else
        list->first = request;
    list->last = request;
    list->count++;
}

static inline ww_request *ww_list_pop(ww_request_list *list)
{
    ww_request *request = list->first;
    list->first = request->link;
    if (!list->first)
        list->last = NULL;
    list->count--;
    return request;
}

static inline uint64_t ww_cache_number(const ww_cache *cache, const ww_request *request)
{
    return request->address >> cache->line_bits;
}

static inline uint8_t ww_cache_bypass_bit(const ww_cache *cache)
{
    return (uint8_t)(1u << cache->config.level);
}

static inline ww_bank *ww_cache_bank(const ww_cache *cache, uint64_t number)
{
    return &cache->banks[cache->bank_count == 1 ? 0 : number % cache->bank_count];
}

static inline ww_port *ww_cache_out(const ww_cache *cache, const ww_request *request)
{
    const ww_cache_wiring *w = &cache->wiring;
    return w->outs[w->route ? w->route(w->route_context, request) : 0];
}

/* The first item of one of the cache's own ports has arrived by now. */
static inline bool ww_cache_has_arrived(const ww_cache *cache, const ww_port *port)
{
    return port->count && port->items[port->first].arrival <= cache->now;
}

static inline ww_request *ww_cache_arrived(const ww_cache *cache, const ww_port *port)
{
    return ww_cache_has_arrived(cache, port) ? port->items[port->first].item : NULL;
}

/* There is room in its out. */
static inline void ww_cache_reply(ww_cache *cache, ww_port *out, ww_request *request)
{
    ww_tick arrival = ww_clock_edge(cache->clock, cache->cycle + cache->config.latency);
    ww_request_stage(request, cache->lookup_stage, arrival);
    ww_request_join(request, out->blame, cache->latency_cause, cache->now);
    ww_port_send(out, request, arrival);
}

/* A reply waits for its turn, or for room above. */
static inline void ww_cache_hold_reply(ww_cache *cache, ww_request *request)
{
    ww_request_join(request, &cache->reply_blame, cache->port_cause, cache->now);
    ww_list_push(&cache->replies, request);
}

/* cache_lookup.c: up to `ports` lookups, of which the first can be made; notes why the head waits, if it does. */
void ww_cache_look_up(ww_cache *cache);
/* After a cycle in which nothing stalled: whether the head of `in`, which is there by the next edge, will stall then
 * for sure. Then that is noted, and the next cycle need not run for it. */
bool ww_cache_foresee_stall(ww_cache *cache);

/* cache_blame.c: what the heads of `in` and of the replies wait for from now on. */
void ww_cache_note_blame(ww_cache *cache);

/* cache_fill.c */
/* At most `ports`, and none while as many replies wait. */
void ww_cache_take_fills(ww_cache *cache);
void ww_cache_send_replies(ww_cache *cache);
void ww_cache_send_victims(ww_cache *cache);
void ww_cache_finish_atomics(ww_cache *cache);
/* The bank is busy for each of its lanes, then the reply can leave. */
void ww_cache_perform_atomic(ww_cache *cache, ww_request *request);
/* Whether something other than a victim can go down now; else the task waits for that. */
static inline bool ww_cache_can_send_down(ww_cache *cache)
{
    ww_port *down = cache->wiring.down;
    if (cache->victims.count)
        ww_cache_send_victims(cache);
    if (!cache->victims.count && ww_port_has_room(down))
        return true;
    ww_port_wait(down, &cache->task);
    return false;
}

/* Whether the head of `in` is a read that still waits for room below, and so does the task. */
static inline bool ww_cache_is_still_stalled(ww_cache *cache)
{
    return cache->stall == WW_CACHE_STALL_DOWN && cache->absent &&
           cache->absent->kind == WW_REQUEST_READ && !cache->config.banks &&
           !ww_cache_can_send_down(cache);
}

/* A place in its set for a new line, whose old line went down if it was dirty; WW_NO_WAY: all are held. */
ww_place ww_cache_make_room(ww_cache *cache, uint32_t set, uint64_t number,
                            const ww_request *request);
/* The dirty sectors of a line go down; they are clean then. */
void ww_cache_write_back(ww_cache *cache, uint64_t number, ww_line *line);
/* The copy of these sectors ends; a line with none left gives up its place unless it is reserved. */
void ww_cache_forget(ww_cache *cache, ww_place place, uint32_t sectors);

#endif
