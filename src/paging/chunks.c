#include "paging/chunks.h"

#include "base/memory.h"

#include <assert.h>

static void append(ww_chunks *c, uint32_t number, ww_chunk_list list)
{
    ww_chunk *chunk = &c->items[number];
    chunk->list = (uint8_t)list;
    chunk->older = c->lists[list].newest;
    chunk->newer = WW_NO_CHUNK;
    if (chunk->older == WW_NO_CHUNK)
        c->lists[list].oldest = number;
    else
        c->items[chunk->older].newer = number;
    c->lists[list].newest = number;
}

static void unlink_chunk(ww_chunks *c, uint32_t number)
{
    const ww_chunk *chunk = &c->items[number];
    if (chunk->older == WW_NO_CHUNK)
        c->lists[chunk->list].oldest = chunk->newer;
    else
        c->items[chunk->older].newer = chunk->newer;
    if (chunk->newer == WW_NO_CHUNK)
        c->lists[chunk->list].newest = chunk->older;
    else
        c->items[chunk->newer].older = chunk->older;
}

static void move(ww_chunks *c, uint32_t number, ww_chunk_list list)
{
    unlink_chunk(c, number);
    append(c, number, list);
}

void ww_chunks_create(ww_chunks *c, uint32_t count)
{
    c->items = ww_calloc(count, sizeof(*c->items));
    for (int list = 0; list < WW_CHUNK_LISTS; list++)
        c->lists[list].oldest = c->lists[list].newest = WW_NO_CHUNK;
    for (uint32_t i = 0; i < count; i++)
        append(c, i, WW_CHUNKS_FREE);
}

void ww_chunks_destroy(ww_chunks *c)
{
    free(c->items);
    c->items = NULL;
}

uint32_t ww_chunks_allocate(ww_chunks *c, uint64_t block)
{
    uint32_t number = c->lists[WW_CHUNKS_FREE].oldest;
    if (number == WW_NO_CHUNK)
        return number;
    move(c, number, WW_CHUNKS_USED);
    c->items[number].block = block;
    c->items[number].holds = 1;
    return number;
}

void ww_chunks_free(ww_chunks *c, uint32_t number)
{
    assert(!c->items[number].holds && c->items[number].list != WW_CHUNKS_FREE);
    move(c, number, WW_CHUNKS_FREE);
}

void ww_chunks_set_used(ww_chunks *c, uint32_t number, bool used)
{
    move(c, number, used ? WW_CHUNKS_USED : WW_CHUNKS_EMPTY);
}

void ww_chunks_hold(ww_chunks *c, uint32_t number)
{
    c->items[number].holds++;
}

void ww_chunks_release(ww_chunks *c, uint32_t number)
{
    assert(c->items[number].holds);
    c->items[number].holds--;
}

uint32_t ww_chunks_victim(const ww_chunks *c)
{
    for (int list = WW_CHUNKS_EMPTY; list <= WW_CHUNKS_USED; list++)
        for (uint32_t i = c->lists[list].oldest; i != WW_NO_CHUNK; i = c->items[i].newer)
            if (!c->items[i].holds)
                return i;
    return WW_NO_CHUNK;
}
