#include "vm/walksched/isca18.h"

#include "vm/vm_schema.h"

#define IDENTITY 20
#define SCORE 8 /* 1 to 256 */
#define COUNT 2

const ww_key ww_walksched_keys[2] = {
    {.key = "aging",
     .type = WW_KEY_U64,
     .unit = "walks",
     .min = "1",
     .max = "9223372036854775807",
     .initial = "2000000",
     .doc = "younger walks that may be selected before a walk; then it is selected first"},
    {.key = "protect",
     .type = WW_KEY_BOOL,
     .initial = "true",
     .doc = "whether entries that waiting walks are expected to use stay in the walk caches"},
};

uint64_t ww_walksched_identity_bits(const ww_config *config)
{
    return (ww_walk_buffer_entries(config) + 1) * IDENTITY;
}

uint64_t ww_walksched_score_bits(const ww_config *config)
{
    return ww_walk_buffer_entries(config) * SCORE +
           (ww_config_bool(config, "walk.protect") ? ww_walk_cache_entries(config) * COUNT : 0);
}
