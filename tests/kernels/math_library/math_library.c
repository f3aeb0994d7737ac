#include "support/reference.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static float single(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static uint64_t bits(float x)
{
    uint32_t v;
    memcpy(&v, &x, sizeof(v));
    return isnan(x) ? 0x7fc00000 : v;
}

static uint64_t wide_bits(double x)
{
    uint64_t v;
    memcpy(&v, &x, sizeof(v));
    return isnan(x) ? 0x7ff8000000000000 : v;
}

/* sinpi, cospi and tanpi of so many quarters of a turn are 0, 1 or infinite; the signs of zeros are OpenCL C's. */
static void around(int quarters, uint64_t *o)
{
    double sign = quarters < 0 ? -1 : 1, by_quarter[4][3] = {{0 * sign, 1, 0 * sign},
                                                             {1, 0, INFINITY},
                                                             {0 * sign, -1, 0 * -sign},
                                                             {-1, 0, -INFINITY}};
    for (int k = 0; k < 3; k++) {
        double wanted = by_quarter[quarters & 3][k];
        o[k] = bits((float)wanted) << 32 | bits((float)wanted);
        o[3 + k] = wide_bits(wanted);
    }
    o[6] = wide_bits(0 * sign) + 3;
}

static void one(const uint32_t *in, unsigned mask, unsigned i, uint64_t *o)
{
    uint32_t first = in[i & mask], second = in[(mask == 15 ? i >> 4 : i * 7 + 3) & mask];
    uint64_t both = (uint64_t)first << 32 | second;
    float a = single(first), b = single(second);
    double d;
    int multiple;
    memcpy(&d, &both, sizeof(d));
    int n = i % 16 == 15 ? INT_MAX : i % 16 == 14 ? INT_MIN : ((int)i - 128) * 17;
    o[0] = bits(fmodf(a, b));
    o[1] = bits(fmodf(1, b));
    o[2] = bits(ldexpf(a, n));
    o[3] = bits(ldexpf(b, n / 8));
    o[4] = wide_bits(ldexp(d, n));
    o[5] = bits(ldexpf(1, (int)i - 150));
    o[6] = bits(remainderf(a, b));
    o[7] = bits(remquof(a, b, &multiple));
    o[8] = isnan(remainderf(a, b)) ? 0 : (uint64_t)(multiple & 7);
    o[9] = bits(remquof(b, a, &multiple));
    o[9] += isnan(remainderf(b, a)) ? 0 : (uint64_t)(multiple & 7);
    o[10] = bits(a);
    o[11] = bits(rintf(tgammaf((float)(i % 11) + 1)));
    o[12] = bits(signbit(a) ? -INFINITY : INFINITY);
    o[13] = 1;
    around((int)i - 128, o + 14);
}

REFERENCE(math_library)
{
    const uint32_t *edges = reference_input(r, "edges"), *random = reference_input(r, "random");
    uint64_t *at_edges = reference_wanted(r, "at_edges"),
             *anywhere = reference_wanted(r, "anywhere");
    for (unsigned i = 0; i < 256; i++) {
        one(edges, 15, i, at_edges + i * 21);
        one(random, 255, i, anywhere + i * 21);
    }
}
