/* Shortest job first (ISCA 2018, section III-A): a request of the instruction whose walks are
 * expected to need the fewest reads. */
#include "vm/walksched.h"
#include "vm/walksched/isca18.h"

static ww_walk *choose(void *state, const ww_walk_buffer *buffer)
{
    (void)state;
    return ww_walk_buffer_least(buffer);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_walksched_identity_bits(start->config) + ww_walksched_score_bits(start->config);
}

extern const ww_walksched ww_walksched_sjf;
const ww_walksched ww_walksched_sjf = {
    .policy = {.name = "sjf",
               .doc = "of the instruction that needs the fewest reads; then the oldest",
               .keys = ww_walksched_keys,
               .key_count = 2,
               .storage_bits = storage_bits},
    .scores = true,
    .ages = true,
    .choose = choose,
};
