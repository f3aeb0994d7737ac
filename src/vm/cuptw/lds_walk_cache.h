/* A walk cache in idle local memory (cuPTW, section 6.1).
 *
 * row      of all banks: a word of 4 bytes in each
 * group    of banks: one for each upper level of the page table, 4 (the root), 3 and 2
 * block    3 neighbouring banks of a row: valid, VM, tag and frame of one entry. Direct mapped: the
 *          low bits of the page number at that level choose the block, the others are its tag.
 *          A group has a power of two of blocks that are used.
 * lookup   reads one block of each group at once; the deepest level that hits wins
 * conflict threads of a wavefront that need different rows of a bank */
#ifndef WW_VM_CUPTW_LDS_WALK_CACHE_H
#define WW_VM_CUPTW_LDS_WALK_CACHE_H

#include "vm/page_table.h"

#define WW_BLOCK_BANKS 3u /* 12 bytes */
#define WW_BANK_BYTES 4u

typedef struct ww_lds_walk_cache_config {
    unsigned banks;                /* of the local data share */
    unsigned group[WW_LEVELS + 1]; /* by level: banks; a multiple of 3 */
    unsigned leaf_level;
} ww_lds_walk_cache_config;

typedef struct ww_lds_walk_cache ww_lds_walk_cache;

ww_lds_walk_cache *ww_lds_walk_cache_create(const ww_lds_walk_cache_config *config);
void ww_lds_walk_cache_destroy(ww_lds_walk_cache *cache);
/* Uses so many bytes of local memory; what it had is gone. Returns the rows: 0 if it has none. */
unsigned ww_lds_walk_cache_resize(ww_lds_walk_cache *cache, uint64_t bytes);

/* Where an entry is: the number of its block, the tag and how many bits that has. */
typedef struct ww_lds_block {
    uint32_t number;
    uint64_t tag;
    unsigned tag_bits;
} ww_lds_block;

ww_lds_block ww_lds_walk_cache_block(const ww_lds_walk_cache *cache, uint64_t address,
                                     unsigned level);
/* The level below the deepest one that hits, and its node; WW_LEVELS: none hits. */
unsigned ww_lds_walk_cache_find(const ww_lds_walk_cache *cache, uint16_t asid, uint64_t address,
                                uint64_t *node);
void ww_lds_walk_cache_put(ww_lds_walk_cache *cache, uint16_t asid, uint64_t address,
                           unsigned level, uint64_t node);

/* Blocks that the threads of a wavefront access together. */
typedef struct ww_lds_access {
    unsigned count;
    uint64_t address[64];
    uint8_t levels[64]; /* a bit for each level */
} ww_lds_access;

/* Rows that the busiest bank has to deliver, at least 1. */
unsigned ww_lds_walk_cache_rows(const ww_lds_walk_cache *cache, const ww_lds_access *access);

#endif
