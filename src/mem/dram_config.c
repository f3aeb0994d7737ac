#include "mem/dram_schema.h"

#include <assert.h>

static void override(const ww_config *config, const char *key, uint32_t *value)
{
    uint64_t own = ww_config_u64(config, key);
    if (own)
        *value = (uint32_t)own;
}

ww_dram_type ww_dram_resolve(const ww_config *config)
{
    ww_dram_type type = ww_dram_types[ww_config_choice(config, "dram.type")];
    uint64_t hertz = ww_config_hertz(config, "dram.clock");
    uint64_t row_bytes = ww_config_bytes(config, "dram.row_size");
    size_t refresh = ww_config_choice(config, "dram.refresh");
    if (hertz)
        ww_dram_type_scale(&type, hertz);
    if (row_bytes)
        type.row_bytes = (uint32_t)row_bytes;
    if (refresh)
        type.refresh = (ww_dram_refresh)(refresh - 1);
    override(config, "dram.width", &type.width);
    override(config, "dram.burst_length", &type.burst_length);
    override(config, "dram.transfers_per_cycle", &type.transfers);
    override(config, "dram.ranks", &type.ranks);
    override(config, "dram.bank_groups", &type.bank_groups);
    override(config, "dram.banks", &type.banks);
#define TIMING(field, scales, doc) override(config, "dram.t" #field, &type.timing.field);
    WW_DRAM_TIMINGS(TIMING)
#undef TIMING
    type.timing.burst = type.burst_length / type.transfers;
    return type;
}

void ww_dram_resolve_keys(ww_config *config)
{
    ww_dram_type type = ww_dram_resolve(config);
    ww_config_resolve(config, "dram.clock", type.hertz);
    ww_config_resolve(config, "dram.row_size", type.row_bytes);
    ww_config_resolve(config, "dram.width", type.width);
    ww_config_resolve(config, "dram.burst_length", type.burst_length);
    ww_config_resolve(config, "dram.transfers_per_cycle", type.transfers);
    ww_config_resolve(config, "dram.ranks", type.ranks);
    ww_config_resolve(config, "dram.bank_groups", type.bank_groups);
    ww_config_resolve(config, "dram.banks", type.banks);
#define TIMING(field, scales, doc) ww_config_resolve(config, "dram.t" #field, type.timing.field);
    WW_DRAM_TIMINGS(TIMING)
#undef TIMING
}

static uint8_t bits_of(uint64_t power)
{
    return (uint8_t)__builtin_ctzll(power);
}

static ww_dram_map make_map(const ww_config *config, const ww_dram_type *type, uint32_t line_bytes)
{
    ww_dram_map map = {.channels = (uint32_t)ww_config_u64(config, "dram.channels"),
                       .spread = ww_config_bool(config, "dram.spread"),
                       .hash = ww_config_bool(config, "dram.hash"),
                       .interleave_bits = bits_of(ww_config_bytes(config, "dram.interleave")),
                       .line_bits = bits_of(line_bytes)};
    map.bits[WW_DRAM_RANK] = bits_of(type->ranks);
    map.bits[WW_DRAM_GROUP] = bits_of(type->bank_groups);
    map.bits[WW_DRAM_BANK] = bits_of(type->banks / type->bank_groups);
    map.bits[WW_DRAM_COLUMN] = bits_of(type->row_bytes / line_bytes);
    bool parsed = ww_dram_order_parse(ww_config_text(config, "dram.order"), map.order);
    assert(parsed);
    (void)parsed;
    ww_dram_map_prepare(&map);
    return map;
}

/* Time in whole cycles of the command clock, rounded up. */
static uint32_t cycles_of(uint64_t picoseconds, uint64_t hertz)
{
    unsigned __int128 product = (unsigned __int128)picoseconds * hertz;
    return (uint32_t)((product + 999999999999) / 1000000000000);
}

void ww_dram_configure(const ww_config *config, uint64_t base_hertz, uint32_t line_bytes,
                       uint32_t sector_bytes, ww_dram_config *result)
{
    ww_dram_type type = ww_dram_resolve(config);
    uint64_t latency = ww_config_picoseconds(config, "dram.latency");
    *result = (ww_dram_config){
        .type = type,
        .map = make_map(config, &type, line_bytes),
        .clock = ww_clock_make(type.hertz, base_hertz),
        .line_bytes = line_bytes,
        .sector_bytes = sector_bytes,
        .read_entries = (uint32_t)ww_config_u64(config, "dram.read_queue"),
        .write_entries = (uint32_t)ww_config_u64(config, "dram.write_queue"),
        .write_high = (uint32_t)ww_config_u64(config, "dram.write_high"),
        .write_low = (uint32_t)ww_config_u64(config, "dram.write_low"),
        .latency = cycles_of(latency, type.hertz),
        .closed_page = ww_config_choice(config, "dram.page_policy") == 1,
        .scheduler = (const ww_dramsched *)(const void *)ww_config_policy(config, "dram.scheduler"),
        .start = {.config = config, .prefix = "dram"},
    };
}
