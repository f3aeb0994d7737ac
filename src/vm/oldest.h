/* A priority queue of translations: the oldest instruction's first, those of one instruction in
 * order of arrival. A binary heap of a fixed capacity. */
#ifndef WW_VM_OLDEST_H
#define WW_VM_OLDEST_H

#include "vm/vm.h"

typedef struct ww_aged {
    uint64_t instruction; /* its number; lower is older */
    uint64_t arrival;     /* its number among all additions */
    ww_translation *translation;
} ww_aged;

typedef struct ww_oldest {
    ww_aged *heap;
    uint32_t count, capacity;
    uint64_t arrivals;
} ww_oldest;

void ww_oldest_create(ww_oldest *oldest, uint32_t capacity);
void ww_oldest_destroy(ww_oldest *oldest);
/* Not full. */
void ww_oldest_add(ww_oldest *oldest, ww_translation *translation);
/* NULL: empty. */
static inline ww_translation *ww_oldest_first(const ww_oldest *oldest)
{
    return oldest->count ? oldest->heap[0].translation : NULL;
}
void ww_oldest_drop_first(ww_oldest *oldest);

#endif
