/* Lookups of the request at the head of `in`. Each function either passes the request on and
 * returns WW_CACHE_FLOWS, or leaves the request unchanged and returns why it stalls. What ends the
 * stall wakes the task: a fill, a free entry of a port (the task waits in the port's list), or time
 * (a bank). */
#include "mem/cache_internal.h"

typedef enum outcome { HIT, MISS, MERGED } outcome;

static inline void count(ww_cache *cache, const ww_request *request, outcome what)
{
    ww_cache_counters *c = &cache->counters;
    c->accesses++;
    c->kinds[request->kind]++;
    c->class_accesses[request->class]++;
    uint32_t sectors = request->sectors;
    bool is_single = !(sectors & (sectors - 1)); /* the usual case; popcount is slower */
    uint64_t bytes = (uint64_t)(is_single ? 1 : __builtin_popcount(sectors)) * cache->config.sector;
    c->bytes += bytes;
    if (request->critical && request->kind == WW_REQUEST_READ) {
        c->critical_accesses++;
        c->critical_hits += what == HIT;
    }
    if (request->class == WW_CLASS_PTE)
        c->pte_bytes += bytes;
    if (what == HIT) {
        c->class_hits[request->class]++;
        c->hits++;
    } else if (what == MISS) {
        c->misses++;
        c->read_misses += request->kind == WW_REQUEST_READ;
    } else {
        c->merged++;
    }
}

/* The request was looked up: its time in the queue is over. */
static inline void leave_queue(ww_cache *cache, ww_request *request, outcome what)
{
    ww_request_stage(request, cache->stall_stage, cache->now);
    if (request->blamed)
        ww_blame_add(cache->config.level == WW_LEVEL_L1 ? &request->before_l1 : &request->after_l1,
                     &cache->queue_blame, cache->now);
    if (what != HIT && cache->config.level == WW_LEVEL_L1)
        request->missed = true;
    count(cache, request, what);
}

/* Notifies the policies. */
static inline void note_hit(ww_cache *cache, ww_tags_entry entry, const ww_request *request)
{
    ww_tags_hit(cache->tags, entry, request);
    if (cache->bypass_hit)
        cache->bypass_hit(cache->bypass_state,
                          cache->tags->pc_tags[ww_tags_slot(cache->tags, entry)]);
}

static void send_down(ww_cache *cache, ww_request *request)
{
    ww_request_join(request, cache->wiring.down->blame, cache->miss_cause, cache->now);
    ww_port_send(cache->wiring.down, request, cache->now + 1);
}

/* The request waits for the fill that it needs. */
static void wait_for_miss(ww_cache *cache, ww_request *request, ww_mshr *mshr)
{
    ww_request_join(request, cache->miss_blame, cache->miss_cause, cache->now);
    ww_mshr_merge(mshr, request);
}

/* Sends the request down; its reply will pass through. */
static ww_cache_stall pass_down(ww_cache *cache, ww_request *request, outcome what)
{
    leave_queue(cache, request, what);
    send_down(cache, request);
    return WW_CACHE_FLOWS;
}

static bool has_out(ww_cache *cache, ww_port *out)
{
    if (ww_port_has_room(out))
        return true;
    ww_port_wait(out, &cache->task);
    return false;
}

/* ---- reads, and atomics that are performed here ---- */

static ww_cache_stall merge(ww_cache *cache, ww_request *request, ww_mshr *mshr)
{
    leave_queue(cache, request, MERGED);
    wait_for_miss(cache, request, mshr);
    mshr->holds++;
    request->merged = cache->config.merge_is_reuse;
    return WW_CACHE_FLOWS;
}

/* Fetches some sectors from below: with the request itself when it wants exactly these, else with a
 * read that the cache makes, whose owner is the request that waits for it. */
static void fetch(ww_cache *cache, ww_request *request, ww_mshr *mshr, uint32_t sectors)
{
    mshr->pending |= sectors;
    mshr->holds++;
    uint32_t index = ww_mshr_index(cache->mshrs, mshr);
    if (sectors == request->sectors && request->kind == WW_REQUEST_READ) {
        request->registers[cache->config.level] = index;
        send_down(cache, request);
        return;
    }
    ww_request *part = ww_request_allocate(cache->pool, cache->now);
    part->address = request->address;
    part->sectors = sectors;
    part->kind = WW_REQUEST_READ;
    part->class = request->class;
    part->source = request->source;
    part->pc_tag = request->pc_tag;
    part->warp = request->warp;
    part->criticality = request->criticality;
    part->critical = request->critical;
    part->missed = request->missed;
    part->owner = request;
    part->blamed = request->blamed;
    part->after_l1 = (ww_blame){.ticks = {0}};
    part->sets[cache->config.level] = request->sets[cache->config.level];
    part->registers[cache->config.level] = index;
    wait_for_miss(cache, request, mshr);
    send_down(cache, part);
}

static bool is_bypassed(ww_cache *cache, const ww_request *request, bool absent)
{
    if (!cache->bypasses || !absent || request->kind != WW_REQUEST_READ ||
        cache->not_bypassed == request)
        return false;
    if (cache->bypasses(cache->bypass_state, request))
        return true;
    cache->not_bypassed = request;
    return false;
}

/* Reserves a way for the line; WW_NO_WAY: there is none. */
static ww_tags_entry reserve_way(ww_cache *cache, ww_tags_entry entry, const ww_request *request)
{
    if (entry.way == WW_NO_WAY)
        entry = ww_cache_allocate_way(cache, entry.set, ww_cache_number(cache, request), request);
    if (entry.way != WW_NO_WAY)
        ww_tags_reserve(cache->tags, entry);
    return entry;
}

static ww_cache_stall pass_by(ww_cache *cache, ww_request *request)
{
    request->bypassed |= ww_cache_bypass_bit(cache);
    cache->counters.bypasses++;
    return pass_down(cache, request, MISS);
}

static ww_cache_stall miss(ww_cache *cache, ww_request *request, ww_tags_entry entry,
                           uint32_t missing)
{
    uint64_t number = ww_cache_number(cache, request);
    ww_mshr *mshr = request == cache->absent ? NULL : ww_mshr_find(cache->mshrs, number);
    if (mshr) {
        if (!ww_mshr_can_hold(cache->mshrs, mshr))
            return WW_CACHE_STALL_MERGE;
        missing &= ~mshr->pending;
        if (!(missing & request->sectors))
            return merge(cache, request, mshr);
    } else if (entry.way == WW_NO_WAY) {
        cache->absent = request;
    }
    if (!ww_cache_can_send_down(cache))
        return WW_CACHE_STALL_DOWN;
    if (!mshr) {
        if (is_bypassed(cache, request, entry.way == WW_NO_WAY))
            return pass_by(cache, request);
        if (ww_mshr_is_full(cache->mshrs))
            return WW_CACHE_STALL_MSHR;
        if (cache->config.allocate == WW_ALLOCATE_ON_MISS) {
            entry = reserve_way(cache, entry, request);
            if (entry.way == WW_NO_WAY)
                return WW_CACHE_STALL_WAYS;
        }
        mshr = ww_mshr_add(cache->mshrs, number);
        mshr->is_absent = entry.way == WW_NO_WAY;
    }
    leave_queue(cache, request, MISS);
    fetch(cache, request, mshr, missing);
    return WW_CACHE_FLOWS;
}

/* The sectors that a read or atomic has to wait for. */
static uint32_t missing_sectors(const ww_cache *cache, ww_tags_entry entry, uint32_t wanted)
{
    uint32_t valid = entry.way == WW_NO_WAY ? 0 : ww_tags_line(cache->tags, entry)->valid;
    if (!(wanted & ~valid))
        return 0;
    return (cache->config.whole_lines ? cache->all_sectors : wanted) & ~valid;
}

static ww_tags_entry find(const ww_cache *cache, const ww_request *request)
{
    if (request == cache->absent)
        return (ww_tags_entry){request->sets[cache->config.level], WW_NO_WAY};
    return ww_cache_find(cache, request);
}

static ww_cache_stall read(ww_cache *cache, ww_request *request)
{
    ww_tags_entry entry = find(cache, request);
    uint32_t missing = missing_sectors(cache, entry, request->sectors);
    if (missing)
        return miss(cache, request, entry, missing);
    bool is_atomic = request->kind == WW_REQUEST_ATOMIC;
    ww_port *out = is_atomic ? NULL : ww_cache_out(cache, request);
    if (out && !has_out(cache, out))
        return WW_CACHE_STALL_OUT;
    leave_queue(cache, request, HIT);
    note_hit(cache, entry, request);
    if (out) {
        ww_cache_reply(cache, out, request);
    } else {
        ww_tags_line(cache->tags, entry)->dirty |= request->sectors;
        ww_cache_perform_atomic(cache, request);
    }
    return WW_CACHE_FLOWS;
}

/* ---- writes, and atomics that are not ---- */

/* A way was allocated without a fill. */
static void note_presence(ww_cache *cache, uint64_t number)
{
    ww_mshr *mshr = cache->mshrs->used ? ww_mshr_find(cache->mshrs, number) : NULL;
    if (mshr)
        mshr->is_absent = false;
}

static ww_cache_stall write_here(ww_cache *cache, ww_request *request)
{
    bool is_write_back = request->class == WW_CLASS_WRITE_BACK;
    ww_port *out = is_write_back ? NULL : ww_cache_out(cache, request);
    if (out && !has_out(cache, out))
        return WW_CACHE_STALL_OUT;
    ww_tags_entry entry = find(cache, request);
    outcome what = entry.way == WW_NO_WAY ? MISS : HIT;
    if (what == MISS) {
        ww_cache_send_victims(cache);
        if (cache->victims.count)
            return WW_CACHE_STALL_DOWN;
        entry = ww_cache_allocate_way(cache, entry.set, ww_cache_number(cache, request), request);
        if (entry.way == WW_NO_WAY)
            return WW_CACHE_STALL_WAYS;
        note_presence(cache, ww_cache_number(cache, request));
    } else {
        note_hit(cache, entry, request);
    }
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    line->dirty |= request->sectors;
    line->valid |= request->full ? request->sectors : 0;
    leave_queue(cache, request, what);
    if (out)
        ww_cache_reply(cache, out, request);
    else
        ww_request_free(cache->pool, request);
    return WW_CACHE_FLOWS;
}

/* The sectors that a store or an atomic that goes down makes stale here: its own, or the whole line
 * where lines are fetched whole. */
static uint32_t outdated_by(const ww_cache *cache, const ww_request *request)
{
    return cache->config.whole_lines ? cache->all_sectors : request->sectors;
}

/* Pending fills of these sectors are older than what goes down now. */
static void outdate(ww_cache *cache, uint64_t number, uint32_t sectors)
{
    ww_mshr *mshr = cache->mshrs->used ? ww_mshr_find(cache->mshrs, number) : NULL;
    if (mshr)
        mshr->stale |= sectors;
}

static ww_cache_stall write_below(ww_cache *cache, ww_request *request)
{
    if (!ww_cache_can_send_down(cache))
        return WW_CACHE_STALL_DOWN;
    ww_tags_entry entry = find(cache, request);
    outcome what = MISS;
    if (entry.way != WW_NO_WAY && (ww_tags_line(cache->tags, entry)->valid & request->sectors)) {
        what = HIT;
        if (cache->config.write == WW_WRITE_EVICT)
            ww_cache_invalidate_sectors(cache, entry, outdated_by(cache, request));
        else
            note_hit(cache, entry, request);
    }
    outdate(cache, ww_cache_number(cache, request), outdated_by(cache, request));
    return pass_down(cache, request, what);
}

static ww_cache_stall atomic_below(ww_cache *cache, ww_request *request)
{
    if (!ww_cache_can_send_down(cache))
        return WW_CACHE_STALL_DOWN;
    ww_tags_entry entry = find(cache, request);
    uint64_t number = ww_cache_number(cache, request);
    outdate(cache, number, outdated_by(cache, request));
    if (entry.way != WW_NO_WAY) {
        ww_cache_line *line = ww_tags_line(cache->tags, entry);
        if (line->dirty) {
            outdate(cache, number, line->dirty);
            ww_cache_write_back(cache, number, line);
        }
        ww_cache_invalidate_sectors(cache, entry, outdated_by(cache, request));
        if (!ww_cache_can_send_down(cache)) /* the write-back took the last entry */
            return WW_CACHE_STALL_DOWN;
    }
    return pass_down(cache, request, MISS);
}

/* ---- the queue ---- */

static inline ww_cache_stall look_up(ww_cache *cache, ww_request *request)
{
    if (!cache->tags)
        return ww_cache_can_send_down(cache) ? pass_down(cache, request, MISS)
                                             : WW_CACHE_STALL_DOWN;
    if (request->kind == WW_REQUEST_READ)
        return read(cache, request);
    if (request->kind == WW_REQUEST_ATOMIC)
        return cache->config.atomics_here ? read(cache, request) : atomic_below(cache, request);
    return cache->config.write == WW_WRITE_BACK ? write_here(cache, request)
                                                : write_below(cache, request);
}

/* The bank that the lookup needs; NULL: none. */
static inline ww_bank *bank_for(const ww_cache *cache, const ww_request *request)
{
    bool needed =
        cache->config.banks || (request->kind == WW_REQUEST_ATOMIC && cache->config.atomics_here);
    return needed && cache->tags ? ww_cache_bank(cache, ww_cache_number(cache, request)) : NULL;
}

/* Likewise; the use is that before the lookup changes the cache. */
static __attribute__((noinline)) ww_cache_stall look_up_measured(ww_cache *cache,
                                                                 ww_request *request)
{
    uint64_t number = ww_cache_number(cache, request);
    ww_tags_entry entry = ww_cache_find(cache, request);
    ww_line_use use = {.line = number,
                       .set = entry.set,
                       .pc = request->pc,
                       .critical = request->critical,
                       .is_here = entry.way != WW_NO_WAY || ww_mshr_find(cache->mshrs, number)};
    bool is_load = request->kind == WW_REQUEST_READ && request->class == WW_CLASS_DATA;
    ww_cache_stall stall = look_up(cache, request);
    if (!stall && is_load)
        ww_reuse_add(cache->reuse, &use);
    return stall;
}

static void note_stall(ww_cache *cache, ww_cache_stall stall)
{
    if (stall == cache->stall)
        return;
    if (cache->stall) {
        cache->counters.stalls[cache->stall] += cache->now - cache->stalled_since;
        if (ww_cache_waits_for_mshr(cache))
            cache->mshr_cycles = ww_cache_mshr_cycles(cache, cache->cycle);
    }
    cache->stall = stall;
    cache->stalled_since = cache->now;
}

void ww_cache_look_up(ww_cache *cache)
{
    ww_cache_stall stall = WW_CACHE_FLOWS;
    ww_request *request = ww_cache_arrived(cache, &cache->in);
    for (uint32_t n = cache->config.ports; request && n; n--) {
        ww_bank *bank = bank_for(cache, request);
        if (bank && bank->free > cache->now) {
            stall = WW_CACHE_STALL_BANK;
            break;
        }
        stall = cache->reuse ? look_up_measured(cache, request) : look_up(cache, request);
        if (stall)
            break;
        if (cache->config.banks && bank && bank->free <= cache->now)
            bank->free = cache->now + 1;
        cache->not_bypassed = cache->absent = NULL;
        ww_port_pop(&cache->in);
        request = ww_cache_arrived(cache, &cache->in);
    }
    note_stall(cache, stall);
}
