/* Replacement: which way of a set a new line gets.
 *
 * set, way   position of a line; a set has 1 to 64 ways
 * allowed    a bit for each way that a line may be inserted in; never zero
 * free       of these, the ways without a line
 * start      sets, ways and line are those of one cache, of an L2 slice for the L2. For storage in
 *            hardware they are those of all slices.
 *
 * A cache calls the policy for every hit, insertion and eviction, and for the way of every new
 * line, whether ways are free or not: a policy may keep ways for some requests. The request is the
 * one that hits or is inserted. */
#ifndef WW_MEM_REPLACE_H
#define WW_MEM_REPLACE_H

#include "config/policy.h"
#include "mem/request.h"

#define WW_MAX_WAYS 64

typedef struct ww_ways {
    uint64_t allowed, free;
} ww_ways;

/* A line that leaves. */
typedef struct ww_evicted {
    uint64_t number;
    uint16_t pc_tag;  /* of the request that it was inserted for: its instruction */
    bool was_hit;     /* since it was inserted, or by a merge with its miss (l1d.merge_is_reuse) */
    bool dirty;       /* some of it is written back */
    bool invalidated; /* it is stale, and leaves for no other line */
} ww_evicted;

/* The first of some ways. */
static inline uint32_t ww_ways_first(uint64_t ways)
{
    return (uint32_t)__builtin_ctzll(ways);
}

typedef struct ww_replace {
    ww_policy policy;
    bool needs_criticality; /* it asks whether requests are of critical warps */
    /* Why the policy refuses this number of ways ("the ways must be a power of two"), or NULL; the
     * function may be NULL too: any number will do. Of the geometry, only the ways are set. */
    const char *(*refuse)(const ww_policy_start *start);
    void (*hit)(void *state, uint32_t set, uint32_t way, const ww_request *request);
    /* A request that merged with the miss of the line has its data: a use, too, where
     * l1d.merge_is_reuse is set. NULL: the policy is not told. */
    void (*merge)(void *state, uint32_t set, uint32_t way, const ww_request *request);
    void (*insert)(void *state, uint32_t set, uint32_t way, const ww_request *request);
    /* A way of `ways.allowed`. Usually: a free one first (ww_ways_first), else a victim. The line
     * is not always inserted: a cache asks again when the victim cannot leave now. WW_NO_WAY: none
     * of them. That is as if misses held them all, and some way that is not allowed must be held:
     * the cache asks again after a fill, or does not keep the line. */
    uint32_t (*choose)(void *state, uint32_t set, ww_ways ways, const ww_request *request);
    /* A line leaves the cache: before the new one is inserted, or because it is invalidated. NULL:
     * the policy is not told. */
    void (*evict)(void *state, uint32_t set, uint32_t way, const ww_evicted *line);
    /* Prefetches what the policy has of a set, because a request for it is on its way. It changes
     * nothing; NULL: nothing is prefetched. */
    void (*prefetch)(const void *state, uint32_t set);
} ww_replace;

/* Sets the geometry from PREFIX.size, PREFIX.ways and the machine's line, l1d.line; no sets: there
 * is no cache. For families of caches' policies. */
void ww_cache_policy_geometry(ww_policy_start *start);

/* The same members for each cache: l1d.replacement, l1i.replacement, l1s.replacement,
 * l2.replacement. */
extern const ww_policy_family ww_replace_l1d_family;
extern const ww_policy_family ww_replace_l1i_family;
extern const ww_policy_family ww_replace_l1s_family;
extern const ww_policy_family ww_replace_l2_family;

#endif
