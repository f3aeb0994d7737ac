/* Replacement: which line of a set is evicted for a new one.
 *
 * set, way   position of a line; a set has 1 to 64 ways
 * allowed    a bit for each way that may be evicted; never zero
 * state      the policy's memory: state_size(sets, ways) bytes, zeroed, beside the tags
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
    size_t (*state_size)(uint32_t sets, uint32_t ways);
    void (*start)(void *state, uint32_t sets, uint32_t ways, uint64_t seed);
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

/* The sets and ways of the cache whose family has `key`, from the keys beside it (l2.size and
 * l2.ways beside l2.replacement) and the machine's line, l1d.line; zero sets when there are no such
 * keys or no cache. */
typedef struct ww_replace_geometry {
    uint64_t sets;
    uint64_t ways;
} ww_replace_geometry;

ww_replace_geometry ww_replace_geometry_of(const struct ww_config *config, const char *key);

#endif
