#include "base/number_map.h"

#include "base/hash.h"
#include "base/memory.h"

#define LEAST_BITS 4

void ww_number_map_clear(ww_number_map *map)
{
    free(map->entries);
    *map = (ww_number_map){0};
}

static size_t home_of(const ww_number_map *map, uint64_t key)
{
    return (size_t)(ww_mix64(key) >> (64 - map->bits));
}

/* The index of the key's entry, or of the free entry where it would be. */
static size_t index_of(const ww_number_map *map, uint64_t key)
{
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t index = home_of(map, key);
    while (map->entries[index].key != key && map->entries[index].key != WW_NO_NUMBER)
        index = (index + 1) & mask;
    return index;
}

uint64_t ww_number_map_get(const ww_number_map *map, uint64_t key)
{
    if (!map->entries)
        return WW_NO_NUMBER;
    const ww_number_entry *entry = &map->entries[index_of(map, key)];
    return entry->key == key ? entry->value : WW_NO_NUMBER;
}

static void resize(ww_number_map *map, unsigned bits)
{
    ww_number_map old = *map;
    size_t capacity = (size_t)1 << bits;
    map->entries = ww_calloc(capacity, sizeof(*map->entries));
    map->bits = bits;
    for (size_t i = 0; i < capacity; i++)
        map->entries[i].key = WW_NO_NUMBER;
    for (size_t i = 0; old.entries && i < (size_t)1 << old.bits; i++)
        if (old.entries[i].key != WW_NO_NUMBER)
            map->entries[index_of(map, old.entries[i].key)] = old.entries[i];
    free(old.entries);
}

void ww_number_map_set(ww_number_map *map, uint64_t key, uint64_t value)
{
    if (!map->entries || 2 * (map->count + 1) > (size_t)1 << map->bits)
        resize(map, map->entries ? map->bits + 1 : LEAST_BITS);
    ww_number_entry *entry = &map->entries[index_of(map, key)];
    map->count += entry->key != key;
    *entry = (ww_number_entry){key, value};
}

/* Entries after the removed one move into the hole when that is nearer to their home. */
bool ww_number_map_remove(ww_number_map *map, uint64_t key)
{
    if (!map->entries)
        return false;
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t hole = index_of(map, key);
    if (map->entries[hole].key != key)
        return false;
    for (size_t next = (hole + 1) & mask; map->entries[next].key != WW_NO_NUMBER;
         next = (next + 1) & mask) {
        size_t home = home_of(map, map->entries[next].key);
        if (((next - home) & mask) >= ((next - hole) & mask)) {
            map->entries[hole] = map->entries[next];
            hole = next;
        }
    }
    map->entries[hole].key = WW_NO_NUMBER;
    map->count--;
    return true;
}
