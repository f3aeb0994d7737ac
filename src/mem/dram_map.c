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

uint32_t ww_dram_map_channel(const ww_dram_map *map, uint64_t address)
{
    uint64_t chunk = address >> map->interleave_bits, channel = chunk % map->channels;
    if (map->spread) /* 2^64 over the golden ratio: Fibonacci hashing (Knuth) */
        channel += (chunk / map->channels * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    return (uint32_t)(channel % map->channels);
}

uint64_t ww_dram_map_local(const ww_dram_map *map, uint64_t address)
{
    uint64_t chunk = address >> map->interleave_bits;
    uint64_t within = address & ((UINT64_C(1) << map->interleave_bits) - 1);
    return (chunk / map->channels) << map->interleave_bits | within;
}

ww_dram_address ww_dram_map_address(const ww_dram_map *map, uint64_t address)
{
    uint64_t rest = ww_dram_map_local(map, address) >> map->line_bits;
    uint64_t part[WW_DRAM_PARTS];
    for (size_t i = WW_DRAM_PARTS - 1; i > 0; i--) {
        unsigned p = map->order[i];
        part[p] = rest & ((UINT64_C(1) << map->bits[p]) - 1);
        rest >>= map->bits[p];
    }
    unsigned group_bits = map->bits[WW_DRAM_GROUP], bank_bits = map->bits[WW_DRAM_BANK];
    uint64_t bank = (part[WW_DRAM_RANK] << group_bits | part[WW_DRAM_GROUP]) << bank_bits;
    bank |= part[WW_DRAM_BANK];
    if (map->hash)
        bank ^= rest & ((UINT64_C(1) << (map->bits[WW_DRAM_RANK] + group_bits + bank_bits)) - 1);
    return (ww_dram_address){rest, (uint32_t)bank, (uint32_t)part[WW_DRAM_COLUMN]};
}
