#include "support/reference.h"

#include <math.h>
#include <string.h>

typedef enum rounding { NEAREST, TO_ZERO, UP, DOWN } rounding;

/* x rounded to an integer; NaN is 0. */
static double whole(double x, rounding mode)
{
    return isnan(x)          ? 0
           : mode == NEAREST ? rint(x)
           : mode == TO_ZERO ? trunc(x)
           : mode == UP      ? ceil(x)
                             : floor(x);
}

static int64_t limited(double x, rounding mode, double least, double most)
{
    double v = whole(x, mode);
    return (int64_t)(v < least ? least : v > most ? most : v);
}

static uint64_t limited_ulong(double x, rounding mode)
{
    double v = whole(x, mode);
    return v <= 0 ? 0 : v >= 0x1p64 ? UINT64_MAX : (uint64_t)v;
}

/* The bits of a float, rounded from a number that is wider than a float. */
static int32_t float_bits(long double exact, rounding mode)
{
    float f = (float)exact;
    long double less = exact - (long double)f; /* exact: both have at most 64 bits */
    if (mode == TO_ZERO)
        mode = exact < 0 ? UP : DOWN;
    if (mode == UP && less > 0)
        f = nextafterf(f, INFINITY);
    if (mode == DOWN && less < 0)
        f = nextafterf(f, -INFINITY);
    int32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

/* The bits of a half: 11 significant bits, the least one 2^-24 at least. */
static uint16_t half_bits(double x, rounding mode)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double v = fabs(x);
    int exponent;
    if (isinf(x))
        return sign | 0x7c00;
    frexp(v, &exponent);
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    if (sign)
        mode = mode == UP ? TO_ZERO : mode == DOWN ? UP : mode;
    double rounded = ldexp(whole(ldexp(v, -unit), mode), unit);
    if (rounded > 65504)
        return mode == TO_ZERO || mode == DOWN ? sign | 0x7bff : sign | 0x7c00;
    frexp(rounded, &exponent);
    if (rounded < 0x1p-14)
        return (uint16_t)(sign | (int)ldexp(rounded, 24));
    return (uint16_t)(sign | (exponent + 14) << 10 | ((int)ldexp(rounded, 11 - exponent) & 0x3ff));
}

static float within(float x)
{
    return x < -1e9f ? -1e9f : x > 1e9f ? 1e9f : x;
}

static void convert(float x, int64_t *o)
{
    float l = within(x);
    uint32_t bits;
    memcpy(&bits, &l, 4);
    for (rounding m = NEAREST; m <= DOWN; m++) {
        o[m] = limited(x, m, -0x1p31, 0x1p31 - 1);
        o[4 + m] = limited(x, m, 0, 255);
        o[8 + m] = limited(x, m, -32768, 32767);
        o[12 + m] = (int64_t)limited_ulong(x, m);
    }
    o[16] = (int64_t)whole(l, NEAREST);
    o[17] = (int64_t)whole(l, UP);
    o[18] = (int64_t)whole(l, DOWN);
    o[19] = (int)l;
    o[20] = float_bits((int)l, NEAREST);
    o[21] = float_bits(bits, TO_ZERO);
    o[22] = float_bits((int32_t)bits * 4099l, UP);
    o[23] = float_bits((double)l / 3, DOWN);
}

static void compute(float x, float next, int i, double *p)
{
    double d = within(x), e = within(next);
    volatile double product = d * e, third = d / 3;
    uint64_t bits;
    memcpy(&bits, &d, 8);
    p[0] = third - sqrt(fabs(e));
    p[1] = fma(d, e, -product);
    volatile double a = rint(d * 0.5), b = floor(d / 7) * ceil(d / 7), c = trunc(d / 9);
    p[2] = a + b + c + round(d * 0.5);
    p[3] = fmod(d, 7.25) + copysign(fmin(d, 3.5), d) + fmax(d, -2.0);
    p[4] = ldexp(d, i - 64);
    p[5] = nextafter(d, 1e300);
    p[6] = (double)(bits >> 12);
    p[7] = d == 0 ? 0 : 1 / d;
}

REFERENCE(convert_rounding)
{
    const float *in = reference_input(r, "in");
    int64_t *out = reference_wanted(r, "out");
    double *reals = reference_wanted(r, "reals");
    uint16_t *halves = reference_wanted(r, "halves");
    for (int i = 0; i < 64; i++) {
        convert(in[i], out + 24 * i);
        compute(in[i], in[(i + 1) & 63], i, reals + 8 * i);
        for (rounding m = NEAREST; m <= DOWN; m++)
            halves[6 * i + (int)m] = half_bits(in[i], m);
        halves[6 * i + 4] = half_bits((double)within(in[i]) * 1e-12, UP);
        halves[6 * i + 5] = half_bits((double)within(in[i]) / 3, UP);
    }
}
