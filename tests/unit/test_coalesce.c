/* The coalescer: which lines and sectors a warp's addresses become, worked out by hand. */
#include "core/coalesce.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ALL32 0xffffffffull
#define BASE 0x10000ull

static uint64_t address[64];
static ww_warp_lines lines;

/* Lane i is at BASE + first + i * stride. */
static void set_addresses(uint64_t first, uint64_t stride)
{
    for (unsigned i = 0; i < 64; i++)
        address[i] = BASE + first + i * stride;
    lines.count = 0;
}

static void coalesce(uint64_t lanes, unsigned bytes)
{
    ww_coalesce(&lines, lanes, address, bytes, 128, 32);
}

static void expect_line(uint32_t index, uint64_t at, uint32_t sectors, unsigned accesses)
{
    assert_true(index < lines.count);
    assert_int_equal(lines.line[index].address, BASE + at);
    assert_int_equal(lines.line[index].sectors, sectors);
    assert_int_equal(lines.line[index].accesses, accesses);
}

static void neighbours_share_a_line(void **state)
{
    (void)state;
    set_addresses(0, 4);
    coalesce(ALL32, 4);
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0xf, 32);
    set_addresses(0, 4);
    coalesce(~0ull, 4); /* a warp of 64 */
    assert_int_equal(lines.count, 2);
    expect_line(1, 128, 0xf, 32);
}

static void bytes_need_fewer_sectors(void **state)
{
    (void)state;
    set_addresses(96, 1);
    coalesce(ALL32, 1);
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0x8, 32);
}

static void a_large_stride_needs_a_line_for_each_lane(void **state)
{
    (void)state;
    set_addresses(40, 128);
    coalesce(ALL32, 4);
    assert_int_equal(lines.count, 32);
    for (uint32_t i = 0; i < 32; i++)
        expect_line(i, i * 128, 0x2, 1);
}

static void a_stride_of_two_halves_the_use_of_a_line(void **state)
{
    (void)state;
    set_addresses(0, 8);
    coalesce(ALL32, 4);
    assert_int_equal(lines.count, 2);
    expect_line(0, 0, 0xf, 16);
    expect_line(1, 128, 0xf, 16);
    assert_int_equal(lines.line[0].bytes, 64);
}

static void inactive_lanes_ask_for_nothing(void **state)
{
    (void)state;
    set_addresses(0, 128);
    coalesce(0x80000001, 4);
    assert_int_equal(lines.count, 2);
    expect_line(0, 0, 0x1, 1);
    expect_line(1, 31 * 128, 0x1, 1);
    set_addresses(0, 4);
    coalesce(0x00ff0000, 4);
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0x4, 8);
}

static void lines_are_in_the_order_of_lanes(void **state)
{
    (void)state;
    set_addresses(0, 0);
    address[0] = BASE + 512;
    address[1] = BASE + 4;
    address[2] = BASE + 516;
    address[3] = BASE + 260;
    coalesce(0xf, 4);
    assert_int_equal(lines.count, 3);
    expect_line(0, 512, 0x1, 2);
    expect_line(1, 0, 0x1, 1);
    expect_line(2, 256, 0x1, 1);
}

static void vectors_span_sectors(void **state)
{
    (void)state;
    set_addresses(0, 16);
    coalesce(ALL32, 16);
    assert_int_equal(lines.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        expect_line(i, i * 128, 0xf, 8);
    set_addresses(48, 0);
    coalesce(1, 32); /* 48 .. 79: the second and the third sector */
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0x6, 1);
}

static void an_unaligned_access_reaches_into_the_next_line(void **state)
{
    (void)state;
    set_addresses(126, 0);
    coalesce(1, 4);
    assert_int_equal(lines.count, 2);
    expect_line(0, 0, 0x8, 1);
    expect_line(1, 128, 0x1, 1);
    assert_int_equal(lines.line[0].bytes, 2);
    assert_int_equal(lines.line[1].bytes, 2);
}

static void a_line_without_sectors_has_one_bit(void **state)
{
    (void)state;
    set_addresses(100, 4);
    ww_coalesce(&lines, 0xff, address, 4, 64, 64);
    assert_int_equal(lines.count, 2);
    expect_line(0, 64, 0x1, 7);
    expect_line(1, 128, 0x1, 1);
}

static void further_accesses_are_added(void **state)
{
    (void)state;
    set_addresses(0, 4);
    coalesce(0xff, 4);
    set_addresses(32, 4);
    lines.count = 1;
    coalesce(0xff, 4);
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0x3, 16);
}

static void a_store_is_full_when_its_sectors_are(void **state)
{
    (void)state;
    set_addresses(0, 4);
    coalesce(ALL32, 4);
    assert_true(ww_warp_line_is_full(&lines, 0, 32));
    set_addresses(0, 4);
    coalesce(0xff, 4); /* one sector, all of it */
    assert_true(ww_warp_line_is_full(&lines, 0, 32));
    set_addresses(0, 4);
    coalesce(0x7f, 4);
    assert_false(ww_warp_line_is_full(&lines, 0, 32));
    set_addresses(0, 8);
    coalesce(ALL32, 4); /* every other word */
    assert_false(ww_warp_line_is_full(&lines, 0, 32));
    assert_false(ww_warp_line_is_full(&lines, 1, 32));
    set_addresses(16, 4);
    coalesce(0xff, 4); /* two sectors, half of each */
    assert_false(ww_warp_line_is_full(&lines, 0, 32));
}

static void one_word_from_all_lanes_is_not_full(void **state)
{
    (void)state;
    set_addresses(0, 0);
    coalesce(ALL32, 4);
    assert_int_equal(lines.count, 1);
    expect_line(0, 0, 0x1, 32); /* an atomic has 32 operations */
    assert_false(ww_warp_line_is_full(&lines, 0, 32));
}

/* Every lane touches as many lines as it can: nothing is lost, and nothing is written past the
 * end. */
static void the_most_lines_that_a_warp_can_touch_fit(void **state)
{
    (void)state;
    set_addresses(15, 4096);
    for (unsigned word = 0; word < WW_MOST_BYTES / 4; word++) {
        ww_coalesce(&lines, ~0ull, address, 4, 128, 32);
        for (unsigned i = 0; i < 64; i++)
            address[i] += 256;
    }
    assert_int_equal(lines.count, 64 * WW_MOST_BYTES / 4);
    assert_true(lines.count <= WW_MOST_LINES);
    set_addresses(15, 4096);
    ww_coalesce(&lines, ~0ull, address, WW_MOST_BYTES, 16, 4);
    assert_int_equal(lines.count, 64 * (WW_MOST_BYTES / 16 + 1));
}

typedef struct naive_line {
    uint64_t address;
    uint32_t sectors;
    bool bytes[256];
} naive_line;

/* Byte by byte. */
static unsigned naive(naive_line *list, uint64_t lanes, unsigned bytes, unsigned line,
                      unsigned sector)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned b = 0; b < bytes && lanes >> lane & 1; b++) {
            uint64_t at = address[lane] + b;
            unsigned i = 0;
            while (i < count && list[i].address != at / line * line)
                i++;
            if (i == count)
                list[count++] = (naive_line){.address = at / line * line};
            list[i].sectors |= 1u << at % line / sector;
            list[i].bytes[at % line] = true;
        }
    return count;
}

static bool is_full(const naive_line *line, unsigned size, unsigned sector)
{
    for (unsigned b = 0; b < size; b++)
        if (line->sectors >> b / sector & 1 && !line->bytes[b])
            return false;
    return true;
}

static void random_accesses_match_a_naive_coalescer(void **state)
{
    (void)state;
    static naive_line expected[WW_MOST_LINES];
    ww_rng rng;
    ww_rng_seed(&rng, 7);
    unsigned full = 0;
    for (unsigned round = 0; round < 20000; round++) {
        unsigned line = 32u << ww_rng_below(&rng, 4);
        unsigned sector = line >> ww_rng_below(&rng, 4);
        unsigned bytes = 1u << ww_rng_below(&rng, 5);
        uint64_t lanes = ww_rng_next(&rng) | (ww_rng_below(&rng, 2) ? ~0ull : 0);
        uint64_t range = 1ull << (7 + ww_rng_below(&rng, 8));
        bool in_order = ww_rng_below(&rng, 2);
        set_addresses(ww_rng_below(&rng, 256), bytes);
        for (unsigned i = 0; i < 64 && !in_order; i++)
            address[i] = BASE + ww_rng_below(&rng, range);
        if (!lanes)
            continue;
        unsigned count = naive(expected, lanes, bytes, line, sector);
        ww_coalesce(&lines, lanes, address, bytes, line, sector);
        assert_int_equal(lines.count, count);
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(lines.line[i].address, expected[i].address);
            assert_int_equal(lines.line[i].sectors, expected[i].sectors);
            if (is_full(&expected[i], line, sector)) {
                full++;
                assert_true(ww_warp_line_is_full(&lines, i, sector));
            } else if (in_order) {
                assert_false(ww_warp_line_is_full(&lines, i, sector));
            }
        }
    }
    assert_true(full > 1000);
}

static void sequences_are_what_their_lanes_are(void **state)
{
    (void)state;
    static ww_warp_lines want;
    ww_rng rng;
    ww_rng_seed(&rng, 9);
    for (unsigned round = 0; round < 5000; round++) {
        unsigned line = 32u << ww_rng_below(&rng, 4);
        unsigned sector = line >> ww_rng_below(&rng, 4);
        unsigned bytes = 1u << ww_rng_below(&rng, 5);
        unsigned count = 1 + (unsigned)ww_rng_below(&rng, 64);
        uint64_t lanes = count < 64 ? (1ull << count) - 1 : ~0ull;
        uint64_t first = ww_rng_below(&rng, 300);
        for (unsigned i = 0; i < 64; i++)
            address[i] = BASE + (first + i) * bytes;
        want.count = lines.count = 0;
        ww_coalesce(&want, lanes, address, bytes, line, sector);
        ww_coalesce_sequence(&lines, address[0], count, bytes, line, sector);
        assert_int_equal(lines.count, want.count);
        assert_memory_equal(lines.line, want.line, want.count * sizeof(*want.line));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_share_a_line),
        cmocka_unit_test(sequences_are_what_their_lanes_are),
        cmocka_unit_test(bytes_need_fewer_sectors),
        cmocka_unit_test(a_large_stride_needs_a_line_for_each_lane),
        cmocka_unit_test(a_stride_of_two_halves_the_use_of_a_line),
        cmocka_unit_test(inactive_lanes_ask_for_nothing),
        cmocka_unit_test(lines_are_in_the_order_of_lanes),
        cmocka_unit_test(vectors_span_sectors),
        cmocka_unit_test(an_unaligned_access_reaches_into_the_next_line),
        cmocka_unit_test(a_line_without_sectors_has_one_bit),
        cmocka_unit_test(further_accesses_are_added),
        cmocka_unit_test(a_store_is_full_when_its_sectors_are),
        cmocka_unit_test(one_word_from_all_lanes_is_not_full),
        cmocka_unit_test(the_most_lines_that_a_warp_can_touch_fit),
        cmocka_unit_test(random_accesses_match_a_naive_coalescer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
