/* Keys and hardware cost that the walk schedulers of ISCA 2018 share. */
#ifndef WW_VM_WALKSCHED_ISCA18_H
#define WW_VM_WALKSCHED_ISCA18_H

#include "config/config.h"

/* aging, then protect; policies without scores have the first alone. */
extern const ww_key ww_walksched_keys[2];

/* An instruction's identity, 20 bits (section IV), for each entry of the walk buffer and the
 * instruction served last. */
uint64_t ww_walksched_identity_bits(const struct ww_config *config);
/* A score up to 256 in each entry of the walk buffer, and two bits in each of the walk caches. */
uint64_t ww_walksched_score_bits(const struct ww_config *config);

#endif
