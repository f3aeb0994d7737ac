/* Walk caches: entries of the upper levels of the page table, so that a walk can start further down.
 *
 * entry      of level k for an address: the node of level k - 1
 * start      where a walk goes on: the level that it reads next, and the node there
 * kind       an array for each upper level, or one for entries of all levels; fully associative
 * look       for an estimate: a request has come that will have to wait; for a walk that was selected; or for one that did not
 *            wait. With `protect`, an estimate's hits count up and a selected walk's hits count down in the entries (two
 *            bits), and an entry that counts is not given up unless all of them do (ISCA 2018, section IV).
 * Which of those that may be given up goes is decided by a bit each (pseudo-LRU): set by use, all others cleared when
 * all would be set; the first whose bit is clear goes. */
#ifndef WW_VM_WALK_CACHE_H
#define WW_VM_WALK_CACHE_H

#include "vm/page_table.h"

typedef enum ww_walk_cache_kind {
    WW_WALK_CACHE_LEVELS,
    WW_WALK_CACHE_UNIFIED,
    WW_WALK_CACHE_NONE
} ww_walk_cache_kind;

typedef enum ww_look {
    WW_LOOK_ESTIMATE,
    WW_LOOK_SELECTED,
    WW_LOOK_AT_ONCE,
    WW_LOOK_PEEK /* changes nothing */
} ww_look;

typedef struct ww_walk_cache_config {
    ww_walk_cache_kind kind;
    uint32_t entries; /* of each array */
    bool protect;
    unsigned leaf_level;
    uint64_t root;
} ww_walk_cache_config;

typedef struct ww_walk_start {
    unsigned level;
    uint64_t node;
} ww_walk_start;

typedef struct ww_walk_cache_counters {
    uint64_t lookups;             /* for walks */
    uint64_t hits[WW_LEVELS + 1]; /* by the lowest level whose entry was there; 0: none was */
    uint64_t estimates;           /* lookups for estimates */
    uint64_t estimate_hits;       /* of any level */
    uint64_t protected_victims;   /* times that a protected entry made another one go */
} ww_walk_cache_counters;

typedef struct ww_walk_cache ww_walk_cache;

ww_walk_cache *ww_walk_cache_create(const ww_walk_cache_config *config);
void ww_walk_cache_destroy(ww_walk_cache *cache);

ww_walk_start ww_walk_cache_look(ww_walk_cache *cache, uint64_t address, ww_look why);
/* The entry of `level` for the address leads to `node`. */
void ww_walk_cache_put(ww_walk_cache *cache, uint64_t address, unsigned level, uint64_t node);
/* Entries for the address are not used any more; or all. */
void ww_walk_cache_invalidate(ww_walk_cache *cache, uint64_t address);
void ww_walk_cache_invalidate_all(ww_walk_cache *cache);
/* The count of the entry of a level; -1: it is not there. */
int ww_walk_cache_protection(const ww_walk_cache *cache, uint64_t address, unsigned level);
const ww_walk_cache_counters *ww_walk_cache_count(const ww_walk_cache *cache);

#endif
