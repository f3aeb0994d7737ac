/* What policies that are first ready, first come first served share: the age cap and its key. */
#ifndef WW_MEM_DRAMSCHED_FRFCFS_H
#define WW_MEM_DRAMSCHED_FRFCFS_H

#include "mem/dramsched.h"

typedef struct ww_frfcfs {
    uint64_t age_cap;
} ww_frfcfs;

extern const ww_key ww_frfcfs_keys[1];

void ww_frfcfs_start(void *state, const ww_policy_start *start);
uint64_t ww_frfcfs_age_cap(const void *state);

#endif
