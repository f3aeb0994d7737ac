/* Stalls that are certain in the next cycle. */
#include "mem/cache_internal.h"

/* Whether the head's line is neither here nor pending. */
static bool is_absent(ww_cache *cache, const ww_request *head)
{
    if (head == cache->absent)
        return true;
    uint64_t number = ww_cache_number(cache, head);
    if (ww_cache_find(cache, head).way != WW_NO_WAY || ww_mshr_find(cache->mshrs, number))
        return false;
    cache->absent = head;
    return true;
}

/* What a read that misses will stall for in the next cycle unless something wakes the task: `down`,
 * or a miss register, which only a fill frees. The latter is certain only if no other component can
 * fill `down` before and no bypass policy has to be asked. */
static ww_cache_stall next_stall(const ww_cache *cache)
{
    const ww_port *down = cache->wiring.down;
    if (!ww_port_has_room(down))
        return WW_CACHE_STALL_DOWN;
    if (ww_mshr_is_full(cache->mshrs) && down->producers == 1 && !cache->bypasses)
        return WW_CACHE_STALL_MSHR;
    return WW_CACHE_FLOWS;
}

bool ww_cache_foresee_stall(ww_cache *cache)
{
    ww_cache_stall stall = cache->tags ? next_stall(cache) : WW_CACHE_FLOWS;
    if (!stall)
        return false;
    const ww_request *head = cache->in.items[cache->in.first].item;
    if (head->kind != WW_REQUEST_READ || !is_absent(cache, head) ||
        (cache->config.banks &&
         ww_cache_bank(cache, ww_cache_number(cache, head))->free > cache->edge))
        return false;
    if (stall == WW_CACHE_STALL_DOWN)
        ww_port_wait(cache->wiring.down, &cache->task);
    cache->stall = stall;
    cache->stalled_since = cache->edge;
    return true;
}
