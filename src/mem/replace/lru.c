#include "mem/replace.h"

/* The time of the last use of each line, in uses of the whole cache. */
typedef struct lru {
    uint64_t uses;
    uint32_t ways;
    uint64_t last[];
} lru;

static size_t state_size(uint32_t sets, uint32_t ways)
{
    return sizeof(lru) + (size_t)sets * ways * sizeof(uint64_t);
}

static void start(void *state, uint32_t sets, uint32_t ways, uint64_t seed)
{
    (void)sets;
    (void)seed;
    ((lru *)state)->ways = ways;
}

static void use(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)request;
    lru *l = state;
    l->last[(size_t)set * l->ways + way] = ++l->uses;
}

static uint32_t victim(void *state, uint32_t set, uint64_t allowed, const ww_request *request)
{
    (void)request;
    const lru *l = state;
    const uint64_t *last = &l->last[(size_t)set * l->ways];
    uint32_t oldest = (uint32_t)__builtin_ctzll(allowed);
    for (uint64_t left = allowed & (allowed - 1); left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctzll(left);
        if (last[way] < last[oldest])
            oldest = way;
    }
    return oldest;
}

/* A rank for each line of a set. */
static uint64_t storage_bits(const struct ww_config *config, const char *key)
{
    ww_replace_geometry cache = ww_replace_geometry_of(config, key);
    uint64_t rank = 0;
    while ((1ull << rank) < cache.ways)
        rank++;
    return cache.sets * cache.ways * rank;
}

extern const ww_replace ww_replace_lru;
const ww_replace ww_replace_lru = {
    .policy = {.name = "lru", .doc = "the least recently used", .storage_bits = storage_bits},
    .state_size = state_size,
    .start = start,
    .hit = use,
    .insert = use,
    .victim = victim,
};
