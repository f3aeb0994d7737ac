#include "host/element.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Parses `text` as an element; the bytes go to *bits. */
static int parse(ww_element element, const char *text, uint64_t *bits)
{
    ww_errors *errors = ww_errors_create();
    ww_yaml_document *document = ww_yaml_parse("t", text, strlen(text), errors);
    assert_non_null(document);
    *bits = 0;
    int status = ww_element_parse(element, ww_yaml_root(document), "'x'", bits, errors);
    ww_yaml_destroy(document);
    ww_errors_destroy(errors);
    return status;
}

static void expect_bits(ww_element element, const char *text, uint64_t want)
{
    uint64_t bits;
    assert_int_equal(parse(element, text, &bits), WW_OK);
    assert_int_equal(bits, want);
}

static void ranges_are_checked(void **state)
{
    (void)state;
    uint64_t bits;
    expect_bits(WW_ELEMENT_I8, "-128", 0x80);
    expect_bits(WW_ELEMENT_U16, "65535", 0xffff);
    expect_bits(WW_ELEMENT_I64, "-9223372036854775808", UINT64_C(1) << 63);
    expect_bits(WW_ELEMENT_U64, "18446744073709551615", UINT64_MAX);
    assert_int_equal(parse(WW_ELEMENT_I8, "128", &bits), WW_BAD_INPUT);
    assert_int_equal(parse(WW_ELEMENT_U8, "-1", &bits), WW_BAD_INPUT);
    assert_int_equal(parse(WW_ELEMENT_U32, "4294967296", &bits), WW_BAD_INPUT);
    assert_int_equal(parse(WW_ELEMENT_I32, "1.5", &bits), WW_BAD_INPUT);
}

static void halves_round_to_nearest_even(void **state)
{
    (void)state;
    expect_bits(WW_ELEMENT_F16, "1", 0x3c00);
    expect_bits(WW_ELEMENT_F16, "-2", 0xc000);
    expect_bits(WW_ELEMENT_F16, "65504", 0x7bff);
    expect_bits(WW_ELEMENT_F16, "65519.9", 0x7bff);
    expect_bits(WW_ELEMENT_F16, "65520", 0x7c00);
    expect_bits(WW_ELEMENT_F16, "5.9604644775390625e-8", 0x0001);
    expect_bits(WW_ELEMENT_F16, "2.98023223876953125e-8", 0x0000);
    expect_bits(WW_ELEMENT_F16, "2.9802322387695316e-8", 0x0001);
    expect_bits(WW_ELEMENT_F16, "6.103515625e-5", 0x0400);
    expect_bits(WW_ELEMENT_F16, "2049", 0x6800);
    expect_bits(WW_ELEMENT_F16, "2051", 0x6802);
    expect_bits(WW_ELEMENT_F16, "-0.0", 0x8000);
}

static void every_half_survives_its_text(void **state)
{
    (void)state;
    for (uint32_t half = 0; half < 0x7c00; half++) {
        char text[WW_ELEMENT_TEXT];
        uint64_t bits;
        ww_element_text(WW_ELEMENT_F16, &half, text);
        assert_int_equal(parse(WW_ELEMENT_F16, text, &bits), WW_OK);
        assert_int_equal(bits, half);
    }
}

static void numbers_are_shown_in_full(void **state)
{
    (void)state;
    char text[WW_ELEMENT_TEXT];
    float numbers[] = {16000, 0.1f, 16777216, 1e30f, NAN, -INFINITY};
    const char *const texts[] = {"16000", "0.1", "16777216", "1e+30", "nan", "-inf"};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        ww_element_text(WW_ELEMENT_F32, &numbers[i], text);
        assert_string_equal(text, texts[i]);
    }
    double third = 1.0 / 3;
    ww_element_text(WW_ELEMENT_F64, &third, text);
    assert_string_equal(text, "0.3333333333333333");
    int16_t least = -32768;
    ww_element_text(WW_ELEMENT_I16, &least, text);
    assert_string_equal(text, "-32768");
}

static void iota_converts_as_c_does(void **state)
{
    (void)state;
    uint64_t bits = 0;
    ww_element_iota(WW_ELEMENT_U8, 300, &bits);
    assert_int_equal(bits, 44);
    float f;
    ww_element_iota(WW_ELEMENT_F32, 16777219, &f);
    assert_true(f == 16777220.0f);
}

static void random_floats_stay_below_one(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 3);
    double sum = 0;
    for (int i = 0; i < 20000; i++) {
        uint16_t half;
        float f;
        ww_element_random(WW_ELEMENT_F16, &rng, &half);
        assert_true(half < 0x3c00);
        ww_element_random(WW_ELEMENT_F32, &rng, &f);
        assert_true(f >= 0 && f < 1);
        sum += (double)f;
    }
    assert_true(sum > 9800 && sum < 10200);
}

static void random_ranges_reach_both_ends(void **state)
{
    (void)state;
    ww_rng rng;
    ww_rng_seed(&rng, 5);
    int8_t low = -2, high = 2, value;
    int seen[5] = {0};
    for (int i = 0; i < 500; i++) {
        ww_element_random_between(WW_ELEMENT_I8, &rng, &low, &high, &value);
        assert_true(value >= low && value <= high);
        seen[value + 2]++;
    }
    for (int i = 0; i < 5; i++)
        assert_true(seen[i] > 0);
    uint64_t all[2] = {0, UINT64_MAX}, any = 0;
    ww_element_random_between(WW_ELEMENT_U64, &rng, &all[0], &all[1], &any);
    assert_true(any != 0);
}

static void distances_know_special_values(void **state)
{
    (void)state;
    float nan = NAN, inf = INFINITY, one = 1, two = 2, zero = 0, minus = -0.0f;
    assert_true(ww_element_distance(WW_ELEMENT_F32, &nan, &nan) == 0);
    assert_true(isinf(ww_element_distance(WW_ELEMENT_F32, &nan, &one)));
    assert_true(ww_element_distance(WW_ELEMENT_F32, &inf, &inf) == 0);
    assert_true(isinf(ww_element_distance(WW_ELEMENT_F32, &inf, &one)));
    assert_true(ww_element_distance(WW_ELEMENT_F32, &zero, &minus) == 0);
    assert_true(ww_element_distance(WW_ELEMENT_F32, &one, &two) == 1);
    int64_t least = INT64_MIN, most = INT64_MAX;
    assert_true(ww_element_distance(WW_ELEMENT_I64, &least, &most) == 18446744073709551615.0);
    assert_true(ww_element_distance(WW_ELEMENT_U64, &least, &most) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(halves_round_to_nearest_even),
        cmocka_unit_test(every_half_survives_its_text),
        cmocka_unit_test(numbers_are_shown_in_full),
        cmocka_unit_test(iota_converts_as_c_does),
        cmocka_unit_test(random_floats_stay_below_one),
        cmocka_unit_test(random_ranges_reach_both_ends),
        cmocka_unit_test(distances_know_special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
