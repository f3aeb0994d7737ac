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
                    .bucket_bits = 1};
    while (1ull << lru->bucket_bits < 2ull * config->entries)
        lru->bucket_bits++;
    lru->entries = ww_calloc((size_t)config->entries + 1, sizeof(*lru->entries));
    lru->newest = ww_calloc((size_t)lru->sets + 1, sizeof(*lru->newest));
    lru->buckets = ww_calloc((size_t)1 << lru->bucket_bits, sizeof(*lru->buckets));
    ww_lru_clear(lru);
}

void ww_lru_destroy(ww_lru *lru)
{
    free(lru->entries);
    free(lru->newest);
    free(lru->buckets);
}

void ww_lru_clear(ww_lru *lru)
{
    for (size_t i = 0; i < (size_t)1 << lru->bucket_bits; i++)
        lru->buckets[i] = NONE;
    for (uint32_t set = 0; set < lru->sets; set++) {
        uint32_t first = set * lru->ways;
        lru->newest[set] = first;
        for (uint32_t way = 0; way < lru->ways; way++)
            lru->entries[first + way] =
                (ww_lru_entry){.key = NO_KEY,
                               .newer = first + (way + lru->ways - 1) % lru->ways,
                               .older = first + (way + 1) % lru->ways,
                               .next = NONE,
                               .set = set};
    }
}

/* XOR of a key's pieces, each as wide as a set number. */
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

/* ---- hash table ---- */

static inline uint32_t find(const ww_lru *lru, uint64_t key)
{
    uint32_t index = lru->buckets[ww_bucket(key, lru->bucket_bits)];
    while (index != NONE && lru->entries[index].key != key)
        index = lru->entries[index].next;
    return index;
}

static void add_to_bucket(ww_lru *lru, uint32_t index, uint64_t key)
{
    uint32_t *bucket = &lru->buckets[ww_bucket(key, lru->bucket_bits)];
    lru->entries[index].key = key;
    lru->entries[index].next = *bucket;
    *bucket = index;
}

static void remove_from_bucket(ww_lru *lru, uint32_t index)
{
    uint32_t *link = &lru->buckets[ww_bucket(lru->entries[index].key, lru->bucket_bits)];
    while (*link != index)
        link = &lru->entries[*link].next;
    *link = lru->entries[index].next;
    lru->entries[index].key = NO_KEY;
}

/* ---- the order of use ---- */

static void unlink_entry(const ww_lru *lru, const ww_lru_entry *entry)
{
    lru->entries[entry->newer].older = entry->older;
    lru->entries[entry->older].newer = entry->newer;
}

/* Links it between the newest and the oldest of the ring. */
static void link_newest(ww_lru *lru, uint32_t set, uint32_t index)
{
    ww_lru_entry *newest = &lru->entries[lru->newest[set]];
    ww_lru_entry *entry = &lru->entries[index];
    entry->older = lru->newest[set];
    entry->newer = newest->newer;
    lru->entries[newest->newer].older = index;
    newest->newer = index;
}

/* The oldest is next to the newest in the ring: to make it the newest only rotates the ring. */
static inline void use(ww_lru *lru, uint32_t index)
{
    const ww_lru_entry *entry = &lru->entries[index];
    uint32_t *newest = &lru->newest[entry->set];
    if (*newest == index)
        return;
    if (entry->older != *newest) {
        unlink_entry(lru, entry);
        link_newest(lru, entry->set, index);
    }
    *newest = index;
}

/* ---- operations ---- */

bool ww_lru_find(ww_lru *lru, uint64_t key, uint64_t *value)
{
    uint32_t index = find(lru, key);
    if (index == NONE)
        return false;
    use(lru, index);
    *value = lru->entries[index].value;
    return true;
}

bool ww_lru_has(const ww_lru *lru, uint64_t key)
{
    return find(lru, key) != NONE;
}

bool ww_lru_get(const ww_lru *lru, uint64_t key, uint64_t *value)
{
    uint32_t index = find(lru, key);
    if (index == NONE)
        return false;
    *value = lru->entries[index].value;
    return true;
}

bool ww_lru_exchange(ww_lru *lru, uint64_t key, uint64_t value, ww_lru_evicted *evicted)
{
    if (!lru->sets)
        return false;
    uint32_t index = find(lru, key);
    bool evicts = false;
    if (index == NONE && lru->newest[set_of(lru, key)] == NONE)
        return false;
    if (index == NONE) {
        index = lru->entries[lru->newest[set_of(lru, key)]].newer; /* the oldest */
        evicts = lru->entries[index].key != NO_KEY;
        if (evicts) {
            *evicted = (ww_lru_evicted){lru->entries[index].key, lru->entries[index].value};
            remove_from_bucket(lru, index);
        }
        add_to_bucket(lru, index, key);
    }
    lru->entries[index].value = value;
    use(lru, index);
    return evicts;
}

bool ww_lru_put(ww_lru *lru, uint64_t key, uint64_t value)
{
    ww_lru_evicted unused;
    return ww_lru_exchange(lru, key, value, &unused);
}

bool ww_lru_remove(ww_lru *lru, uint64_t key)
{
    uint32_t index = find(lru, key);
    if (index == NONE)
        return false;
    remove_from_bucket(lru, index);
    use(lru, index);
    lru->newest[lru->entries[index].set] = lru->entries[index].older; /* it becomes the oldest */
    return true;
}

void ww_lru_remove_all(ww_lru *lru, unsigned shift, uint64_t bits)
{
    for (uint32_t i = 0; i < lru->sets * lru->ways; i++)
        if (lru->entries[i].key != NO_KEY && lru->entries[i].key >> shift == bits)
            ww_lru_remove(lru, lru->entries[i].key);
}

/* ---- lending ---- */

uint32_t ww_lru_lend(ww_lru *lru, uint64_t key, bool *evicts)
{
    uint32_t *newest = lru->sets ? &lru->newest[set_of(lru, key)] : NULL;
    if (!newest || *newest == NONE)
        return NONE;
    uint32_t index = lru->entries[*newest].newer; /* the oldest */
    *evicts = lru->entries[index].key != NO_KEY;
    if (*evicts)
        remove_from_bucket(lru, index);
    unlink_entry(lru, &lru->entries[index]);
    if (*newest == index)
        *newest = NONE;
    return index;
}

void ww_lru_return(ww_lru *lru, uint32_t index)
{
    ww_lru_entry *entry = &lru->entries[index];
    if (lru->newest[entry->set] != NONE) {
        link_newest(lru, entry->set, index);
        return;
    }
    entry->newer = entry->older = index;
    lru->newest[entry->set] = index;
}
