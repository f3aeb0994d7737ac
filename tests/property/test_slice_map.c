/* Every address has one place and every place one address; slices are used alike, also by strides when they are
 * hashed. */
#include "base/memory.h"
#include "base/rng.h"
#include "mem/slice_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint32_t slice_counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  12, 15,  16,
                                        24, 32, 40, 48, 64, 72, 80, 96, 97, 128, 512};
enum { COUNTS = sizeof(slice_counts) / sizeof(slice_counts[0]) };

static ww_slice_map make(ww_slice_hash hash, uint32_t slices, uint64_t interleave)
{
    return ww_slice_map_make(hash, slices, slices % 2 ? 1 : 2, interleave);
}

static void place_and_address_are_inverse(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 1);
    for (int n = 0; n < 200000; n++) {
        uint32_t slices = slice_counts[ww_rng_below(&rng, COUNTS)];
        ww_slice_map map =
            make((ww_slice_hash)ww_rng_below(&rng, 2), slices, 64ull << ww_rng_below(&rng, 8));
        uint64_t address = ww_rng_next(&rng) >> ww_rng_below(&rng, 60);
        ww_slice_place place = ww_slice_map_place(&map, address);
        assert_true(place.slice < slices);
        assert_int_equal(ww_slice_map_address(&map, place), address);
    }
}

/* The first `rounds` rounds fill the first places of every slice, and of every channel, exactly once. */
static void check_dense(ww_slice_map map)
{
    enum { ROUNDS = 300, BLOCK = 128 };
    size_t blocks = (size_t)map.slices * ROUNDS;
    uint32_t channels = map.slices / map.slices_per_channel;
    uint8_t *in_slice = ww_calloc(blocks, 1), *in_channel = ww_calloc(blocks, 1);
    for (size_t block = 0; block < blocks; block++) {
        ww_slice_place place = ww_slice_map_place(&map, block * BLOCK + block % BLOCK);
        assert_int_equal(place.inside % BLOCK, block % BLOCK);
        uint64_t inside = place.inside / BLOCK;
        assert_true(inside < ROUNDS);
        assert_int_equal(in_slice[place.slice * ROUNDS + inside]++, 0);

        uint32_t channel = ww_slice_map_channel(&map, place.slice);
        uint64_t local = ww_slice_map_in_channel(&map, place);
        assert_true(channel < channels);
        assert_int_equal(local % BLOCK, block % BLOCK);
        assert_true(local / BLOCK < ROUNDS * map.slices_per_channel);
        size_t index = channel * (size_t)ROUNDS * map.slices_per_channel + local / BLOCK;
        assert_int_equal(in_channel[index]++, 0);
    }
    free(in_slice);
    free(in_channel);
}

static void slices_are_filled_without_gaps(void **state)
{
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        check_dense(make(WW_SLICE_MODULO, slice_counts[i], 128));
        check_dense(make(WW_SLICE_XOR, slice_counts[i], 128));
    }
}

/* The busiest slice's share of `n` accesses, as a multiple of the even share. */
static double imbalance(const ww_slice_map *map, uint64_t stride, uint32_t n)
{
    uint32_t *used = ww_calloc(map->slices, sizeof(*used)), most = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t slice = ww_slice_map_place(map, i * stride).slice;
        most = ++used[slice] > most ? used[slice] : most;
    }
    free(used);
    return (double)most * map->slices / n;
}

static void strides_use_all_slices_when_hashed(void **state)
{
    (void)state;
    for (int i = 0; i < COUNTS; i++) {
        ww_slice_map map = make(WW_SLICE_XOR, slice_counts[i], 128);
        for (uint64_t stride = 128; stride <= 1u << 20; stride *= 2)
            for (uint64_t factor = 1; factor <= map.slices; factor += map.slices - 1) {
                double worst = imbalance(&map, stride * factor, 64 * map.slices);
                if (worst > 1.5)
                    fail_msg("%u slices, stride %llu: %.2f", map.slices,
                             (unsigned long long)(stride * factor), worst);
                if (map.slices == 1)
                    break;
            }
    }
}

static void modulo_keeps_the_order(void **state)
{
    (void)state;
    ww_slice_map map = make(WW_SLICE_MODULO, 6, 256);
    for (uint64_t block = 0; block < 60; block++) {
        ww_request request = {.address = block * 256 + 128};
        assert_int_equal(ww_slice_map_route(&map, &request), block % 6);
        assert_int_equal(ww_slice_map_place(&map, request.address).inside, block / 6 * 256 + 128);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(place_and_address_are_inverse),
        cmocka_unit_test(slices_are_filled_without_gaps),
        cmocka_unit_test(strides_use_all_slices_when_hashed),
        cmocka_unit_test(modulo_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
