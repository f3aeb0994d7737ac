/* Batches (ISCA 2018, section III-B): walks of the instruction served last, else the oldest. */
#include "vm/walksched.h"
#include "vm/walksched/isca18.h"

static ww_walk *choose(void *state, const ww_walk_buffer *buffer)
{
    (void)state;
    ww_walk *same = ww_walk_buffer_followed(buffer);
    return same ? same : ww_walk_buffer_oldest(buffer);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_walksched_identity_bits(start->config);
}

extern const ww_walksched ww_walksched_batch;
const ww_walksched ww_walksched_batch = {
    .policy = {.name = "batch",
               .doc = "of the instruction that was served last; then the oldest",
               .keys = ww_walksched_keys,
               .key_count = 1,
               .storage_bits = storage_bits},
    .ages = true,
    .choose = choose,
};
