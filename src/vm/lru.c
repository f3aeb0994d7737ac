#include "vm/lru.h"

#include "base/hash.h"
#include "base/memory.h"

#define NONE UINT32_MAX
#define NO_KEY UINT64_MAX

void ww_lru_create(ww_lru *lru, const ww_lru_config *config)
{
    uint32_t ways = config->ways ? config->ways : config->entries;
    *lru = (ww_lru){.sets = ways ? config->entries / ways : 0,
                    .ways = ways,
                    .hashed = config->hashed,
                    .place_bits = 1};
    while (1ull << lru->place_bits < 4ull * config->entries)
        lru->place_bits++;
    lru->entries = ww_calloc((size_t)config->entries + 1, sizeof(*lru->entries));
    lru->newest = ww_calloc((size_t)lru->sets + 1, sizeof(*lru->newest));
    lru->places = ww_calloc((size_t)1 << lru->place_bits, sizeof(*lru->places));
    ww_lru_clear(lru);
}

void ww_lru_destroy(ww_lru *lru)
{
    free(lru->entries);
    free(lru->newest);
    free(lru->places);
}

void ww_lru_clear(ww_lru *lru)
{
    for (size_t i = 0; i < (size_t)1 << lru->place_bits; i++)
        lru->places[i] = NONE;
    for (uint32_t set = 0; set < lru->sets; set++) {
        uint32_t first = set * lru->ways;
        lru->newest[set] = first;
        for (uint32_t way = 0; way < lru->ways; way++)
            lru->entries[first + way] =
                (ww_lru_entry){.key = NO_KEY,
                               .newer = first + (way + lru->ways - 1) % lru->ways,
                               .older = first + (way + 1) % lru->ways};
    }
}

/* Folds all bits of a key into those that number the sets. */
static uint64_t fold(uint64_t key, uint32_t sets)
{
    unsigned bits = (unsigned)__builtin_ctz(sets);
    uint64_t folded = 0;
    for (; bits && key; key >>= bits)
        folded ^= key;
    return folded & (sets - 1);
}

static uint32_t set_of(const ww_lru *lru, uint64_t key)
{
    if (lru->sets == 1)
        return 0;
    return (uint32_t)(lru->hashed ? fold(key, lru->sets) : key % lru->sets);
}

/* ---- where keys are ---- */

static size_t home_of(const ww_lru *lru, uint64_t key)
{
    return (size_t)(ww_mix64(key) >> (64 - lru->place_bits));
}

/* Where the key's entry is written, or would be. */
static uint32_t *place_of(const ww_lru *lru, uint64_t key)
{
    size_t mask = ((size_t)1 << lru->place_bits) - 1;
    size_t place = home_of(lru, key);
    while (lru->places[place] != NONE && lru->entries[lru->places[place]].key != key)
        place = (place + 1) & mask;
    return &lru->places[place];
}

/* What is behind the hole and could be nearer to its home moves up. */
static void forget(ww_lru *lru, uint64_t key)
{
    size_t mask = ((size_t)1 << lru->place_bits) - 1;
    size_t hole = (size_t)(place_of(lru, key) - lru->places);
    for (size_t next = (hole + 1) & mask; lru->places[next] != NONE; next = (next + 1) & mask) {
        size_t home = home_of(lru, lru->entries[lru->places[next]].key);
        if (((next - home) & mask) >= ((next - hole) & mask)) {
            lru->places[hole] = lru->places[next];
            hole = next;
        }
    }
    lru->places[hole] = NONE;
}

/* ---- the order of use ---- */

static void take_out(const ww_lru *lru, const ww_lru_entry *entry)
{
    lru->entries[entry->newer].older = entry->older;
    lru->entries[entry->older].newer = entry->newer;
}

/* Between the newest and the oldest of the ring. */
static void put_in_front(ww_lru *lru, uint32_t set, uint32_t index)
{
    ww_lru_entry *newest = &lru->entries[lru->newest[set]];
    ww_lru_entry *entry = &lru->entries[index];
    entry->older = lru->newest[set];
    entry->newer = newest->newer;
    lru->entries[newest->newer].older = index;
    newest->newer = index;
}

static uint32_t set_at(const ww_lru *lru, uint32_t index)
{
    return lru->sets == 1 ? 0 : index / lru->ways;
}

static void use(ww_lru *lru, uint32_t index)
{
    uint32_t set = set_at(lru, index);
    if (lru->newest[set] == index)
        return;
    take_out(lru, &lru->entries[index]);
    put_in_front(lru, set, index);
    lru->newest[set] = index;
}

/* ---- what is asked for ---- */

bool ww_lru_find(ww_lru *lru, uint64_t key, uint64_t *value)
{
    uint32_t index = *place_of(lru, key);
    if (index == NONE)
        return false;
    use(lru, index);
    *value = lru->entries[index].value;
    return true;
}

bool ww_lru_has(const ww_lru *lru, uint64_t key)
{
    return *place_of(lru, key) != NONE;
}

bool ww_lru_put(ww_lru *lru, uint64_t key, uint64_t value)
{
    if (!lru->sets)
        return false;
    uint32_t index = *place_of(lru, key);
    bool evicts = false;
    if (index == NONE) {
        index = lru->entries[lru->newest[set_of(lru, key)]].newer; /* the oldest */
        evicts = lru->entries[index].key != NO_KEY;
        if (evicts)
            forget(lru, lru->entries[index].key);
        lru->entries[index].key = key;
        *place_of(lru, key) = index;
    }
    lru->entries[index].value = value;
    use(lru, index);
    return evicts;
}

bool ww_lru_remove(ww_lru *lru, uint64_t key)
{
    uint32_t index = *place_of(lru, key);
    if (index == NONE)
        return false;
    uint32_t set = set_at(lru, index);
    forget(lru, key);
    lru->entries[index].key = NO_KEY;
    if (lru->ways > 1) { /* it becomes the oldest */
        use(lru, index);
        lru->newest[set] = lru->entries[index].older;
    }
    return true;
}
