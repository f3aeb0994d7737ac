/* A random walk, all equally likely (ISCA 2018, figure 2). */
#include "base/rng.h"
#include "vm/walksched.h"

static void start(void *state, const ww_policy_start *start)
{
    ww_rng_seed(state, start->seed);
}

static ww_walk *choose(void *state, const ww_walk_buffer *buffer)
{
    uint32_t waiting = ww_walk_buffer_eligible(buffer);
    return ww_walk_buffer_any(buffer, (uint32_t)ww_rng_below(state, waiting));
}

extern const ww_walksched ww_walksched_random;
const ww_walksched ww_walksched_random = {
    .policy = {.name = "random",
               .doc = "any of them, as the seed decides",
               .state_size = sizeof(ww_rng),
               .start = start},
    .choose = choose,
};
