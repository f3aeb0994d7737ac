#include "support/reference.h"

#include <math.h>

/* The nearest half, as a double; doubles hold every sum and product of two halves. */
static double half(double x)
{
    int exponent;
    frexp(x, &exponent);
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    double rounded = ldexp(rint(ldexp(x, -unit)), unit);
    return fabs(rounded) > 65504 ? copysign(INFINITY, x) : rounded;
}

static double toward_zero(double x)
{
    double rounded = half(x);
    int exponent;
    frexp(x, &exponent);
    return fabs(rounded) > fabs(x) ? rounded - copysign(ldexp(1, exponent - 11), x) : rounded;
}

static double value(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 0x3ff;
    double v = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return h & 0x8000 ? -v : v;
}

static uint16_t bits(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double v = fabs(x);
    int exponent;
    if (isinf(x))
        return sign | 0x7c00;
    frexp(v, &exponent);
    if (v < 0x1p-14)
        return (uint16_t)(sign | (int)ldexp(v, 24));
    return (uint16_t)(sign | (exponent + 14) << 10 | ((int)ldexp(v, 11 - exponent) & 0x3ff));
}

static void compute(const uint16_t *in, int i, uint16_t *o)
{
    const double scale = 1.375;
    double a = value(in[i]), b = value(in[i + 1]), v[4];
    for (int n = 0; n < 4; n++)
        v[n] = half(half(value(in[i + n]) * scale) + value(in[i + 3 - n]));
    /* dot goes through float: the products are exact, the sums are rounded to float. */
    float dot = (float)(v[0] - v[1]);
    dot = (float)((double)dot + v[2] * 0.5);
    dot = (float)((double)dot + v[3] * 2);
    double up = half(toward_zero((float)a * 1.0001f) + floor(b));
    double results[12] = {half(a + b),
                          half(half(a * b) - scale),
                          half(a / (b == 0 ? 1 : b)),
                          half(a * b + scale),
                          half((float)sqrt(fabs(a))),
                          half((a > b ? a : b) - (a < scale ? a : scale)),
                          v[0],
                          v[1],
                          v[2],
                          half(dot),
                          up,
                          half((a < b ? b : a) + i)};
    for (int n = 0; n < 12; n++)
        o[n] = bits(results[n]);
}

REFERENCE(halves)
{
    const uint16_t *in = reference_input(r, "in");
    uint16_t *out = reference_wanted(r, "out");
    int *flags = reference_wanted(r, "flags");
    for (int i = 0; i < 100; i++) {
        double a = value(in[i]), b = value(in[i + 1]);
        compute(in, i, out + 12 * i);
        int byte = (int)(b < 0 ? 0 : b > 255 ? 255 : trunc(b));
        flags[i] = (int)rint(a) + 1000 * (a > b) + 10000 * byte;
    }
}
