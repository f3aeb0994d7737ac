#include "vm/walk_cache.h"

#include "base/memory.h"

#define MOST_COUNT 3

typedef struct entry {
    uint64_t key; /* 0: the entry is free */
    uint64_t node;
    uint8_t count;
    bool recent;
} entry;

struct ww_walk_cache {
    ww_walk_cache_config config;
    entry *arrays[WW_LEVELS + 1]; /* by level; WW_WALK_CACHE_UNIFIED: all the same */
    ww_walk_cache_counters counters;
};

ww_walk_cache *ww_walk_cache_create(const ww_walk_cache_config *config)
{
    ww_walk_cache *cache = ww_calloc(1, sizeof(*cache));
    cache->config = *config;
    if (config->kind == WW_WALK_CACHE_NONE || !config->entries)
        return cache;
    for (unsigned level = config->leaf_level + 1; level <= WW_LEVELS; level++)
        cache->arrays[level] =
            config->kind == WW_WALK_CACHE_UNIFIED && level > config->leaf_level + 1
                ? cache->arrays[level - 1]
                : ww_calloc(config->entries, sizeof(entry));
    return cache;
}

void ww_walk_cache_destroy(ww_walk_cache *cache)
{
    if (!cache)
        return;
    for (unsigned level = 1; level <= WW_LEVELS; level++)
        if (level == WW_LEVELS || cache->arrays[level] != cache->arrays[level + 1])
            free(cache->arrays[level]);
    free(cache);
}

/* The address divided by what an entry covers, with the level. */
static uint64_t key_of(uint64_t address, unsigned level)
{
    return address >> ww_level_shift(level) << 3 | level;
}

static inline entry *find(const ww_walk_cache *cache, uint64_t address, unsigned level)
{
    uint64_t key = key_of(address, level);
    entry *e = cache->arrays[level];
    if (!e)
        return NULL;
    for (const entry *end = e + cache->config.entries; e < end; e++)
        if (e->key == key)
            return e;
    return NULL;
}

static inline void use(const ww_walk_cache *cache, entry *array, entry *used)
{
    if (used->recent)
        return;
    used->recent = true;
    for (uint32_t i = 0; i < cache->config.entries; i++)
        if (!array[i].recent)
            return;
    for (uint32_t i = 0; i < cache->config.entries; i++)
        array[i].recent = &array[i] == used;
}

static void count(entry *e, ww_walk_lookup why)
{
    if (why == WW_LOOKUP_ESTIMATE && e->count < MOST_COUNT)
        e->count++;
    else if ((why == WW_LOOKUP_SELECTED || why == WW_LOOKUP_MERGED) && e->count)
        e->count--;
}

static void note(ww_walk_cache *cache, ww_walk_lookup why, unsigned lowest)
{
    ww_walk_cache_counters *c = &cache->counters;
    if (why == WW_LOOKUP_ESTIMATE) {
        c->estimates++;
        c->estimate_hits += lowest > 0;
    } else if (why != WW_LOOKUP_PEEK && why != WW_LOOKUP_MERGED &&
               cache->config.kind != WW_WALK_CACHE_NONE) {
        c->lookups++;
        c->hits[lowest]++;
    }
}

/* Looks up all levels; the lowest hit decides. An estimate does not set bits of recent use. */
ww_walk_start ww_walk_cache_lookup(ww_walk_cache *cache, uint64_t address, ww_walk_lookup why)
{
    ww_walk_start start = {WW_LEVELS, 0};
    unsigned lowest = 0;
    for (unsigned level = WW_LEVELS; level > cache->config.leaf_level; level--) {
        entry *e = find(cache, address, level);
        if (!e)
            continue;
        lowest = level;
        start = (ww_walk_start){level - 1, e->node};
        if (cache->config.protect)
            count(e, why);
        if (why == WW_LOOKUP_SELECTED || why == WW_LOOKUP_AT_ONCE)
            use(cache, cache->arrays[level], e);
    }
    note(cache, why, lowest);
    return start;
}

/* How well an entry suits as a victim, best first. */
typedef enum fitness { FREE, OLD, RECENT, OLD_PROTECTED, RECENT_PROTECTED } fitness;

static fitness fitness_of(const ww_walk_cache *cache, const entry *e)
{
    if (!e->key)
        return FREE;
    bool is_protected = cache->config.protect && e->count;
    return is_protected ? (e->recent ? RECENT_PROTECTED : OLD_PROTECTED)
                        : (e->recent ? RECENT : OLD);
}

/* The victim where nothing is protected: the first that is free, else the first that is old. */
static entry *plain_victim(const ww_walk_cache *cache, entry *array)
{
    entry *old = NULL;
    for (uint32_t i = 0; i < cache->config.entries; i++) {
        if (!array[i].key)
            return &array[i];
        if (!old && !array[i].recent)
            old = &array[i];
    }
    return old ? old : &array[0];
}

static entry *victim(ww_walk_cache *cache, entry *array)
{
    if (!cache->config.protect)
        return plain_victim(cache, array);
    entry *best = &array[0];
    const entry *otherwise = NULL; /* the victim if nothing were protected */
    for (uint32_t i = 0; i < cache->config.entries; i++) {
        if (fitness_of(cache, &array[i]) < fitness_of(cache, best))
            best = &array[i];
        if (!otherwise && !array[i].recent)
            otherwise = &array[i];
    }
    cache->counters.protected_victims +=
        best->key && otherwise && otherwise != best && fitness_of(cache, best) < OLD_PROTECTED;
    return best;
}

void ww_walk_cache_put(ww_walk_cache *cache, uint64_t address, unsigned level, uint64_t node)
{
    entry *array = cache->arrays[level];
    if (!array)
        return;
    entry *e = find(cache, address, level);
    if (!e) {
        e = victim(cache, array);
        *e = (entry){.key = key_of(address, level)};
    }
    e->node = node;
    use(cache, array, e);
}

void ww_walk_cache_invalidate(ww_walk_cache *cache, uint64_t address)
{
    for (unsigned level = cache->config.leaf_level + 1; level <= WW_LEVELS; level++) {
        entry *e = find(cache, address, level);
        if (e)
            *e = (entry){0};
    }
}

void ww_walk_cache_invalidate_space(ww_walk_cache *cache, uint16_t asid)
{
    for (unsigned level = cache->config.leaf_level + 1; level <= WW_LEVELS; level++) {
        entry *e = cache->arrays[level];
        for (uint32_t i = 0; e && i < cache->config.entries; i++) {
            unsigned shift = WW_ASID_SHIFT - ww_level_shift(e[i].key & 7) + 3;
            if (e[i].key && e[i].key >> shift == asid)
                e[i] = (entry){0};
        }
    }
}

int ww_walk_cache_protection(const ww_walk_cache *cache, uint64_t address, unsigned level)
{
    const entry *e = find(cache, address, level);
    return e ? e->count : -1;
}

const ww_walk_cache_counters *ww_walk_cache_count(const ww_walk_cache *cache)
{
    return &cache->counters;
}
