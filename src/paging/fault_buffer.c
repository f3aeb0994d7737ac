#include "paging/fault_buffer.h"

#include "base/memory.h"

#include <assert.h>

void ww_fault_buffer_create(ww_fault_buffer *b, uint32_t capacity)
{
    assert(capacity >= 2);
    *b = (ww_fault_buffer){.capacity = capacity};
    b->entries = ww_calloc(capacity, sizeof(*b->entries));
}

void ww_fault_buffer_destroy(ww_fault_buffer *b)
{
    free(b->entries);
    b->entries = NULL;
}

static uint32_t after(const ww_fault_buffer *b, uint32_t index)
{
    return index + 1 == b->capacity ? 0 : index + 1;
}

static uint32_t distance(const ww_fault_buffer *b, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + b->capacity - from;
}

bool ww_fault_buffer_write(ww_fault_buffer *b, const ww_fault_entry *entry)
{
    if (after(b, b->put) == b->get) {
        b->dropped++;
        return false;
    }
    b->entries[b->put] = *entry;
    b->put = after(b, b->put);
    b->written++;
    return true;
}

uint32_t ww_fault_buffer_cached(const ww_fault_buffer *b)
{
    return distance(b, b->get, b->cached_put);
}

uint32_t ww_fault_buffer_used(const ww_fault_buffer *b)
{
    return distance(b, b->get, b->put);
}

void ww_fault_buffer_read_put(ww_fault_buffer *b)
{
    b->cached_put = b->put;
    b->put_reads++;
}

ww_fault_entry ww_fault_buffer_fetch(ww_fault_buffer *b)
{
    assert(b->get != b->cached_put);
    ww_fault_entry entry = b->entries[b->get];
    b->get = after(b, b->get);
    return entry;
}

uint32_t ww_fault_buffer_flush(ww_fault_buffer *b)
{
    uint32_t count = ww_fault_buffer_cached(b);
    b->get = b->cached_put;
    b->flushed += count;
    return count;
}
