#include "mem/slice_map.h"

#include "base/hash.h"

#include <assert.h>

ww_slice_map ww_slice_map_make(ww_slice_hash hash, uint32_t slices, uint32_t slices_per_channel,
                               uint64_t interleave)
{
    assert(slices > 0 && slices_per_channel > 0 && slices % slices_per_channel == 0);
    assert(interleave > 0 && (interleave & (interleave - 1)) == 0);
    uint8_t even_bits = (uint8_t)__builtin_ctz(slices);
    return (ww_slice_map){
        .hash = hash,
        .slices = slices,
        .slices_per_channel = slices_per_channel,
        .odd = slices >> even_bits,
        .even_bits = even_bits,
        .interleave_bits = (uint8_t)__builtin_ctzll(interleave),
    };
}

/* Exclusive or of all groups of `bits` bits. */
static uint64_t fold(uint64_t value, unsigned bits)
{
    uint64_t folded = 0;
    if (bits)
        for (; value; value >>= bits)
            folded ^= value;
    return folded & ((1ull << bits) - 1);
}

/* A number below map->odd. */
static uint64_t turn(const ww_slice_map *map, uint64_t round)
{
    return (ww_mix64(round) >> 32) * map->odd >> 32;
}

ww_slice_place ww_slice_map_place(const ww_slice_map *map, uint64_t address)
{
    uint64_t block = address >> map->interleave_bits;
    uint64_t low = block & ((1ull << map->even_bits) - 1);
    uint64_t round = block >> map->even_bits, high = 0;
    if (map->odd > 1) {
        high = round % map->odd;
        round /= map->odd;
    }
    if (map->hash == WW_SLICE_XOR) {
        low ^= fold(round, map->even_bits);
        if (map->odd > 1)
            high = (high + turn(map, round)) % map->odd;
    }
    uint64_t offset = address & ((1ull << map->interleave_bits) - 1);
    return (ww_slice_place){(uint32_t)(high << map->even_bits | low),
                            round << map->interleave_bits | offset};
}

uint64_t ww_slice_map_address(const ww_slice_map *map, ww_slice_place place)
{
    uint64_t round = place.inside >> map->interleave_bits;
    uint64_t low = place.slice & ((1u << map->even_bits) - 1);
    uint64_t high = place.slice >> map->even_bits;
    if (map->hash == WW_SLICE_XOR) {
        low ^= fold(round, map->even_bits);
        high = (high + map->odd - turn(map, round)) % map->odd;
    }
    uint64_t block = (round * map->odd + high) << map->even_bits | low;
    uint64_t offset = place.inside & ((1ull << map->interleave_bits) - 1);
    return block << map->interleave_bits | offset;
}

uint64_t ww_slice_map_in_channel(const ww_slice_map *map, ww_slice_place place)
{
    uint64_t round = place.inside >> map->interleave_bits;
    uint64_t block = round * map->slices_per_channel + place.slice % map->slices_per_channel;
    uint64_t offset = place.inside & ((1ull << map->interleave_bits) - 1);
    return block << map->interleave_bits | offset;
}

uint32_t ww_slice_map_route(const void *map, const ww_request *request)
{
    return ww_slice_map_place(map, request->address).slice;
}
