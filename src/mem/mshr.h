/* Miss registers (MSHRs): the outstanding misses of a cache.
 *
 * register   one line with outstanding misses; a cache has a limited number
 * pending    the sectors of the line that were fetched from below and are not here yet
 * merged     of a request: it waits in the register of a line for sectors that others fetch
 * holds      how many requests a register has served so far, the first included; limited as well
 *
 * Finding, adding and removing cost the same for any number of registers, and allocate nothing. */
#ifndef WW_MEM_MSHR_H
#define WW_MEM_MSHR_H

#include "mem/request.h"

#include <assert.h>

#define WW_NO_MSHR UINT32_MAX

typedef struct ww_mshr {
    uint64_t line; /* its number */
    uint32_t pending;
    uint32_t stale; /* sectors written since the miss: their fill must not be kept */
    uint32_t holds : 31;
    uint32_t is_absent : 1; /* the line is not in the cache; else it may be there */
    uint32_t next;          /* in its bucket or in the free list; WW_NO_MSHR: the last */
    /* The last merged request: its link is the first, they are a ring; NULL: there are none. */
    ww_request *last;
} ww_mshr;

typedef struct ww_mshr_file {
    uint32_t capacity;
    uint32_t limit; /* requests that a register can hold */
    uint32_t used;
    uint32_t free;
    uint32_t bucket_bits;
    uint32_t *buckets;
    ww_mshr *registers;
} ww_mshr_file;

ww_mshr_file *ww_mshr_create(uint32_t capacity, uint32_t limit);
void ww_mshr_destroy(ww_mshr_file *file);

/* The high bits of a product with 2^64 over the golden ratio: Fibonacci hashing (Knuth). */
static inline uint32_t *ww_mshr_bucket(const ww_mshr_file *file, uint64_t line)
{
    return &file->buckets[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - file->bucket_bits)];
}

/* NULL: none has the line. */
static inline ww_mshr *ww_mshr_find(const ww_mshr_file *file, uint64_t line)
{
    for (uint32_t i = *ww_mshr_bucket(file, line); i != WW_NO_MSHR; i = file->registers[i].next)
        if (file->registers[i].line == line)
            return &file->registers[i];
    return NULL;
}

static inline bool ww_mshr_is_full(const ww_mshr_file *file)
{
    return file->used == file->capacity;
}

static inline bool ww_mshr_can_hold(const ww_mshr_file *file, const ww_mshr *mshr)
{
    return mshr->holds < file->limit;
}

/* There is a free register and none has this line. It holds nothing yet. */
static inline ww_mshr *ww_mshr_add(ww_mshr_file *file, uint64_t line)
{
    assert(!ww_mshr_is_full(file) && !ww_mshr_find(file, line));
    uint32_t *bucket = ww_mshr_bucket(file, line);
    uint32_t index = file->free;
    ww_mshr *mshr = &file->registers[index];
    file->free = mshr->next;
    file->used++;
    *mshr = (ww_mshr){.line = line, .next = *bucket};
    *bucket = index;
    return mshr;
}

/* Prefetches what a search for the line reads first. */
static inline void ww_mshr_prefetch(const ww_mshr_file *file, uint64_t line)
{
    __builtin_prefetch(ww_mshr_bucket(file, line));
}

/* Adds the request to the ring. */
void ww_mshr_merge(ww_mshr *mshr, ww_request *request);
/* Removes the oldest merged request that wants no pending sector; NULL: none. */
ww_request *ww_mshr_ready(ww_mshr *mshr);
/* Whether a request waits here. */
bool ww_mshr_has(const ww_mshr *mshr, const ww_request *request);
/* Registers have an index below the capacity; one that is free has line WW_NO_LINE. */
static inline ww_mshr *ww_mshr_at(const ww_mshr_file *file, uint32_t index)
{
    return &file->registers[index];
}

static inline uint32_t ww_mshr_index(const ww_mshr_file *file, const ww_mshr *mshr)
{
    return (uint32_t)(mshr - file->registers);
}

/* Nothing is pending and no request waits. */
static inline void ww_mshr_remove(ww_mshr_file *file, ww_mshr *mshr)
{
    assert(!mshr->pending && !mshr->last);
    uint32_t index = ww_mshr_index(file, mshr);
    uint32_t *at = ww_mshr_bucket(file, mshr->line);
    while (*at != index)
        at = &file->registers[*at].next;
    *at = mshr->next;
    mshr->line = WW_NO_LINE;
    mshr->next = file->free;
    file->free = index;
    file->used--;
}

#endif
