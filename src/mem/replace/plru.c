#include "mem/replace.h"

/* A binary tree over the ways of each set: node 1 is the root, 2n and 2n+1 are below n, and the
 * ways are the leaves. Bit n says which half of node n was used longer ago: 0 the lower ways, 1 the
 * higher. */
typedef struct plru {
    uint32_t ways;
    uint64_t all;               /* a bit for each way */
    uint64_t path[WW_MAX_WAYS]; /* by way: the nodes that lead to it */
    uint64_t away[WW_MAX_WAYS]; /* by way: what these say when they point away from it */
    uint64_t trees[];
} plru;

static const char *refuse(const ww_policy_start *start)
{
    return start->ways & (start->ways - 1) ? "plru needs a power of two" : NULL;
}

static size_t state_bytes(const ww_policy_start *start)
{
    return sizeof(plru) + start->sets * sizeof(uint64_t);
}

static void start(void *state, const ww_policy_start *start)
{
    plru *p = state;
    uint32_t ways = p->ways = (uint32_t)start->ways;
    p->all = ~0ull >> (WW_MAX_WAYS - ways);
    for (uint32_t way = 0; way < ways; way++)
        for (uint32_t node = ways + way; node > 1; node /= 2) {
            p->path[way] |= 1ull << node / 2;
            p->away[way] |= node % 2 ? 0 : 1ull << node / 2;
        }
}

/* Every node on the way to the used line points away from it. */
static void use(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)request;
    plru *p = state;
    p->trees[set] = (p->trees[set] & ~p->path[way]) | p->away[way];
}

/* Follows the tree, but never into a half without an allowed way. */
static uint32_t victim_of_some(const plru *p, uint32_t set, uint64_t allowed)
{
    uint32_t node = 1, first = 0;
    for (uint32_t half = p->ways / 2; half > 0; half /= 2) {
        uint64_t lower = ((1ull << half) - 1) << first;
        bool high = p->trees[set] >> node & 1;
        if (!(allowed & lower))
            high = true;
        else if (!(allowed & lower << half))
            high = false;
        node = 2 * node + high;
        first += high ? half : 0;
    }
    return first;
}

static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    (void)request;
    const plru *p = state;
    if (ways.free)
        return ww_ways_first(ways.free);
    if (ways.allowed != p->all)
        return victim_of_some(p, set, ways.allowed);
    uint64_t tree = p->trees[set];
    uint32_t node = 1;
    while (node < p->ways)
        node = 2 * node + (tree >> node & 1);
    return node - p->ways;
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return start->ways ? start->sets * (start->ways - 1) : 0;
}

extern const ww_replace ww_replace_plru;
const ww_replace ww_replace_plru = {
    .policy = {.name = "plru",
               .doc = "pseudo-LRU: a binary tree over the ways points away from what was used",
               .state_bytes = state_bytes,
               .start = start,
               .storage_bits = storage_bits},
    .refuse = refuse,
    .hit = use,
    .insert = use,
    .choose = choose,
};
