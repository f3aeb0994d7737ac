/* A map from numbers to numbers: open addressing, nothing allocated but when it grows. */
#ifndef WW_BASE_NUMBER_MAP_H
#define WW_BASE_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WW_NO_NUMBER UINT64_MAX /* not a key; the value of a key that is not there */

typedef struct ww_number_entry {
    uint64_t key; /* WW_NO_NUMBER: a free entry */
    uint64_t value;
} ww_number_entry;

typedef struct ww_number_map {
    ww_number_entry *entries; /* NULL while it is empty */
    unsigned bits;            /* log2 of the capacity */
    size_t count;
} ww_number_map; /* zeroed: empty */

void ww_number_map_clear(ww_number_map *map);
uint64_t ww_number_map_get(const ww_number_map *map, uint64_t key);
void ww_number_map_set(ww_number_map *map, uint64_t key, uint64_t value);
bool ww_number_map_remove(ww_number_map *map, uint64_t key); /* false: it was not there */

#endif
