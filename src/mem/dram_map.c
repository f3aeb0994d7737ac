#include "mem/dram_map.h"

#include <string.h>

static const char *const names[WW_DRAM_PARTS] = {"row", "rank", "bank", "group", "column"};

bool ww_dram_order_parse(const char *text, uint8_t order[WW_DRAM_PARTS])
{
    unsigned seen = 0;
    for (size_t i = 0; i < WW_DRAM_PARTS; i++) {
        size_t length = strcspn(text, ":"), part = 0;
        while (part < WW_DRAM_PARTS &&
               (strlen(names[part]) != length || strncmp(names[part], text, length) != 0))
            part++;
        if (part == WW_DRAM_PARTS || (seen & 1u << part) || (i == 0 && part != WW_DRAM_ROW))
            return false;
        seen |= 1u << part;
        order[i] = (uint8_t)part;
        text += length;
        if (*text != (i + 1 < WW_DRAM_PARTS ? ':' : '\0'))
            return false;
        text++;
    }
    return true;
}

void ww_dram_map_prepare(ww_dram_map *map)
{
    uint8_t shift = 0;
    for (size_t i = WW_DRAM_PARTS; i-- > 0;) {
        map->shift[map->order[i]] = shift;
        shift = (uint8_t)(shift + map->bits[map->order[i]]);
    }
    map->has_binary_channels = (map->channels & (map->channels - 1)) == 0;
    map->channel_bits = (uint8_t)__builtin_ctz(map->channels);
}

/* A number of chunks over the channels: divisions take the host long. */
static inline uint64_t rounds_of(const ww_dram_map *map, uint64_t chunk)
{
    return map->has_binary_channels ? chunk >> map->channel_bits : chunk / map->channels;
}

static inline uint64_t within_round(const ww_dram_map *map, uint64_t chunk)
{
    return map->has_binary_channels ? chunk & (map->channels - 1) : chunk % map->channels;
}

uint32_t ww_dram_map_channel(const ww_dram_map *map, uint64_t address)
{
    uint64_t chunk = address >> map->interleave_bits, channel = within_round(map, chunk);
    if (map->spread) /* 2^64 over the golden ratio: Fibonacci hashing (Knuth) */
        channel += (rounds_of(map, chunk) * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return (uint32_t)within_round(map, channel);
}

uint64_t ww_dram_map_local(const ww_dram_map *map, uint64_t address)
{
    uint64_t chunk = address >> map->interleave_bits;
    uint64_t within = address & ((UINT64_C(1) << map->interleave_bits) - 1);
    return rounds_of(map, chunk) << map->interleave_bits | within;
}

static inline uint64_t part_of(const ww_dram_map *map, uint64_t line, unsigned part)
{
    return line >> map->shift[part] & ((UINT64_C(1) << map->bits[part]) - 1);
}

ww_dram_address ww_dram_map_address(const ww_dram_map *map, uint64_t address)
{
    uint64_t line = ww_dram_map_local(map, address) >> map->line_bits;
    uint64_t row = line >> map->shift[WW_DRAM_ROW];
    unsigned group_bits = map->bits[WW_DRAM_GROUP], bank_bits = map->bits[WW_DRAM_BANK];
    uint64_t bank = part_of(map, line, WW_DRAM_BANK);
    bank |= part_of(map, line, WW_DRAM_GROUP) << bank_bits;
    bank |= part_of(map, line, WW_DRAM_RANK) << (group_bits + bank_bits);
    if (map->hash)
        bank ^= row & ((UINT64_C(1) << (map->bits[WW_DRAM_RANK] + group_bits + bank_bits)) - 1);
    return (ww_dram_address){row, (uint32_t)bank, (uint32_t)part_of(map, line, WW_DRAM_COLUMN)};
}
