#include "mem/mshr.h"

#include "base/memory.h"

ww_mshr_file *ww_mshr_create(uint32_t capacity, uint32_t limit)
{
    ww_mshr_file *file = ww_calloc(1, sizeof(*file));
    *file = (ww_mshr_file){.capacity = capacity, .limit = limit, .bucket_bits = 1};
    while ((1ull << file->bucket_bits) < 2ull * capacity)
        file->bucket_bits++;
    file->buckets = ww_calloc((size_t)1 << file->bucket_bits, sizeof(*file->buckets));
    for (size_t i = 0; i < (size_t)1 << file->bucket_bits; i++)
        file->buckets[i] = WW_NO_MSHR;
    file->registers = ww_calloc_rows(capacity * sizeof(*file->registers));
    for (uint32_t i = 0; i < capacity; i++)
        file->registers[i] =
            (ww_mshr){.line = WW_NO_LINE, .next = i + 1 < capacity ? i + 1 : WW_NO_MSHR};
    return file;
}

void ww_mshr_destroy(ww_mshr_file *file)
{
    if (!file)
        return;
    free(file->buckets);
    free(file->registers);
    free(file);
}

void ww_mshr_merge(ww_mshr *mshr, ww_request *request)
{
    if (mshr->last) {
        request->link = mshr->last->link;
        mshr->last->link = request;
    } else {
        request->link = request;
    }
    mshr->last = request;
}

ww_request *ww_mshr_ready(ww_mshr *mshr)
{
    if (!mshr->last)
        return NULL;
    ww_request *before = mshr->last, *r = before->link;
    while (r->sectors & mshr->pending) {
        if (r == mshr->last)
            return NULL;
        before = r;
        r = r->link;
    }
    before->link = r->link;
    if (r == mshr->last)
        mshr->last = r == before ? NULL : before;
    return r;
}

bool ww_mshr_has(const ww_mshr *mshr, const ww_request *request)
{
    const ww_request *r = mshr->last;
    while (r && r != request)
        r = r->link == mshr->last ? NULL : r->link;
    return r != NULL;
}
