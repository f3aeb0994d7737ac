/* Bypass: which loads that miss in the L1 data cache are fetched without being kept there.
 *
 * A load that bypasses the cache needs no miss register and no way. It fetches the sectors that its
 * lanes want, nothing else of its line, and merges with no other request. */
#ifndef WW_MEM_BYPASS_H
#define WW_MEM_BYPASS_H

#include "config/policy.h"
#include "mem/request.h"

typedef struct ww_bypass {
    ww_policy policy;
    /* Called once for each load whose line is neither in the cache nor outstanding. NULL: none
     * bypasses the cache. */
    bool (*bypasses)(void *state, const ww_request *request);
} ww_bypass;

extern const ww_policy_family ww_bypass_family;

#endif
