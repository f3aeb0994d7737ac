/* Addresses and their rows, banks and columns in the DRAM: one to one, for random organisations. */
#include "base/rng.h"
#include "mem/dram_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 1 << 16 };

static const char *const orders[] = {
    "row:rank:bank:column:group", "row:rank:bank:group:column", "row:column:rank:bank:group",
    "row:column:group:bank:rank", "row:bank:rank:group:column",
};

static ww_dram_map random_map(ww_rng *rng)
{
    ww_dram_map map = {.channels = 1 + (uint32_t)ww_rng_below(rng, 12),
                       .spread = ww_rng_below(rng, 2),
                       .hash = ww_rng_below(rng, 2),
                       .line_bits = 5 + (uint8_t)ww_rng_below(rng, 3)};
    map.interleave_bits = (uint8_t)(map.line_bits + ww_rng_below(rng, 4));
    map.bits[WW_DRAM_RANK] = (uint8_t)ww_rng_below(rng, 2);
    map.bits[WW_DRAM_GROUP] = (uint8_t)ww_rng_below(rng, 3);
    map.bits[WW_DRAM_BANK] = (uint8_t)ww_rng_below(rng, 3);
    map.bits[WW_DRAM_COLUMN] = 3 + (uint8_t)ww_rng_below(rng, 4);
    assert_true(ww_dram_order_parse(orders[ww_rng_below(rng, 5)], map.order));
    ww_dram_map_prepare(&map);
    return map;
}

/* A number for a DRAM address, each part in bits of its own. */
static uint64_t number_of(const ww_dram_map *map, uint64_t address)
{
    ww_dram_address at = ww_dram_map_address(map, address);
    int bank_bits = map->bits[WW_DRAM_RANK] + map->bits[WW_DRAM_GROUP] + map->bits[WW_DRAM_BANK];
    assert_true(at.bank < 1u << bank_bits);
    assert_true(at.column < 1u << map->bits[WW_DRAM_COLUMN]);
    uint64_t number = at.row * map->channels + ww_dram_map_channel(map, address);
    return (number << bank_bits | at.bank) << map->bits[WW_DRAM_COLUMN] | at.column;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whole groups of chunks from the start fill whole rows: the numbers are 0, 1, 2, ... */
static void every_place_has_one_line(void **state)
{
    static uint64_t numbers[LINES * 12];
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        ww_rng rng;
        printf("seed %llu\n", (unsigned long long)seed);
        ww_rng_seed(&rng, seed);
        ww_dram_map map = random_map(&rng);
        size_t count = (size_t)LINES * map.channels;
        for (size_t i = 0; i < count; i++)
            numbers[i] = number_of(&map, (uint64_t)i << map.line_bits);
        qsort(numbers, count, sizeof(numbers[0]), by_value);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(numbers[i], i);
    }
}

/* A power of two between two accesses leaves no channel out. */
static void strides_use_all_channels(void **state)
{
    (void)state;
    for (uint32_t channels = 2; channels <= 64; channels += channels < 12 ? 1 : 4) {
        ww_dram_map map = {.channels = channels, .spread = true, .interleave_bits = 8};
        ww_dram_map_prepare(&map);
        for (unsigned stride_bits = 8; stride_bits < 20; stride_bits++) {
            unsigned counts[64] = {0}, most = 0;
            for (uint64_t i = 0; i < 64 * channels; i++) {
                unsigned channel = ww_dram_map_channel(&map, i << stride_bits);
                assert_true(channel < channels);
                most = ++counts[channel] > most ? counts[channel] : most;
            }
            assert_true(most <= 2 * 64);
        }
    }
}

static void wrong_orders_are_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        "row",
                                        "row:rank:bank:group",
                                        "row:rank:bank:group:column:",
                                        "row:rank:bank:group:group",
                                        "rank:row:bank:group:column",
                                        "row:rank:bank:group:columns",
                                        "row:rank:bank:group:column:row"};
    uint8_t order[WW_DRAM_PARTS];
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(ww_dram_order_parse(wrong[i], order));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_has_one_line),
        cmocka_unit_test(strides_use_all_channels),
        cmocka_unit_test(wrong_orders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
