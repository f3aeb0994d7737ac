#include "base/map.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

typedef struct slot {
    const char *key;
    size_t length;
    void *value;
} slot;

struct ww_map {
    slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
};

ww_map *ww_map_create(void)
{
    ww_map *map = ww_calloc(1, sizeof(*map));
    map->capacity = 16;
    map->slots = ww_calloc(map->capacity, sizeof(slot));
    return map;
}

void ww_map_destroy(ww_map *map)
{
    if (!map)
        return;
    free(map->slots);
    free(map);
}

static slot *find_slot(const ww_map *map, const char *key, size_t length)
{
    size_t i = ww_hash64(key, length, 0) & (map->capacity - 1);
    while (map->slots[i].key &&
           (map->slots[i].length != length || memcmp(map->slots[i].key, key, length) != 0))
        i = (i + 1) & (map->capacity - 1);
    return &map->slots[i];
}

void *ww_map_get(const ww_map *map, const char *key, size_t length)
{
    return find_slot(map, key, length)->value;
}

void *ww_map_find(const ww_map *map, const char *key)
{
    return ww_map_get(map, key, strlen(key));
}

static void grow(ww_map *map)
{
    slot *old = map->slots;
    size_t old_capacity = map->capacity;
    map->capacity *= 2;
    map->slots = ww_calloc(map->capacity, sizeof(slot));
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].key)
            *find_slot(map, old[i].key, old[i].length) = old[i];
    free(old);
}

int ww_map_add(ww_map *map, const char *key, size_t length, void *value)
{
    if (map->count * 4 >= map->capacity * 3)
        grow(map);
    slot *s = find_slot(map, key, length);
    if (s->key)
        return 0;
    *s = (slot){key, length, value};
    map->count++;
    return 1;
}

size_t ww_map_count(const ww_map *map)
{
    return map->count;
}
