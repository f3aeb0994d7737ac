#include "vm/oldest.h"

#include "base/memory.h"

#include <assert.h>

void ww_oldest_create(ww_oldest *oldest, uint32_t capacity)
{
    *oldest = (ww_oldest){.heap = ww_calloc(capacity, sizeof(ww_aged)), .capacity = capacity};
}

void ww_oldest_destroy(ww_oldest *oldest)
{
    free(oldest->heap);
}

static bool is_older(const ww_aged *a, const ww_aged *b)
{
    return a->instruction != b->instruction ? a->instruction < b->instruction
                                            : a->arrival < b->arrival;
}

void ww_oldest_add(ww_oldest *oldest, ww_translation *translation)
{
    assert(oldest->count < oldest->capacity);
    ww_aged added = {translation->instruction.number, oldest->arrivals++, translation};
    uint32_t at = oldest->count++;
    for (; at && is_older(&added, &oldest->heap[(at - 1) / 2]); at = (at - 1) / 2)
        oldest->heap[at] = oldest->heap[(at - 1) / 2];
    oldest->heap[at] = added;
}

void ww_oldest_drop_first(ww_oldest *oldest)
{
    assert(oldest->count);
    ww_aged last = oldest->heap[--oldest->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < oldest->count; at = child) {
        if (child + 1 < oldest->count && is_older(&oldest->heap[child + 1], &oldest->heap[child]))
            child++;
        if (!is_older(&oldest->heap[child], &last))
            break;
        oldest->heap[at] = oldest->heap[child];
    }
    oldest->heap[at] = last;
}
