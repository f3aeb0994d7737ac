/* What the heads of a cache's queues wait for, updated at the end of each of its cycles. */
#include "mem/cache_internal.h"

/* The head of `in` cannot be looked up. */
static void note_stalled(ww_cache *cache)
{
    const ww_port *to = NULL;
    ww_cause cause = cache->port_cause; /* a bank */
    if (cache->stall == WW_CACHE_STALL_DOWN) {
        to = cache->wiring.down;
        cause = cache->miss_cause;
    } else if (cache->stall == WW_CACHE_STALL_OUT) {
        to = ww_cache_out(cache, cache->in.items[cache->in.first].item);
    } else if (cache->stall != WW_CACHE_STALL_BANK) {
        ww_blame_wait(&cache->queue_blame, cache->miss_blame, cache->miss_cause, cache->now);
        return;
    }
    ww_blame_wait(&cache->queue_blame, to ? to->blame : NULL, cause, cache->now);
}

static void note_queue(ww_cache *cache)
{
    if (cache->stall)
        note_stalled(cache);
    else
        ww_blame_wait(&cache->queue_blame, NULL,
                      ww_cache_has_arrived(cache, &cache->in) ? cache->port_cause
                                                              : cache->queue_idle,
                      cache->now);
}

static void note_replies(ww_cache *cache)
{
    const ww_blame_clock *follows = NULL;
    ww_cause cause = cache->reply_idle;
    if (cache->replies.count) {
        const ww_port *out = ww_cache_out(cache, cache->replies.first);
        follows = ww_port_has_room(out) ? NULL : out->blame;
        cause = cache->port_cause;
    } else if (ww_cache_has_arrived(cache, &cache->fill)) {
        cause = cache->port_cause;
    }
    ww_blame_wait(&cache->reply_blame, follows, cause, cache->now);
}

void ww_cache_note_blame(ww_cache *cache)
{
    note_queue(cache);
    note_replies(cache);
    cache->waits = cache->queue_blame.follows || cache->queue_blame.cause != cache->queue_idle ||
                   cache->reply_blame.follows || cache->reply_blame.cause != cache->reply_idle;
}
