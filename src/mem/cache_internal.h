/* The state of a cache, for its files: cache.c (creation, cycle), cache_lookup.c (requests from
 * above), cache_foresee.c (stalls to come), cache_fill.c (replies from below, write-backs),
 * cache_invalidate.c (invalidations and flushes), cache_warm.c (requests that take no time) and
 * cache_blame.c (what requests wait for). */
#ifndef WW_MEM_CACHE_INTERNAL_H
#define WW_MEM_CACHE_INTERNAL_H

#include "mem/cache.h"
#include "mem/mshr.h"

/* Requests in order, through their links. */
typedef struct ww_request_list {
    ww_request *first, *last;
    uint32_t count;
} ww_request_list;

/* Performs one lookup or atomic at a time. */
typedef struct ww_bank {
    ww_tick free;            /* when the next lookup can start */
    ww_tick done;            /* when the first atomic ends */
    ww_request_list atomics; /* in the order in which they are performed */
} ww_bank;

typedef enum ww_flush_state {
    WW_FLUSH_NONE,
    WW_FLUSH_REQUESTED, /* begins with the next cycle */
    WW_FLUSH_SENDING    /* write-backs wait for `down` */
} ww_flush_state;

/* What every cycle needs comes first. */
struct ww_cache {
    ww_task task;
    ww_engine *engine;
    ww_clock clock;
    ww_tick now;    /* start of the present cycle */
    uint64_t cycle; /* the present cycle, of its clock */
    ww_tick edge;   /* start of the next cycle */
    ww_port in, fill;
    ww_tags *tags;
    ww_mshr_file *mshrs;
    ww_request_list replies; /* that wait for a port or for their out */
    uint32_t answered;       /* replies sent in this cycle */
    ww_request_list victims; /* write-backs that wait for `down` */
    ww_flush_state flush;
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
    const ww_blame_clock *miss_blame; /* what misses wait for; NULL: miss_cause */
    ww_tick stalled_since;            /* the next cycle, when the stall is foreseen */
    uint64_t mshr_cycles; /* in which it waited for a miss register before `stalled_since` */
    const ww_request *not_bypassed; /* the head of `in`, if the bypass policy said no */
    /* The head of `in`, if its lookup stalled and its line is neither here nor pending. That holds
     * until it leaves, so the next try does not search. */
    const ww_request *absent;
    bool (*bypasses)(void *state, const ww_request *request); /* of the bypass policy, or NULL */
    void (*bypass_hit)(void *state, uint16_t pc_tag);         /* likewise, as the next */
    void (*bypass_evict)(void *state, const ww_evicted *line);
    void *bypass_state;
    ww_reuse *reuse; /* or NULL */
    void (*flush_done)(void *context);
    void *flush_context;
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

/* The entry of the request's line; its set is right even when the line is absent. The request was
 * sent to `in`. */
static inline ww_tags_entry ww_cache_find(const ww_cache *cache, const ww_request *request)
{
    return ww_tags_find_in(cache->tags, request->sets[cache->config.level],
                           ww_cache_number(cache, request));
}

/* Whether a reply brings sectors that a miss register waits for; others pass through. */
static inline bool ww_cache_is_fetch(const ww_cache *cache, const ww_request *request)
{
    return request->kind == WW_REQUEST_READ && !(request->bypassed & ww_cache_bypass_bit(cache));
}

static inline ww_bank *ww_cache_bank(const ww_cache *cache, uint64_t number)
{
    uint32_t count = cache->bank_count; /* divisions take long */
    return &cache->banks[count & (count - 1) ? number % count : number & (count - 1)];
}

static inline ww_port *ww_cache_out(const ww_cache *cache, const ww_request *request)
{
    const ww_cache_wiring *w = &cache->wiring;
    return w->outs[w->route ? w->route(w->route_context, request) : 0];
}

/* Whether the first item of one of the cache's own ports has arrived. */
static inline bool ww_cache_has_arrived(const ww_cache *cache, const ww_port *port)
{
    return ww_port_next(port) <= cache->now;
}

static inline ww_request *ww_cache_arrived(const ww_cache *cache, const ww_port *port)
{
    return ww_cache_has_arrived(cache, port) ? port->items[port->first].item : NULL;
}

/* Its out is not full. */
static inline void ww_cache_reply(ww_cache *cache, ww_port *out, ww_request *request)
{
    ww_tick arrival = ww_clock_edge(cache->clock, cache->cycle + cache->config.latency);
    ww_request_stage(request, cache->lookup_stage, arrival);
    ww_request_join(request, out->blame, cache->latency_cause, cache->now);
    ww_port_send(out, request, arrival);
}

/* A reply waits for a port, or for a full out. */
static inline void ww_cache_hold_reply(ww_cache *cache, ww_request *request)
{
    ww_request_join(request, &cache->reply_blame, cache->port_cause, cache->now);
    ww_list_push(&cache->replies, request);
}

/* cache_lookup.c: up to `ports` lookups; the head has arrived. Notes why it stalls. */
void ww_cache_look_up(ww_cache *cache);
/* cache_foresee.c: after a cycle without a stall, whether the head of `in`, which has arrived by
 * the next edge, is certain to stall then. The stall is noted now, so the next cycle need not run
 * for it. */
bool ww_cache_foresee_stall(ww_cache *cache);

/* cache_blame.c: what the heads of `in` and of the replies wait for from now on. */
void ww_cache_note_blame(ww_cache *cache);

/* cache_fill.c */
/* At most `ports`, and none while as many replies wait. */
void ww_cache_accept_fills(ww_cache *cache);
void ww_cache_send_replies(ww_cache *cache);
void ww_cache_send_victims(ww_cache *cache);
void ww_cache_finish_atomics(ww_cache *cache);
/* The bank is busy for atomic_interval cycles a lane; then the reply can leave. */
void ww_cache_perform_atomic(ww_cache *cache, ww_request *request);
/* Whether something other than a victim can go down now; if not, `down` wakes the task. */
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

/* Whether the head of `in` is a read that still waits for `down`, which then wakes the task. */
static inline bool ww_cache_is_still_stalled(ww_cache *cache)
{
    return cache->stall == WW_CACHE_STALL_DOWN && cache->absent &&
           cache->absent->kind == WW_REQUEST_READ && !cache->config.banks &&
           !ww_cache_can_send_down(cache);
}

/* Whether the head of `in` waits for a miss register, for room in one, or for a way that one holds:
 * cycles of Algorithm 2's reason `mshr`. */
static inline bool ww_cache_waits_for_mshr(const ww_cache *cache)
{
    return cache->stall == WW_CACHE_STALL_MSHR || cache->stall == WW_CACHE_STALL_MERGE ||
           cache->stall == WW_CACHE_STALL_WAYS;
}

/* cache_invalidate.c: the first and the last act of a cycle during a flush. */
void ww_cache_begin_flush(ww_cache *cache);
void ww_cache_end_flush(ww_cache *cache);

/* cache_fill.c */
/* Allocates a way of the set to a new line; the old line is written back if dirty. WW_NO_WAY: all
 * ways are held. */
ww_tags_entry ww_cache_allocate_way(ww_cache *cache, uint32_t set, uint64_t number,
                                    const ww_request *request);
/* Writes the dirty sectors of a line back; they are clean then. */
void ww_cache_write_back(ww_cache *cache, uint64_t number, ww_cache_line *line);
/* Invalidates these sectors; a line with none left frees its way unless the way is reserved. */
void ww_cache_invalidate_sectors(ww_cache *cache, ww_tags_entry entry, uint32_t sectors);

#endif
