#include "vm/walksched/estimate_bits.h"

#include "vm/vm_schema.h"

#define IDENTITY 20
#define SCORE 8 /* 1 to 256 */
#define COUNT 2

uint64_t ww_walksched_identity_bits(const ww_config *config)
{
    return (ww_config_u64(config, "walk.buffer") + 1) * IDENTITY;
}

uint64_t ww_walksched_score_bits(const ww_config *config)
{
    return ww_config_u64(config, "walk.buffer") * SCORE +
           (ww_config_bool(config, "walk.protect") ? ww_walk_cache_entries(config) * COUNT : 0);
}
