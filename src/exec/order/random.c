#include "base/rng.h"
#include "exec/order.h"

static void start(void *state, const ww_policy_start *start)
{
    ww_rng_seed(state, start->seed);
}

static size_t next(void *state, size_t ready_count)
{
    return (size_t)ww_rng_below(state, ready_count);
}

extern const ww_order ww_order_random;
const ww_order ww_order_random = {
    .policy = {.name = "random",
               .doc = "any with equal chance, decided by the seed",
               .state_size = sizeof(ww_rng),
               .start = start},
    .next = next,
};
