#include "vm/cuptw/lds_walk_cache.h"

#include "base/memory.h"

#include <string.h>

#define MOST_ROOT_BLOCKS 512u /* entries of the root */
#define MOST_BANKS 64u

typedef struct block {
    uint64_t tag;
    uint64_t node;
    uint16_t asid;
    bool valid;
} block;

typedef struct group {
    block *blocks;
    unsigned bits;   /* log2 of the blocks */
    unsigned in_row; /* blocks of a row */
} group;

struct ww_lds_walk_cache {
    ww_lds_walk_cache_config config;
    unsigned rows;
    group groups[WW_LEVELS + 1]; /* by level */
};

ww_lds_walk_cache *ww_lds_walk_cache_create(const ww_lds_walk_cache_config *config)
{
    ww_lds_walk_cache *cache = ww_calloc(1, sizeof(*cache));
    cache->config = *config;
    for (unsigned level = 2; level <= WW_LEVELS; level++)
        cache->groups[level].in_row = config->group[level] / WW_BLOCK_BANKS;
    return cache;
}

static void free_blocks(ww_lds_walk_cache *cache)
{
    for (unsigned level = 2; level <= WW_LEVELS; level++) {
        free(cache->groups[level].blocks);
        cache->groups[level].blocks = NULL;
    }
}

void ww_lds_walk_cache_destroy(ww_lds_walk_cache *cache)
{
    if (!cache)
        return;
    free_blocks(cache);
    free(cache);
}

static unsigned log2_of(uint64_t number)
{
    return 63 - (unsigned)__builtin_clzll(number);
}

unsigned ww_lds_walk_cache_resize(ww_lds_walk_cache *cache, uint64_t bytes)
{
    uint64_t rows = bytes / (cache->config.banks * WW_BANK_BYTES);
    free_blocks(cache);
    cache->rows = rows ? 1u << log2_of(rows) : 0;
    for (unsigned level = 2; cache->rows && level <= WW_LEVELS; level++) {
        group *g = &cache->groups[level];
        uint64_t blocks = (uint64_t)g->in_row * cache->rows;
        if (level == WW_LEVELS && blocks > MOST_ROOT_BLOCKS)
            blocks = MOST_ROOT_BLOCKS;
        g->bits = log2_of(blocks);
        g->blocks = ww_calloc((size_t)1 << g->bits, sizeof(*g->blocks));
    }
    return cache->rows;
}

ww_lds_block ww_lds_walk_cache_block(const ww_lds_walk_cache *cache, uint64_t address,
                                     unsigned level)
{
    unsigned bits = cache->groups[level].bits;
    uint64_t number = (address & ((1ull << WW_ADDRESS_BITS) - 1)) >> ww_level_shift(level);
    return (ww_lds_block){.number = (uint32_t)(number & ((1ull << bits) - 1)),
                          .tag = number >> bits,
                          .tag_bits = 9 * (WW_LEVELS - level + 1) - bits};
}

unsigned ww_lds_walk_cache_find(const ww_lds_walk_cache *cache, uint16_t asid, uint64_t address,
                                uint64_t *node)
{
    for (unsigned level = cache->config.leaf_level + 1; cache->rows && level <= WW_LEVELS;
         level++) {
        ww_lds_block where = ww_lds_walk_cache_block(cache, address, level);
        const block *b = &cache->groups[level].blocks[where.number];
        if (b->valid && b->asid == asid && b->tag == where.tag) {
            *node = b->node;
            return level - 1;
        }
    }
    return WW_LEVELS;
}

void ww_lds_walk_cache_put(ww_lds_walk_cache *cache, uint16_t asid, uint64_t address,
                           unsigned level, uint64_t node)
{
    ww_lds_block where = ww_lds_walk_cache_block(cache, address, level);
    cache->groups[level].blocks[where.number] =
        (block){.tag = where.tag, .node = node, .asid = asid, .valid = true};
}

/* The rows of one bank that threads need. */
typedef struct bank {
    unsigned rows[64];
    unsigned count;
} bank;

static unsigned add_row(bank *b, unsigned row)
{
    for (unsigned i = 0; i < b->count; i++)
        if (b->rows[i] == row)
            return b->count;
    b->rows[b->count++] = row;
    return b->count;
}

/* The banks of a block are always used together: the first of them stands for all. */
unsigned ww_lds_walk_cache_rows(const ww_lds_walk_cache *cache, const ww_lds_access *access)
{
    unsigned most = 1;
    for (unsigned level = cache->config.leaf_level + 1; level <= WW_LEVELS; level++) {
        const group *g = &cache->groups[level];
        bank banks[MOST_BANKS / WW_BLOCK_BANKS];
        for (unsigned i = 0; i < g->in_row; i++)
            banks[i].count = 0;
        for (unsigned i = 0; i < access->count; i++) {
            if (!(access->levels[i] >> level & 1))
                continue;
            uint32_t number = ww_lds_walk_cache_block(cache, access->address[i], level).number;
            unsigned rows = add_row(&banks[number % g->in_row], number / g->in_row);
            most = rows > most ? rows : most;
        }
    }
    return most;
}
