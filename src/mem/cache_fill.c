/* Fills and what follows: allocated ways, victims, replies to merged requests, atomics. */
#include "mem/cache_internal.h"

/* ---- down ---- */

void ww_cache_send_victims(ww_cache *cache)
{
    ww_port *down = cache->wiring.down;
    while (cache->victims.count && ww_port_has_room(down))
        ww_port_send(down, ww_list_pop(&cache->victims), cache->now + 1);
    if (cache->victims.count)
        ww_port_wait(down, &cache->task);
}

static void send_write_back(ww_cache *cache, uint64_t number, uint32_t sectors, bool full)
{
    ww_request *request = ww_request_allocate(cache->pool, cache->now);
    request->address = number << cache->line_bits;
    request->sectors = sectors;
    request->kind = WW_REQUEST_WRITE;
    request->class = WW_CLASS_WRITE_BACK;
    request->full = full;
    cache->counters.write_backs++;
    ww_list_push(&cache->victims, request);
}

void ww_cache_write_back(ww_cache *cache, uint64_t number, ww_cache_line *line)
{
    send_write_back(cache, number, line->dirty, !(line->dirty & ~line->valid));
    line->dirty = 0;
}

/* Its line leaves for another one. */
static void note_eviction(ww_cache *cache, ww_tags_entry entry)
{
    cache->counters.evictions++;
    cache->counters.zero_reuse += !ww_tags_is_reused(cache->tags, entry);
    ww_tags_evict(cache->tags, entry, false);
    if (cache->bypass_evict) {
        ww_evicted line = ww_tags_leaving(cache->tags, entry, false);
        cache->bypass_evict(cache->bypass_state, &line);
    }
}

ww_tags_entry ww_cache_allocate_way(ww_cache *cache, uint32_t set, uint64_t number,
                                    const ww_request *request)
{
    ww_tags *tags = cache->tags;
    for (uint64_t allowed = ~0ull;;) {
        ww_tags_entry entry = ww_tags_choose(tags, set, allowed, request);
        if (entry.way == WW_NO_WAY)
            return entry;
        uint64_t old = ww_tags_number(tags, entry);
        ww_cache_line *line = ww_tags_line(tags, entry);
        if (line->dirty && ww_mshr_find(cache->mshrs, old)) {
            allowed &= ~(1ull << entry.way); /* its fill would restore the old data */
            continue;
        }
        if (old != WW_NO_LINE)
            note_eviction(cache, entry);
        if (line->dirty)
            ww_cache_write_back(cache, old, line);
        ww_tags_insert(tags, entry, number, request);
        return entry;
    }
}

void ww_cache_invalidate_sectors(ww_cache *cache, ww_tags_entry entry, uint32_t sectors)
{
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    line->valid &= ~sectors;
    line->dirty &= ~sectors;
    if (!line->valid && !line->dirty && !ww_tags_is_reserved(cache->tags, entry))
        ww_tags_remove(cache->tags, entry);
}

/* ---- atomics ---- */

/* In cycles. */
static uint64_t duration(const ww_cache *cache, const ww_request *atomic)
{
    return (uint64_t)(atomic->lanes ? atomic->lanes : 1) * cache->config.atomic_interval;
}

void ww_cache_perform_atomic(ww_cache *cache, ww_request *request)
{
    ww_bank *bank = ww_cache_bank(cache, ww_cache_number(cache, request));
    ww_tick start = bank->free > cache->now ? bank->free : cache->now;
    bank->free = ww_clock_after(cache->clock, start, duration(cache, request));
    if (!bank->atomics.count)
        bank->done = bank->free;
    ww_request_join(request, NULL, cache->port_cause, cache->now);
    ww_list_push(&bank->atomics, request);
    cache->performing++;
}

void ww_cache_finish_atomics(ww_cache *cache)
{
    for (uint32_t i = 0; i < cache->bank_count; i++) {
        ww_bank *bank = &cache->banks[i];
        while (bank->atomics.count && bank->done <= cache->now) {
            ww_request *atomic = ww_list_pop(&bank->atomics);
            ww_request_leave(atomic, NULL, cache->port_cause, cache->now);
            ww_cache_hold_reply(cache, atomic);
            cache->performing--;
            if (bank->atomics.count)
                bank->done =
                    ww_clock_after(cache->clock, bank->done, duration(cache, bank->atomics.first));
        }
    }
}

/* ---- fills ---- */

/* Sends a reply at once if a port and its out are free, else it waits in `replies`. */
static void answer(ww_cache *cache, ww_request *request)
{
    if (!cache->replies.count && cache->answered < cache->config.ports) {
        ww_port *out = ww_cache_out(cache, request);
        if (ww_port_has_room(out)) {
            ww_cache_reply(cache, out, request);
            cache->answered++;
            return;
        }
    }
    ww_cache_hold_reply(cache, request);
}

/* Keeps the sectors of a fill. Returns their entry; its way is WW_NO_WAY when they are not kept. */
static ww_tags_entry keep(ww_cache *cache, ww_mshr *mshr, const ww_request *request)
{
    uint32_t kept = request->sectors & ~mshr->stale;
    ww_tags_entry entry = {request->sets[cache->config.level], WW_NO_WAY};
    if (!mshr->is_absent)
        entry = ww_cache_find(cache, request);
    if (entry.way == WW_NO_WAY && kept)
        entry = ww_cache_allocate_way(cache, entry.set, mshr->line, request);
    if (entry.way != WW_NO_WAY) {
        ww_tags_line(cache->tags, entry)->valid |= kept;
        mshr->is_absent = false;
    }
    return entry;
}

/* The request waited while its fetch was outstanding: it is charged what the fetch waited for. In
 * an L2 both follow the same clock. */
static void credit_blame(const ww_cache *cache, ww_request *waiting, const ww_request *fetch)
{
    if (!waiting->blamed || cache->miss_blame)
        return;
    waiting->after_l1.row += fetch->after_l1.row;
    waiting->after_l1.ticks[cache->miss_cause] -= (uint32_t)(cache->now - fetch->made);
}

/* A fetch that the cache made itself: its stages are added to the request that waits for it, as if
 * that had gone down itself. */
static bool credit_fetch(ww_cache *cache, const ww_mshr *mshr, ww_request *fetch)
{
    ww_request *waiting = fetch->owner;
    if (!mshr->last || !ww_mshr_has(mshr, waiting))
        return false;
    for (int i = 0; i < WW_STAGE_COUNT; i++)
        waiting->stages[i] += fetch->stages[i];
    waiting->since = fetch->since;
    credit_blame(cache, waiting, fetch);
    ww_request_free(cache->pool, fetch);
    return true;
}

/* An atomic has its data: it makes the line dirty, or, without a way, its result goes down. */
static void begin_atomic(ww_cache *cache, ww_tags_entry entry, ww_request *atomic)
{
    if (entry.way == WW_NO_WAY) {
        send_write_back(cache, ww_cache_number(cache, atomic), atomic->sectors, true);
    } else {
        ww_cache_line *line = ww_tags_line(cache->tags, entry);
        line->valid |= atomic->sectors;
        line->dirty |= atomic->sectors;
    }
    ww_cache_perform_atomic(cache, atomic);
}

/* The request merged with the miss that has brought the line: it uses the line. */
static void note_merge(ww_cache *cache, ww_tags_entry entry, ww_request *request)
{
    request->merged = false;
    if (entry.way == WW_NO_WAY)
        return;
    ww_tags_merge(cache->tags, entry, request);
    if (cache->bypass_hit)
        cache->bypass_hit(cache->bypass_state,
                          cache->tags->pc_tags[ww_tags_slot(cache->tags, entry)]);
}

/* Completes the merged requests whose sectors are all here. */
static void release_merged(ww_cache *cache, ww_mshr *mshr, ww_tags_entry entry)
{
    for (ww_request *ready; (ready = ww_mshr_ready(mshr)) != NULL;) {
        if (ready->merged)
            note_merge(cache, entry, ready);
        ww_request_stage(ready, cache->merged_stage, cache->now);
        ww_request_leave(ready, cache->miss_blame, cache->miss_cause, cache->now);
        if (ready->kind == WW_REQUEST_ATOMIC)
            begin_atomic(cache, entry, ready);
        else
            answer(cache, ready);
    }
}

static void end_miss(ww_cache *cache, ww_mshr *mshr, ww_tags_entry entry)
{
    if (entry.way != WW_NO_WAY) {
        ww_tags_release(cache->tags, entry);
        if (!ww_tags_line(cache->tags, entry)->valid)
            ww_cache_invalidate_sectors(cache, entry, 0);
    }
    ww_mshr_remove(cache->mshrs, mshr);
}

static void accept_data(ww_cache *cache, ww_request *request)
{
    ww_mshr *mshr = ww_mshr_at(cache->mshrs, request->registers[cache->config.level]);
    if (mshr->line !=
        ww_cache_number(cache,
                        request)) { /* another cache's: checked mode reports it at its owner */
        answer(cache, request);
        return;
    }
    ww_tags_entry entry = keep(cache, mshr, request);
    mshr->pending &= ~request->sectors;
    if (!credit_fetch(cache, mshr, request))
        answer(cache, request);
    if (mshr->last)
        release_merged(cache, mshr, entry);
    if (!mshr->pending)
        end_miss(cache, mshr, entry);
}

void ww_cache_accept_fills(ww_cache *cache)
{
    uint32_t ports = cache->config.ports;
    for (uint32_t n = 0; n < ports && cache->answered + cache->replies.count < ports; n++) {
        ww_request *request = ww_cache_arrived(cache, &cache->fill);
        if (!request)
            return;
        cache->counters.fills++;
        ww_request_leave(request, &cache->reply_blame, cache->port_cause, cache->now);
        if (cache->tags && ww_cache_is_fetch(cache, request))
            accept_data(cache, request);
        else
            answer(cache, request);
        ww_port_pop(&cache->fill);
    }
}

void ww_cache_send_replies(ww_cache *cache)
{
    for (; cache->answered < cache->config.ports && cache->replies.count; cache->answered++) {
        ww_port *out = ww_cache_out(cache, cache->replies.first);
        if (!ww_port_has_room(out))
            return;
        ww_request *request = ww_list_pop(&cache->replies);
        ww_request_leave(request, &cache->reply_blame, cache->port_cause, cache->now);
        ww_cache_reply(cache, out, request);
    }
}
