/* Warming: requests change the lines of a cache in no time, as their lookups and fills would. */
#include "mem/cache_internal.h"

static void write_back(const ww_cache *cache, ww_cache_line *line, ww_cache_victim *victim)
{
    *victim = (ww_cache_victim){.address = line->number << cache->line_bits,
                                .sectors = line->dirty,
                                .full = !(line->dirty & ~line->valid)};
    line->dirty = 0;
}

/* Allocates a way to the request's line; its victim goes to *victim. */
static ww_tags_entry insert(ww_cache *cache, uint32_t set, const ww_request *request,
                            ww_cache_victim *victim)
{
    ww_tags *tags = cache->tags;
    ww_tags_entry entry = ww_tags_choose(tags, set, ~0ull, request);
    ww_cache_line *line = ww_tags_line(tags, entry);
    if (line->number != WW_NO_LINE) {
        write_back(cache, line, victim);
        ww_tags_evict(tags, entry, false);
        if (cache->bypass_evict) {
            ww_evicted leaving = ww_tags_leaving(tags, entry, false);
            cache->bypass_evict(cache->bypass_state, &leaving);
        }
    }
    ww_tags_insert(tags, entry, ww_cache_number(cache, request), request);
    return entry;
}

static void note_hit(ww_cache *cache, ww_tags_entry entry, const ww_request *request)
{
    ww_tags_hit(cache->tags, entry, request);
    if (cache->bypass_hit)
        cache->bypass_hit(cache->bypass_state,
                          cache->tags->pc_tags[ww_tags_slot(cache->tags, entry)]);
}

/* A read, or an atomic that is performed here. */
static uint32_t read(ww_cache *cache, const ww_request *request, ww_cache_victim *victim)
{
    ww_tags_entry entry = ww_tags_find(cache->tags, ww_cache_number(cache, request));
    bool absent = entry.way == WW_NO_WAY;
    bool is_atomic = request->kind == WW_REQUEST_ATOMIC;
    uint32_t valid = absent ? 0 : ww_tags_line(cache->tags, entry)->valid, missing = 0;
    if (request->sectors & ~valid)
        missing = (cache->config.whole_lines ? cache->all_sectors : request->sectors) & ~valid;
    if (absent && !is_atomic && cache->bypasses && cache->bypasses(cache->bypass_state, request))
        return request->sectors;
    if (absent)
        entry = insert(cache, entry.set, request, victim);
    else if (!missing)
        note_hit(cache, entry, request);
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    line->valid |= missing;
    line->dirty |= is_atomic ? request->sectors : 0;
    return missing;
}

static uint32_t write_here(ww_cache *cache, const ww_request *request, ww_cache_victim *victim)
{
    ww_tags_entry entry = ww_tags_find(cache->tags, ww_cache_number(cache, request));
    if (entry.way == WW_NO_WAY)
        entry = insert(cache, entry.set, request, victim);
    else
        note_hit(cache, entry, request);
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    line->dirty |= request->sectors;
    line->valid |= request->full ? request->sectors : 0;
    return 0;
}

/* A write or an atomic that goes down; `drops`: the copy here is outdated by it. */
static uint32_t write_below(ww_cache *cache, const ww_request *request, bool drops,
                            ww_cache_victim *victim)
{
    ww_tags_entry entry = ww_tags_find(cache->tags, ww_cache_number(cache, request));
    if (entry.way == WW_NO_WAY)
        return request->sectors;
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    if (drops) {
        write_back(cache, line, victim);
        ww_cache_invalidate_sectors(
            cache, entry, cache->config.whole_lines ? cache->all_sectors : request->sectors);
    } else if (line->valid & request->sectors) {
        note_hit(cache, entry, request);
    }
    return request->sectors;
}

uint32_t ww_cache_warm(ww_cache *cache, const ww_request *request, ww_cache_victim *victim)
{
    victim->sectors = 0;
    if (!cache->tags)
        return request->sectors;
    bool is_atomic = request->kind == WW_REQUEST_ATOMIC;
    if (request->kind == WW_REQUEST_READ || (is_atomic && cache->config.atomics_here))
        return read(cache, request, victim);
    if (!is_atomic && cache->config.write == WW_WRITE_BACK)
        return write_here(cache, request, victim);
    return write_below(cache, request, is_atomic || cache->config.write == WW_WRITE_EVICT, victim);
}
