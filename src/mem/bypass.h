/* Bypass: which loads that miss in the L1 data cache are fetched without being kept there.
 *
 * A load that bypasses the cache needs no miss register and no way. It fetches the sectors that its
 * lanes want, nothing else of its line, and merges with no other request. */
#ifndef WW_MEM_BYPASS_H
#define WW_MEM_BYPASS_H

#include "config/policy.h"
#include "mem/replace.h"

typedef struct ww_bypass {
    ww_policy policy;
    const char
        *pc_key; /* a key with the number of an instruction that loads; NULL: there is none */
    /* Why the policy refuses its own keys, or NULL; the function may be NULL too. */
    const char *(*refuse)(const ww_policy_start *start);
    /* Called once for each load whose line is neither in the cache nor outstanding. NULL: none
     * bypasses the cache. */
    bool (*bypasses)(void *state, const ww_request *request);
    /* A line is hit, by a load, a store or an atomic, or a request that merged with its miss has
     * its data (l1d.merge_is_reuse); `pc_tag` is that of the request that it was inserted for: its
     * instruction. NULL: the policy is not told. */
    void (*hit)(void *state, uint16_t pc_tag);
    /* A line leaves for another one; lines that are invalidated are not told. Likewise NULL. */
    void (*evict)(void *state, const ww_evicted *line);
} ww_bypass;

extern const ww_policy_family ww_bypass_family;

#endif
