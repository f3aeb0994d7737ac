/* What the walk schedulers of ISCA 2018 have in common: keys, and what they would cost in hardware. */
#ifndef WW_VM_WALKSCHED_COMMON_H
#define WW_VM_WALKSCHED_COMMON_H

#include "config/config.h"

/* walk.aging; and, for those that have scores, walk.protect. */
extern const ww_key ww_walksched_keys[2];

/* The identity of an instruction, 20 bits (section IV), in each entry of the walk buffer, and once for the last. */
uint64_t ww_walksched_identity_bits(const struct ww_config *config);
/* A score up to 256 in each entry of the walk buffer, and two bits in each of the walk caches. */
uint64_t ww_walksched_score_bits(const struct ww_config *config);

#endif
