/* Replacement: which line of a set is evicted for a new one.
 *
 * set, way   position of a line; a set has 1 to 64 ways
 * allowed    a bit for each way that may be evicted; never zero
 * start      sets and ways are those of one cache, of an L2 slice for the L2. For storage in
 *            hardware they are those of all slices.
 *
 * A cache calls the policy for every hit and every insertion, and for a victim only when the set
 * has no free way. The request is the one that hits or is inserted; tests may pass NULL to policies
 * that ignore it. */
#ifndef WW_MEM_REPLACE_H
#define WW_MEM_REPLACE_H

#include "config/policy.h"
#include "mem/request.h"

#define WW_MAX_WAYS 64

typedef struct ww_replace {
    ww_policy policy;
    /* Why the policy refuses this number of ways ("the ways must be a power of two"), or NULL; the
     * function may be NULL too: any number will do. */
    const char *(*refuse)(uint64_t ways);
    void (*hit)(void *state, uint32_t set, uint32_t way, const ww_request *request);
    void (*insert)(void *state, uint32_t set, uint32_t way, const ww_request *request);
    uint32_t (*victim)(void *state, uint32_t set, uint64_t allowed, const ww_request *request);
} ww_replace;

/* The same members for each cache: l1d.replacement, l1i.replacement, l1s.replacement,
 * l2.replacement. */
extern const ww_policy_family ww_replace_l1d_family;
extern const ww_policy_family ww_replace_l1i_family;
extern const ww_policy_family ww_replace_l1s_family;
extern const ww_policy_family ww_replace_l2_family;

#endif
