/* Fills and what follows from them: places for lines, victims, replies to who waited, atomics. */
#include "mem/cache_parts.h"

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
    ww_request *request = ww_request_take(cache->pool, cache->now);
    request->address = number << cache->line_bits;
    request->sectors = sectors;
    request->kind = WW_REQUEST_WRITE;
    request->class = WW_CLASS_WRITE_BACK;
    request->full = full;
    cache->counters.write_backs++;
    ww_list_push(&cache->victims, request);
}

void ww_cache_write_back(ww_cache *cache, uint64_t number, ww_line *line)
{
    send_write_back(cache, number, line->dirty, !(line->dirty & ~line->valid));
    line->dirty = 0;
}

ww_place ww_cache_make_room(ww_cache *cache, uint32_t set, uint64_t number,
                            const ww_request *request)
{
    ww_tags *tags = cache->tags;
    for (uint64_t allowed = ~0ull;;) {
        ww_place place = ww_tags_choose(tags, set, allowed, request);
        if (place.way == WW_NO_WAY)
            return place;
        uint64_t old = ww_tags_number(tags, place);
        ww_line *line = ww_tags_line(tags, place);
        if (line->dirty && ww_mshr_find(cache->mshrs, old)) {
            allowed &= ~(1ull << place.way); /* its fill would bring back what was before */
            continue;
        }
        if (line->dirty)
            ww_cache_write_back(cache, old, line);
        cache->counters.evictions += old != WW_NO_LINE;
        ww_tags_insert(tags, place, number, request);
        return place;
    }
}

void ww_cache_forget(ww_cache *cache, ww_place place, uint32_t sectors)
{
    ww_line *line = ww_tags_line(cache->tags, place);
    line->valid &= ~sectors;
    line->dirty &= ~sectors;
    if (!line->valid && !line->dirty && !ww_tags_is_reserved(cache->tags, place))
        ww_tags_remove(cache->tags, place);
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

/* A reply leaves at once when it is its turn and there is room, else it waits. */
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

/* Keeps what came; the place is WW_NO_WAY when there is none for it. */
static ww_place keep(ww_cache *cache, ww_mshr *mshr, const ww_request *request)
{
    uint32_t kept = request->sectors & ~mshr->stale;
    ww_place place = {mshr->absent_set, WW_NO_WAY};
    if (mshr->absent_set == WW_NO_SET)
        place = ww_tags_find(cache->tags, mshr->line);
    if (place.way == WW_NO_WAY && kept)
        place = ww_cache_make_room(cache, place.set, mshr->line, request);
    if (place.way != WW_NO_WAY) {
        ww_tags_line(cache->tags, place)->valid |= kept;
        mshr->absent_set = WW_NO_SET;
    }
    return place;
}

/* The request waited for a miss for as long as the fetch was on its way: what that waited for is what it waited for. In an L2
 * both follow the same clock. */
static void credit_blame(const ww_cache *cache, ww_request *waiting, const ww_request *fetch)
{
    if (!waiting->blamed || cache->miss_blame)
        return;
    waiting->after_l1.row += fetch->after_l1.row;
    waiting->after_l1.ticks[cache->miss_cause] -= (uint32_t)(cache->now - fetch->made);
}

/* A fetch of the cache's own: the request that waits for it takes over its stages, so that they are those of
 * its own way. */
static bool credit_fetch(ww_cache *cache, const ww_mshr *mshr, ww_request *fetch)
{
    ww_request *waiting = fetch->owner;
    if (!mshr->last || !ww_mshr_has(mshr, waiting))
        return false;
    for (int i = 0; i < WW_STAGE_COUNT; i++)
        waiting->stages[i] += fetch->stages[i];
    waiting->since = fetch->since;
    credit_blame(cache, waiting, fetch);
    ww_request_give(cache->pool, fetch);
    return true;
}

/* An atomic has its data: the line is dirty from here on, or its result goes down at once. */
static void begin_atomic(ww_cache *cache, ww_place place, ww_request *atomic)
{
    if (place.way == WW_NO_WAY) {
        send_write_back(cache, ww_cache_number(cache, atomic), atomic->sectors, true);
    } else {
        ww_line *line = ww_tags_line(cache->tags, place);
        line->valid |= atomic->sectors;
        line->dirty |= atomic->sectors;
    }
    ww_cache_perform_atomic(cache, atomic);
}

/* Those who waited for nothing else. */
static void release_merged(ww_cache *cache, ww_mshr *mshr, ww_place place)
{
    for (ww_request *ready; (ready = ww_mshr_ready(mshr)) != NULL;) {
        ww_request_stage(ready, cache->merged_stage, cache->now);
        ww_request_leave(ready, cache->miss_blame, cache->miss_cause, cache->now);
        if (ready->kind == WW_REQUEST_ATOMIC)
            begin_atomic(cache, place, ready);
        else
            answer(cache, ready);
    }
}

static void end_miss(ww_cache *cache, ww_mshr *mshr, ww_place place)
{
    if (place.way != WW_NO_WAY) {
        ww_tags_release(cache->tags, place);
        if (!ww_tags_line(cache->tags, place)->valid)
            ww_cache_forget(cache, place, 0);
    }
    ww_mshr_remove(cache->mshrs, mshr);
}

static void take_data(ww_cache *cache, ww_request *request)
{
    ww_mshr *mshr = ww_mshr_at(cache->mshrs, request->registers[cache->config.level]);
    if (mshr->line !=
        ww_cache_number(cache,
                        request)) { /* not for this cache: checked mode finds out who gets it */
        answer(cache, request);
        return;
    }
    ww_place place = keep(cache, mshr, request);
    mshr->pending &= ~request->sectors;
    if (!credit_fetch(cache, mshr, request))
        answer(cache, request);
    if (mshr->last)
        release_merged(cache, mshr, place);
    if (!mshr->pending)
        end_miss(cache, mshr, place);
}

void ww_cache_take_fills(ww_cache *cache)
{
    uint32_t ports = cache->config.ports;
    for (uint32_t n = 0; n < ports && cache->answered + cache->replies.count < ports; n++) {
        ww_request *request = ww_cache_arrived(cache, &cache->fill);
        if (!request)
            return;
        cache->counters.fills++;
        ww_request_leave(request, &cache->reply_blame, cache->port_cause, cache->now);
        if (cache->tags && request->kind == WW_REQUEST_READ &&
            !(request->bypassed & ww_cache_bypass_bit(cache)))
            take_data(cache, request);
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
