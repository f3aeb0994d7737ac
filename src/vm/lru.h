/* A set-associative map from numbers to values with LRU replacement: for TLBs and PTE caches.
 *
 * key      a page's or a line's number
 * lent     an entry that its owner uses for something else: it has no key, and is not replaced
 * index    the bits of a key that select its set: the low ones, or all folded
 * A fully associative map has one set. Operations take constant time, for any number of ways. */
#ifndef WW_VM_LRU_H
#define WW_VM_LRU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_lru_config {
    uint32_t entries; /* 0: nothing is kept */
    uint32_t ways;    /* divides the entries; 0: fully associative */
    bool hashed;      /* all bits are folded; the number of sets is a power of two */
} ww_lru_config;

typedef struct ww_lru_entry {
    uint64_t key; /* UINT64_MAX: the entry is free */
    uint64_t value;
    uint32_t newer, older; /* of its set: a ring in the order of use */
    uint32_t next;         /* in the same bucket; UINT32_MAX: none */
    uint32_t set;
} ww_lru_entry;

typedef struct ww_lru_evicted {
    uint64_t key, value;
} ww_lru_evicted;

typedef struct ww_lru {
    uint32_t sets, ways;
    bool hashed;
    ww_lru_entry *entries; /* [sets][ways] */
    uint32_t *newest;      /* by set; its `newer` is the oldest; UINT32_MAX: all are lent */
    uint32_t *buckets;     /* by the hash of keys: the first entry; UINT32_MAX: none */
    unsigned bucket_bits;
} ww_lru;

void ww_lru_create(ww_lru *lru, const ww_lru_config *config);
void ww_lru_destroy(ww_lru *lru);

/* True on a hit, with the value; the entry becomes the most recently used. */
bool ww_lru_find(ww_lru *lru, uint64_t key, uint64_t *value);
bool ww_lru_has(const ww_lru *lru, uint64_t key);                  /* changes nothing */
bool ww_lru_get(const ww_lru *lru, uint64_t key, uint64_t *value); /* likewise */
/* Updates the key's entry, else replaces the least recently used of its set, if one is not lent.
 * True: it evicted another key. */
bool ww_lru_put(ww_lru *lru, uint64_t key, uint64_t value);
/* The same; says what was evicted. */
bool ww_lru_exchange(ww_lru *lru, uint64_t key, uint64_t value, ww_lru_evicted *evicted);
bool ww_lru_remove(ww_lru *lru, uint64_t key); /* false: there was none */
/* Removes all keys whose bits from `shift` on are `bits`. */
void ww_lru_remove_all(ww_lru *lru, unsigned shift, uint64_t bits);
void ww_lru_clear(ww_lru *lru);
/* Lends the least recently used entry of the key's set. Returns its number, and whether it had a
 * key; UINT32_MAX: all are lent, or there are none. */
uint32_t ww_lru_lend(ww_lru *lru, uint64_t key, bool *evicts);
/* The entry is free, and the first of its set to be replaced. */
void ww_lru_return(ww_lru *lru, uint32_t entry);

#endif
