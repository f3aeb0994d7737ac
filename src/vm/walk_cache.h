/* Walk caches: entries of the page table's upper levels, so that a walk can start further down.
 *
 * address    virtual, with its address space above bit 48 (ww_walk_address)
 * entry      of level k for an address: the node of level k - 1
 * start      of a walk: the level that it reads first, and the node there; at the root level 0,
 *            since the caches do not know the roots
 * kind       an array for each upper level, or one for entries of all levels; fully associative
 * lookup     for an estimate, when a request has to wait; for a selected walk; for a walk that did
 *            not wait; or for one that merging answered
 *
 * With `protect`, hits of estimates increment and hits of selected and merged walks decrement a
 * counter of two bits in the entry. An entry whose counter is not 0 is protected: it is evicted
 * only if all entries are (ISCA 2018, section IV). Replacement is pseudo-LRU with a bit for each
 * entry: a use sets it, and clears all others when all would be set. The victim is the first entry
 * whose bit is clear. */
#ifndef WW_VM_WALK_CACHE_H
#define WW_VM_WALK_CACHE_H

#include "vm/page_table.h"

typedef enum ww_walk_cache_kind {
    WW_WALK_CACHE_LEVELS,
    WW_WALK_CACHE_UNIFIED,
    WW_WALK_CACHE_NONE
} ww_walk_cache_kind;

typedef enum ww_walk_lookup {
    WW_LOOKUP_ESTIMATE,
    WW_LOOKUP_SELECTED,
    WW_LOOKUP_AT_ONCE,
    WW_LOOKUP_MERGED, /* ends protection, is no use */
    WW_LOOKUP_PEEK    /* changes nothing */
} ww_walk_lookup;

typedef struct ww_walk_cache_config {
    ww_walk_cache_kind kind;
    uint32_t entries; /* of each array */
    bool protect;
    unsigned leaf_level;
} ww_walk_cache_config;

typedef struct ww_walk_start {
    unsigned level;
    uint64_t node;
} ww_walk_start;

typedef struct ww_walk_cache_counters {
    uint64_t lookups;             /* for walks */
    uint64_t hits[WW_LEVELS + 1]; /* by the lowest level that hit; 0: a miss */
    uint64_t estimates;           /* lookups for estimates */
    uint64_t estimate_hits;       /* of any level */
    uint64_t protected_victims;   /* entries evicted instead of a protected one */
} ww_walk_cache_counters;

typedef struct ww_walk_cache ww_walk_cache;

ww_walk_cache *ww_walk_cache_create(const ww_walk_cache_config *config);
void ww_walk_cache_destroy(ww_walk_cache *cache);

ww_walk_start ww_walk_cache_lookup(ww_walk_cache *cache, uint64_t address, ww_walk_lookup why);
/* The entry of `level` for the address leads to `node`. */
void ww_walk_cache_put(ww_walk_cache *cache, uint64_t address, unsigned level, uint64_t node);
/* Removes the entries for the address, or for all addresses of its space. */
void ww_walk_cache_invalidate(ww_walk_cache *cache, uint64_t address);
void ww_walk_cache_invalidate_space(ww_walk_cache *cache, uint16_t asid);
/* The counter of a level's entry; -1: there is no entry. */
int ww_walk_cache_protection(const ww_walk_cache *cache, uint64_t address, unsigned level);
const ww_walk_cache_counters *ww_walk_cache_count(const ww_walk_cache *cache);

#endif
