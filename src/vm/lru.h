/* Sets of numbers with a value each, of which the least recently used gives up its place: TLBs and caches of entries.
 *
 * key      a page's or a line's number
 * index    which bits of a key choose its set: the low ones, or all folded
 * A fully associative one has a single set. Finding, putting and removing cost the same for any number of ways. */
#ifndef WW_VM_LRU_H
#define WW_VM_LRU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_lru_config {
    uint32_t entries; /* 0: nothing is ever kept */
    uint32_t ways;    /* divides the entries; 0: fully associative */
    bool hashed;      /* index; the sets are a power of two then */
} ww_lru_config;

typedef struct ww_lru_entry {
    uint64_t key; /* UINT64_MAX: the place is free */
    uint64_t value;
    uint32_t newer, older; /* of its set: a ring through the newest, in the order of use */
    uint32_t next;         /* of those in the same bucket; UINT32_MAX: none */
    uint32_t set;
} ww_lru_entry;

typedef struct ww_lru {
    uint32_t sets, ways;
    bool hashed;
    ww_lru_entry *entries; /* [sets][ways] */
    uint32_t *newest;      /* by set; the one newer than it in the ring is the oldest */
    uint32_t *buckets;     /* by the hash of keys: the first entry; UINT32_MAX: none */
    unsigned bucket_bits;
} ww_lru;

void ww_lru_create(ww_lru *lru, const ww_lru_config *config);
void ww_lru_destroy(ww_lru *lru);

/* True and its value when it is there, which makes it the most recently used. */
bool ww_lru_find(ww_lru *lru, uint64_t key, uint64_t *value);
bool ww_lru_has(const ww_lru *lru, uint64_t key); /* changes nothing */
/* Replaces what the key had, else the least recently used of its set. True when that was another key's. */
bool ww_lru_put(ww_lru *lru, uint64_t key, uint64_t value);
bool ww_lru_remove(ww_lru *lru, uint64_t key); /* false: it was not there */
void ww_lru_clear(ww_lru *lru);

#endif
