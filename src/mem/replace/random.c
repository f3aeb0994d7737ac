#include "base/rng.h"
#include "mem/replace.h"

static size_t state_size(uint32_t sets, uint32_t ways)
{
    (void)sets;
    (void)ways;
    return sizeof(ww_rng);
}

static void start(void *state, uint32_t sets, uint32_t ways, uint64_t seed)
{
    (void)sets;
    (void)ways;
    ww_rng_seed(state, seed);
}

static void use(void *state, uint32_t set, uint32_t way, const ww_request *request)
{
    (void)state;
    (void)set;
    (void)way;
    (void)request;
}

static uint32_t victim(void *state, uint32_t set, uint64_t allowed, const ww_request *request)
{
    (void)set;
    (void)request;
    for (uint64_t skip = ww_rng_below(state, (uint64_t)__builtin_popcountll(allowed)); skip; skip--)
        allowed &= allowed - 1;
    return (uint32_t)__builtin_ctzll(allowed);
}

extern const ww_replace ww_replace_random;
const ww_replace ww_replace_random = {
    .policy = {.name = "random", .doc = "any with equal chance, decided by the seed"},
    .state_size = state_size,
    .start = start,
    .hit = use,
    .insert = use,
    .victim = victim,
};
