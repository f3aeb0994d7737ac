/* Where an address is in the DRAM.
 *
 * chunk     `interleave` consecutive bytes of one channel; each channel has one of every `channels`
 *           consecutive chunks
 * spread    which of them: without it round robin; with it, the round starts at a channel given by
 *           a hash of the bits above, so that no stride sends all accesses to one channel
 * order     the parts of an address within a channel, from the highest bits to the lowest, by name
 *           and with a colon between: row, which comes first, rank, bank (within its group), group,
 *           column (a line of the row)
 * hash      rank, bank and group are combined with the row's low bits by exclusive or, so that rows
 *           that are a power of two apart do not all conflict in one bank
 *
 * A line is always in one row. No two lines have the same DRAM address. */
#ifndef WW_MEM_DRAM_MAP_H
#define WW_MEM_DRAM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WW_DRAM_ROW, WW_DRAM_RANK, WW_DRAM_BANK, WW_DRAM_GROUP, WW_DRAM_COLUMN, WW_DRAM_PARTS };

/* Counts and sizes are powers of two, but for `channels`. */
typedef struct ww_dram_map {
    uint32_t channels;
    bool spread;
    bool hash;
    uint8_t interleave_bits;
    uint8_t line_bits;
    uint8_t bits[WW_DRAM_PARTS]; /* of the row: 0, it has all the others */
    uint8_t order[WW_DRAM_PARTS];
    /* ww_dram_map_prepare finds these. */
    uint8_t shift[WW_DRAM_PARTS]; /* of the part, in a line's number */
    uint8_t channel_bits;
    bool has_binary_channels; /* their number is a power of two */
} ww_dram_map;

typedef struct ww_dram_address {
    uint64_t row;
    uint32_t bank;   /* counted over the channel: rank, then group, then bank */
    uint32_t column; /* in lines */
} ww_dram_address;

/* Reads an order; false when it does not begin with the row or does not name every part once. */
bool ww_dram_order_parse(const char *text, uint8_t order[WW_DRAM_PARTS]);

/* Once, before the functions below, after all other fields. */
void ww_dram_map_prepare(ww_dram_map *map);
uint32_t ww_dram_map_channel(const ww_dram_map *map, uint64_t address);
/* The address counted over its channel alone; L2 slices may divide it further. */
uint64_t ww_dram_map_local(const ww_dram_map *map, uint64_t address);
ww_dram_address ww_dram_map_address(const ww_dram_map *map, uint64_t address);

#endif
