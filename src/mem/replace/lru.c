#include "mem/replace.h"

#include <string.h>

/* The ways of a set in the order of their last use: a ring. The element after the last way is its
 * end marker, whose `newer` is the oldest way and whose `older` is the newest. */
typedef struct neighbours {
    uint8_t newer, older;
} neighbours;

typedef struct lru {
    uint32_t ways;
    neighbours links[];
} lru;

static size_t state_bytes(const ww_policy_start *start)
{
    return sizeof(lru) + start->sets * (start->ways + 1) * sizeof(neighbours);
}

static neighbours *ring_of(lru *l, uint32_t set)
{
    return &l->links[(size_t)set * (l->ways + 1)];
}

/* Nothing was used yet: the first way is evicted first. */
static void start(void *state, const ww_policy_start *start)
{
    lru *l = state;
    uint32_t ways = l->ways = (uint32_t)start->ways;
    for (uint32_t i = 0; i <= ways; i++)
        l->links[i] = (neighbours){(uint8_t)(i < ways ? i + 1 : 0), (uint8_t)(i ? i - 1 : ways)};
    for (uint32_t set = 1; set < start->sets; set++)
        memcpy(ring_of(l, set), l->links, (ways + 1) * sizeof(neighbours));
}

static void use(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)request;
    lru *l = state;
    neighbours *ring = ring_of(l, set), *end = &ring[l->ways], old = ring[way];
    ring[old.newer].older = old.older;
    ring[old.older].newer = old.newer;
    ring[way] = (neighbours){(uint8_t)l->ways, end->older};
    ring[end->older].newer = (uint8_t)way;
    end->older = (uint8_t)way;
}

static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    (void)request;
    if (ways.free)
        return ww_ways_first(ways.free);
    lru *l = state;
    const neighbours *ring = ring_of(l, set);
    uint32_t way = ring[l->ways].newer;
    while (!(ways.allowed >> way & 1))
        way = ring[way].newer;
    return way;
}

static void prefetch(const void *state, uint32_t set)
{
    const lru *l = state;
    const neighbours *ring = &l->links[(size_t)set * (l->ways + 1)];
    __builtin_prefetch(ring);
    __builtin_prefetch(&ring[l->ways]);
}

/* A rank for each line of a set. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    uint64_t rank = 0;
    while ((1ull << rank) < start->ways)
        rank++;
    return start->sets * start->ways * rank;
}

extern const ww_replace ww_replace_lru;
const ww_replace ww_replace_lru = {
    .policy = {.name = "lru",
               .doc = "the least recently used",
               .state_bytes = state_bytes,
               .start = start,
               .storage_bits = storage_bits},
    .hit = use,
    .insert = use,
    .choose = choose,
    .prefetch = prefetch,
};
