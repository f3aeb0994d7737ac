/* SIMT-aware (ISCA 2018, section IV): the oldest request of the instruction that was served last,
 * else one of the instruction whose walks are expected to need the fewest reads. */
#include "vm/walksched.h"
#include "vm/walksched/isca18.h"

static ww_walk *choose(void *state, const ww_walk_buffer *buffer)
{
    (void)state;
    ww_walk *same = ww_walk_buffer_followed(buffer);
    return same ? same : ww_walk_buffer_least(buffer);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_walksched_identity_bits(start->config) + ww_walksched_score_bits(start->config);
}

extern const ww_walksched ww_walksched_simt;
const ww_walksched ww_walksched_simt = {
    .policy = {.name = "simt",
               .doc = "of the instruction that was served last; then as sjf",
               .keys = ww_walksched_keys,
               .key_count = 2,
               .storage_bits = storage_bits},
    .scores = true,
    .ages = true,
    .choose = choose,
};
