/* Bank conflicts of the local data share, worked out by hand: passes, and steps without
 * conflicts. */
#include "base/rng.h"
#include "core/core_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ALL32 0xffffffffull
#define ALL64 (~0ull)

static uint64_t address[64];
static ww_cu_config config;

static int begin(void **state)
{
    (void)state;
    config = (ww_cu_config){.lds_banks = 32, .lds_bank_bytes = 4};
    return 0;
}

/* Lane i is at first + i * stride. */
static void set_addresses(uint64_t first, uint64_t stride)
{
    for (unsigned i = 0; i < 64; i++)
        address[i] = first + i * stride;
}

static void expect(uint64_t lanes, unsigned bytes, bool atomic, unsigned passes, unsigned steps)
{
    unsigned counted;
    assert_int_equal(ww_lds_passes(&config, lanes, address, bytes, atomic, &counted), passes);
    assert_int_equal(counted, steps);
}

static void a_stride_of_one_has_no_conflicts(void **state)
{
    (void)state;
    set_addresses(0, 4);
    expect(ALL32, 4, false, 1, 1);
    expect(ALL64, 4, false, 2, 2);
    set_addresses(68, 4); /* wherever it starts */
    expect(ALL32, 4, false, 1, 1);
    expect(0x00f0, 4, false, 1, 1);
}

static void a_stride_of_n_words_uses_every_nth_bank(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 32; n *= 2) {
        set_addresses(0, 4ull * n);
        expect(ALL32, 4, false, n, 1);
        expect(ALL64, 4, false, 2 * n, 2);
    }
    set_addresses(0, 4 * 33); /* padded by a word: the transpose without conflicts */
    expect(ALL32, 4, false, 1, 1);
    set_addresses(0, 4 * 3); /* odd strides go through all banks */
    expect(ALL32, 4, false, 1, 1);
}

static void one_word_goes_to_all_lanes_at_once(void **state)
{
    (void)state;
    set_addresses(128, 0);
    expect(ALL32, 4, false, 1, 1);
    set_addresses(0, 0);
    for (unsigned i = 0; i < 32; i++)
        address[i] = i % 2 * 4; /* two words in two banks */
    expect(ALL32, 4, false, 1, 1);
    for (unsigned i = 0; i < 32; i++)
        address[i] = i % 2 * 128; /* two words in one bank, alternating */
    expect(ALL32, 4, false, 2, 1);
    for (unsigned i = 0; i < 32; i++)
        address[i] = i % 3 * 128;
    expect(ALL32, 4, false, 3, 1);
}

static void bytes_of_a_word_are_one_access(void **state)
{
    (void)state;
    set_addresses(0, 1);
    expect(ALL32, 1, false, 1, 1);
    set_addresses(0, 2);
    expect(ALL32, 2, false, 1, 1);
}

static void wide_values_take_several_steps(void **state)
{
    (void)state;
    set_addresses(0, 8);
    expect(ALL32, 8, false, 2, 2); /* 16 lanes at a time */
    expect(ALL64, 8, false, 4, 4);
    set_addresses(0, 16);
    expect(ALL32, 16, false, 4, 4);
    set_addresses(0, 16); /* 64-bit words at a stride of two: 4 of 32 banks for each lane */
    expect(ALL32, 8, false, 4, 2);
}

static void wide_banks_give_wide_values_at_once(void **state)
{
    (void)state;
    config.lds_bank_bytes = 8;
    set_addresses(0, 8);
    expect(ALL32, 8, false, 1, 1);
    set_addresses(0, 4); /* two lanes share a word */
    expect(ALL32, 4, false, 1, 1);
    set_addresses(0, 16);
    expect(ALL32, 8, false, 2, 1);
}

static void atomics_on_one_word_are_serialised(void **state)
{
    (void)state;
    set_addresses(64, 0);
    expect(ALL32, 4, true, 32, 1);
    expect(0xf, 4, true, 4, 1);
    set_addresses(0, 4);
    expect(ALL32, 4, true, 1, 1);
    for (unsigned i = 0; i < 32; i++)
        address[i] = i % 8 * 4;
    expect(ALL32, 4, true, 4, 1);
}

static void few_banks_take_more_steps(void **state)
{
    (void)state;
    config.lds_banks = 16;
    set_addresses(0, 4);
    expect(ALL32, 4, false, 2, 2);
    config.lds_banks = 64;
    expect(ALL64, 4, false, 1, 1);
    set_addresses(0, 256);
    expect(ALL64, 4, false, 64, 1);
    config.lds_banks = 1;
    set_addresses(0, 4);
    expect(0x7, 4, false, 3, 3);
}

static void no_lanes_take_one_pass(void **state)
{
    (void)state;
    expect(0, 4, false, 1, 1);
}

/* The busiest bank of each step, with every pair of words compared. */
static unsigned naive_passes(const uint64_t *words, unsigned count, bool atomic)
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < config.lds_banks; bank++) {
        unsigned accesses = 0;
        for (unsigned i = 0; i < count; i++) {
            bool again = false;
            for (unsigned j = 0; j < i; j++)
                again |= words[j] == words[i];
            accesses += words[i] % config.lds_banks == bank && (atomic || !again);
        }
        most = accesses > most ? accesses : most;
    }
    return most;
}

static void random_accesses_match_a_naive_count(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 3);
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t words[256], range = 1 + ww_rng_below(&rng, 1000);
        unsigned count = 0, passes = 0, steps = 0;
        unsigned per_lane = 1u << ww_rng_below(&rng, 3);
        bool atomic = ww_rng_below(&rng, 4) == 0;
        uint64_t lanes = ww_rng_next(&rng) | 1;
        config.lds_banks = 1u << ww_rng_below(&rng, 7);
        for (unsigned i = 0; i < 64; i++) {
            address[i] = 4 * per_lane * ww_rng_below(&rng, range);
            for (unsigned w = 0; w < per_lane && lanes >> i & 1; w++)
                words[count++] = address[i] / 4 + w;
        }
        for (unsigned at = 0; at < count; at += config.lds_banks, steps++) {
            unsigned rest = count - at < config.lds_banks ? count - at : config.lds_banks;
            passes += naive_passes(words + at, rest, atomic);
        }
        expect(lanes, 4 * per_lane, atomic, passes, steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_stride_of_one_has_no_conflicts, begin),
        cmocka_unit_test_setup(a_stride_of_n_words_uses_every_nth_bank, begin),
        cmocka_unit_test_setup(one_word_goes_to_all_lanes_at_once, begin),
        cmocka_unit_test_setup(bytes_of_a_word_are_one_access, begin),
        cmocka_unit_test_setup(wide_values_take_several_steps, begin),
        cmocka_unit_test_setup(wide_banks_give_wide_values_at_once, begin),
        cmocka_unit_test_setup(atomics_on_one_word_are_serialised, begin),
        cmocka_unit_test_setup(few_banks_take_more_steps, begin),
        cmocka_unit_test_setup(no_lanes_take_one_pass, begin),
        cmocka_unit_test_setup(random_accesses_match_a_naive_count, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
