/* Which L2 slice an address belongs to, and where it is inside that slice.
 *
 * block      `interleave` bytes in a row that one slice has; a whole number of lines
 * round      as many blocks in a row as there are slices: each slice has exactly one of them
 * inside     the address counted over the slice alone. No two addresses have the same slice and the same inside, and
 *            a slice's insides are consecutive, so that all sets of its cache are used.
 * channel    of the DRAM: as many slices as a channel has, in order, are its own
 *
 * Which slice has which block of a round:
 *   modulo   block b of every round is slice b's. A stride of a whole number of rounds stays in one slice.
 *   xor      the round's number, its bits folded by exclusive or to as many as number the slices, is combined by
 *            exclusive or with the block's place in the round. Where the number of slices is not a power of two its odd
 *            factor is turned instead of combined, by a hash of the round's number. */
#ifndef WW_MEM_SLICE_MAP_H
#define WW_MEM_SLICE_MAP_H

#include "mem/request.h"

typedef enum ww_slice_hash { WW_SLICE_MODULO, WW_SLICE_XOR } ww_slice_hash;

typedef struct ww_slice_map {
    ww_slice_hash hash;
    uint32_t slices;
    uint32_t slices_per_channel; /* divides `slices` */
    uint32_t odd;                /* slices = odd << even_bits */
    uint8_t even_bits;
    uint8_t interleave_bits;
} ww_slice_map;

typedef struct ww_slice_place {
    uint32_t slice;
    uint64_t inside;
} ww_slice_place;

/* `interleave` is a power of two of bytes. */
ww_slice_map ww_slice_map_make(ww_slice_hash hash, uint32_t slices, uint32_t slices_per_channel,
                               uint64_t interleave);
ww_slice_place ww_slice_map_place(const ww_slice_map *map, uint64_t address);
/* The address at a place: the inverse of ww_slice_map_place. */
uint64_t ww_slice_map_address(const ww_slice_map *map, ww_slice_place place);

static inline uint32_t ww_slice_map_channel(const ww_slice_map *map, uint32_t slice)
{
    return slice / map->slices_per_channel;
}

/* The address counted over the place's channel alone: blocks of its slices alternate. */
uint64_t ww_slice_map_in_channel(const ww_slice_map *map, ww_slice_place place);

/* A crossbar's route (crossbar.h) to the L2; the context is a ww_slice_map. */
uint32_t ww_slice_map_route(const void *map, const ww_request *request);

#endif
