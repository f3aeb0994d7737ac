#include "base/rng.h"
#include "mem/replace.h"

static void start(void *state, const ww_policy_start *start)
{
    ww_rng_seed(state, start->seed);
}

static void use(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)state;
    (void)set;
    (void)way;
    (void)request;
}

static uint32_t choose(void *state, uint32_t set, ww_ways ways, const ww_request *request)
{
    (void)set;
    (void)request;
    if (ways.free)
        return ww_ways_first(ways.free);
    uint64_t allowed = ways.allowed;
    for (uint64_t skip = ww_rng_below(state, (uint64_t)__builtin_popcountll(allowed)); skip; skip--)
        allowed &= allowed - 1;
    return ww_ways_first(allowed);
}

extern const ww_replace ww_replace_random;
const ww_replace ww_replace_random = {
    .policy = {.name = "random",
               .doc = "any with equal chance, decided by the seed",
               .state_size = sizeof(ww_rng),
               .start = start},
    .hit = use,
    .insert = use,
    .choose = choose,
};
