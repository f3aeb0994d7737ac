#include "host/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNED, UNSIGNED, FLOAT };

static const struct {
    unsigned bytes;
    int kind;
} elements[WW_ELEMENT_COUNT] = {
#define DESCRIBE(e, n, b, k) [WW_ELEMENT_##e] = {b, k},
    WW_ELEMENTS(DESCRIBE)};

#define NAME(e, n, b, k) [WW_ELEMENT_##e] = n,
const char *const ww_element_names[WW_ELEMENT_COUNT] = {WW_ELEMENTS(NAME)};

unsigned ww_element_bytes(ww_element element)
{
    return elements[element].bytes;
}

bool ww_element_is_float(ww_element element)
{
    return elements[element].kind == FLOAT;
}

/* ---- IEEE binary16 ---- */

static double half_to_double(uint16_t half)
{
    int exponent = half >> 10 & 31;
    double fraction = half & 1023;
    double value;
    if (exponent == 31)
        value = fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, -24);
    else
        value = ldexp(fraction + 1024, exponent - 25);
    return half & 0x8000 ? -value : value;
}

static uint16_t half_from_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value))
        return 0x7e00;
    if (size >= 65520) /* halfway to the number after the largest */
        return sign | 0x7c00;
    int exponent = 0;
    frexp(size, &exponent);
    int ulp = size == 0 || exponent < -13 ? -24 : exponent - 11;
    uint16_t steps = (uint16_t)nearbyint(ldexp(size, -ulp)); /* ties to even */
    /* Steps of 1024 and more carry into the exponent on their own. */
    return (uint16_t)(sign + ((ulp + 24) << 10) + steps);
}

/* ---- loads and stores ---- */

static int64_t load_signed(ww_element element, const void *value)
{
    uint64_t bits = 0;
    unsigned shift = 64 - 8 * elements[element].bytes;
    memcpy(&bits, value, elements[element].bytes);
    return (int64_t)(bits << shift) >> shift;
}

static uint64_t load_unsigned(ww_element element, const void *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, elements[element].bytes);
    return bits;
}

static double load_float(ww_element element, const void *value)
{
    uint16_t half;
    float single;
    double whole;
    switch (element) {
    case WW_ELEMENT_F16: memcpy(&half, value, 2); return half_to_double(half);
    case WW_ELEMENT_F32: memcpy(&single, value, 4); return (double)single;
    default: memcpy(&whole, value, 8); return whole;
    }
}

static void store_float(ww_element element, double number, void *value)
{
    uint16_t half = element == WW_ELEMENT_F16 ? half_from_double(number) : 0;
    float single = (float)number;
    if (element == WW_ELEMENT_F16)
        memcpy(value, &half, 2);
    else if (element == WW_ELEMENT_F32)
        memcpy(value, &single, 4);
    else
        memcpy(value, &number, 8);
}

static void store_bits(ww_element element, uint64_t bits, void *value)
{
    memcpy(value, &bits, elements[element].bytes);
}

/* ---- making values ---- */

int ww_element_parse(ww_element element, const ww_yaml *node, const char *what, void *value,
                     ww_errors *errors)
{
    unsigned bits = elements[element].bytes * 8;
    int64_t s = 0;
    uint64_t u = 0;
    double real = 0;
    int status;
    switch (elements[element].kind) {
    case SIGNED:
        status =
            ww_yaml_i64(node, what, INT64_MIN >> (64 - bits), INT64_MAX >> (64 - bits), &s, errors);
        store_bits(element, (uint64_t)s, value);
        return status;
    case UNSIGNED:
        status = ww_yaml_u64(node, what, 0, UINT64_MAX >> (64 - bits), &u, errors);
        store_bits(element, u, value);
        return status;
    default:
        status = ww_yaml_double(node, what, &real, errors);
        store_float(element, real, value);
        return status;
    }
}

void ww_element_iota(ww_element element, uint64_t index, void *value)
{
    if (elements[element].kind != FLOAT)
        store_bits(element, index, value);
    else if (element == WW_ELEMENT_F32) /* rounded once, not by way of a double */
        memcpy(value, &(float){(float)index}, 4);
    else
        store_float(element, (double)index, value);
}

void ww_element_random(ww_element element, ww_rng *rng, void *value)
{
    uint64_t bits = ww_rng_next(rng);
    /* Floats take as many bits as their type holds: rounding more of them could give 1. */
    if (elements[element].kind != FLOAT)
        store_bits(element, bits, value);
    else if (element == WW_ELEMENT_F32)
        memcpy(value, &(float){(float)(bits >> 40) * 0x1p-24f}, 4);
    else if (element == WW_ELEMENT_F64)
        memcpy(value, &(double){(double)(bits >> 11) * 0x1p-53}, 8);
    else
        store_float(element, (double)(bits >> 53) * 0x1p-11, value);
}

void ww_element_random_between(ww_element element, ww_rng *rng, const void *low, const void *high,
                               void *value)
{
    if (elements[element].kind == FLOAT) {
        double a = load_float(element, low);
        double b = load_float(element, high);
        store_float(element, a + (b - a) * ww_rng_unit(rng), value);
        if (a < b && load_float(element, value) >= b)
            memcpy(value, low, elements[element].bytes);
        return;
    }
    uint64_t a = (uint64_t)load_signed(element, low);
    uint64_t span = (uint64_t)load_signed(element, high) - a;
    if (elements[element].kind == UNSIGNED) {
        a = load_unsigned(element, low);
        span = load_unsigned(element, high) - a;
    }
    uint64_t pick = span == UINT64_MAX ? ww_rng_next(rng) : ww_rng_below(rng, span + 1);
    store_bits(element, a + pick, value);
}

/* ---- comparing and showing ---- */

bool ww_element_less(ww_element element, const void *a, const void *b)
{
    switch (elements[element].kind) {
    case SIGNED: return load_signed(element, a) < load_signed(element, b);
    case UNSIGNED: return load_unsigned(element, a) < load_unsigned(element, b);
    default: return load_float(element, a) < load_float(element, b);
    }
}

static double float_distance(double got, double want)
{
    if ((isnan(got) && isnan(want)) || got == want)
        return 0;
    double distance = fabs(got - want);
    return isnan(distance) ? (double)INFINITY : distance;
}

double ww_element_distance(ww_element element, const void *got, const void *want)
{
    if (elements[element].kind == FLOAT)
        return float_distance(load_float(element, got), load_float(element, want));
    bool less = ww_element_less(element, got, want);
    uint64_t a = elements[element].kind == SIGNED ? (uint64_t)load_signed(element, got)
                                                  : load_unsigned(element, got);
    uint64_t b = elements[element].kind == SIGNED ? (uint64_t)load_signed(element, want)
                                                  : load_unsigned(element, want);
    return (double)(less ? b - a : a - b);
}

double ww_element_magnitude(ww_element element, const void *value)
{
    switch (elements[element].kind) {
    case SIGNED: return fabs((double)load_signed(element, value));
    case UNSIGNED: return (double)load_unsigned(element, value);
    default: return fabs(load_float(element, value));
    }
}

static bool reads_back(ww_element element, const char *text, double number)
{
    double back = element == WW_ELEMENT_F64 ? strtod(text, NULL) : (double)strtof(text, NULL);
    return back == number || isnan(number);
}

/* The fewest digits that read back as the same number, but all those of its whole part. */
static void float_text(ww_element element, double number, char text[WW_ELEMENT_TEXT])
{
    int digits = 1;
    if (fabs(number) < 1e15)
        for (double limit = 10; fabs(number) >= limit; limit *= 10)
            digits++;
    do
        snprintf(text, WW_ELEMENT_TEXT, "%.*g", digits, number);
    while (!reads_back(element, text, number) && ++digits <= 17);
}

void ww_element_text(ww_element element, const void *value, char text[WW_ELEMENT_TEXT])
{
    if (elements[element].kind == SIGNED)
        snprintf(text, WW_ELEMENT_TEXT, "%" PRId64, load_signed(element, value));
    else if (elements[element].kind == UNSIGNED)
        snprintf(text, WW_ELEMENT_TEXT, "%" PRIu64, load_unsigned(element, value));
    else
        float_text(element, load_float(element, value), text);
}
