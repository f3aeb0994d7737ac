/* What the walk schedulers of ISCA 2018 would cost in hardware. */
#ifndef WW_VM_WALKSCHED_ESTIMATE_BITS_H
#define WW_VM_WALKSCHED_ESTIMATE_BITS_H

#include "config/config.h"

/* The identity of an instruction, 20 bits (section IV), in each entry of the walk buffer, and once for the last. */
uint64_t ww_walksched_identity_bits(const struct ww_config *config);
/* A score up to 256 in each entry of the walk buffer, and two bits in each of the walk caches. */
uint64_t ww_walksched_score_bits(const struct ww_config *config);

#endif
