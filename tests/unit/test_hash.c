#include "base/build_id.h"
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Content keys are kept on disk: the values must never change, on any machine. */
static void values_are_fixed(void **state)
{
    (void)state;
    assert_true(ww_hash64("", 0, 0) == 0x48218226ff3cd4bfu);
    assert_true(ww_hash64("warpwalk", 8, 0) == 0xc1a3ed629990c3ffu);
    assert_true(ww_hash64("warpwalk!", 9, 0) == 0xdfe8058e2133fe7au);
    assert_true(ww_hash64("warpwalk", 8, 1) == 0xb359bdeba02ec8e7u);
    assert_true(ww_mix64(1) == 0x5692161d100b05e5u);
}

static void alignment_does_not_matter(void **state)
{
    (void)state;
    char bytes[64];
    uint64_t want = ww_hash64("twenty-one bytes long", 21, 5);
    for (size_t offset = 0; offset < 16; offset++) {
        memcpy(bytes + offset, "twenty-one bytes long", 21);
        assert_true(ww_hash64(bytes + offset, 21, 5) == want);
    }
}

static int bits(uint64_t word)
{
    return __builtin_popcountll(word);
}

/* Flipping any bit of the input flips about half of the output; 64 fair coins give fewer than 10
 * or more than 54 heads once in 10^8. */
static void every_bit_of_the_input_counts(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 24; size++) {
        unsigned char bytes[24] = {0};
        uint64_t before = ww_hash64(bytes, size, 0);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            assert_in_range(bits(before ^ ww_hash64(bytes, size, 0)), 10, 54);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        for (int bit = 0; bit < 64; bit++)
            assert_in_range(bits(before ^ ww_hash64(bytes, size, UINT64_C(1) << bit)), 10, 54);
    }
}

static void length_counts_even_when_the_bytes_are_zero(void **state)
{
    (void)state;
    const char zeros[32] = {0};
    for (size_t a = 0; a < 32; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(ww_hash64(zeros, a, 0) != ww_hash64(zeros, b, 0));
}

static void wide_hashes_take_numbers_byte_by_byte(void **state)
{
    (void)state;
    ww_hash128 number = {{0, 0}}, bytes = {{0, 0}}, other = {{0, 0}};
    ww_hash128_add_number(&number, 0x0807060504030201u);
    ww_hash128_add(&bytes, "\1\2\3\4\5\6\7\10", 8);
    ww_hash128_add_number(&other, 0x0807060504030202u);
    assert_memory_equal(&number, &bytes, sizeof(number));
    assert_true(number.words[0] != other.words[0] && number.words[1] != other.words[1]);
}

static void this_build_has_an_identity(void **state)
{
    (void)state;
    ww_hash128 hash = {{0, 0}}, again = {{0, 0}};
    assert_true(ww_build_id_add(&hash));
    assert_true(hash.words[0] && hash.words[1]);
    assert_true(ww_build_id_add(&again));
    assert_memory_equal(&hash, &again, sizeof(hash));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_fixed),
        cmocka_unit_test(alignment_does_not_matter),
        cmocka_unit_test(every_bit_of_the_input_counts),
        cmocka_unit_test(length_counts_even_when_the_bytes_are_zero),
        cmocka_unit_test(wide_hashes_take_numbers_byte_by_byte),
        cmocka_unit_test(this_build_has_an_identity),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
