/* Invalidations and flushes: lines leave without others that need their ways. */
#include "mem/cache_internal.h"

/* ---- all lines ---- */

static void outdate_misses(ww_cache *cache)
{
    for (uint32_t i = 0; cache->mshrs->used && i < cache->mshrs->capacity; i++) {
        ww_mshr *mshr = ww_mshr_at(cache->mshrs, i);
        if (mshr->line != WW_NO_LINE)
            mshr->stale = cache->all_sectors;
    }
}

static void invalidate_clean(void *owner, ww_tags_entry entry)
{
    ww_cache *cache = owner;
    ww_cache_invalidate_sectors(cache, entry, ~ww_tags_line(cache->tags, entry)->dirty);
}

void ww_cache_invalidate(ww_cache *cache)
{
    if (!cache->tags)
        return;
    ww_tags_each(cache->tags, invalidate_clean, cache);
    outdate_misses(cache);
    if (cache->reuse)
        ww_reuse_clear(cache->reuse);
}

/* ---- a range ---- */

static void invalidate_line(ww_cache *cache, uint64_t number)
{
    ww_tags_entry entry = ww_tags_find(cache->tags, number);
    ww_mshr *mshr = cache->mshrs->used ? ww_mshr_find(cache->mshrs, number) : NULL;
    if (entry.way != WW_NO_WAY)
        ww_cache_invalidate_sectors(cache, entry, cache->all_sectors);
    if (mshr)
        mshr->stale = cache->all_sectors;
}

void ww_cache_invalidate_range(ww_cache *cache, uint64_t address, uint64_t bytes)
{
    if (!cache->tags || !bytes)
        return;
    uint64_t last = (address + bytes - 1) >> cache->line_bits;
    for (uint64_t number = address >> cache->line_bits; number <= last; number++)
        invalidate_line(cache, number);
    if (cache->stall == WW_CACHE_STALL_WAYS)
        ww_wake(cache->engine, &cache->task, ww_engine_now(cache->engine));
}

/* ---- flushes ---- */

void ww_cache_flush(ww_cache *cache, void (*done)(void *context), void *context)
{
    assert(!cache->flush);
    cache->flush = WW_FLUSH_REQUESTED;
    cache->flush_done = done;
    cache->flush_context = context;
    ww_wake(cache->engine, &cache->task, ww_engine_now(cache->engine));
}

static void flush_line(void *owner, ww_tags_entry entry)
{
    ww_cache *cache = owner;
    ww_cache_line *line = ww_tags_line(cache->tags, entry);
    if (line->dirty)
        ww_cache_write_back(cache, line->number, line);
    ww_cache_invalidate_sectors(cache, entry, cache->all_sectors);
}

void ww_cache_begin_flush(ww_cache *cache)
{
    cache->flush = WW_FLUSH_SENDING;
    if (!cache->tags)
        return;
    ww_tags_each(cache->tags, flush_line, cache);
    outdate_misses(cache);
}

void ww_cache_end_flush(ww_cache *cache)
{
    if (cache->victims.count)
        return; /* `down` wakes the task */
    cache->flush = WW_FLUSH_NONE;
    cache->flush_done(cache->flush_context);
}
