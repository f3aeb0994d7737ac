#include "reals.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

const real_format format_f16 = {11, 5}, format_bf16 = {8, 8}, format_f32 = {24, 8};

float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

double f64_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

uint64_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

uint64_t bits_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

uint64_t flushed(uint64_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static int greatest_exponent(const real_format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

double value_of(const real_format *f, uint64_t bits)
{
    int stored = f->precision - 1, most = greatest_exponent(f);
    uint64_t fraction = bits & ((1ull << stored) - 1);
    int exponent = (int)(bits >> stored) & (2 * most + 1);
    double sign = bits >> (stored + f->exponent_bits) & 1 ? -1 : 1;
    if (exponent == 2 * most + 1)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp((double)fraction, 1 - most - stored);
    return sign * ldexp((double)(fraction | 1ull << stored), exponent - most - stored);
}

uint64_t rounded_to(const real_format *f, double value)
{
    int stored = f->precision - 1, most = greatest_exponent(f);
    uint64_t sign = (uint64_t)(signbit(value) != 0) << (stored + f->exponent_bits);
    uint64_t infinity = (uint64_t)(2 * most + 1) << stored;
    if (isnan(value))
        return infinity | 1ull << (stored - 1);
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    int exponent;
    frexp(value, &exponent); /* value is below 2^exponent */
    int unit = exponent - f->precision;
    if (unit < 1 - most - stored)
        unit = 1 - most - stored;
    double units = nearbyint(ldexp(value, -unit));
    double result = fabs(ldexp(units, unit));
    if (result >= ldexp(1, most + 1)) { /* the greatest finite one when rounding towards it */
        int mode = fegetround();
        bool to_infinity = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
        return sign | (to_infinity ? infinity : infinity - 1);
    }
    uint64_t whole = (uint64_t)fabs(units);
    if (whole >> stored == 0)
        return sign | whole;
    if (whole >> f->precision) {
        whole >>= 1;
        unit++;
    }
    return sign | (((uint64_t)(unit + stored + most) << stored) + (whole - (1ull << stored)));
}

double sum_to_odd(double a, double b)
{
    int mode = fegetround();
    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_INEXACT);
    volatile double x = a, y = b;
    double sum = x + y;
    bool inexact = fetestexcept(FE_INEXACT);
    fesetround(mode);
    if (inexact && isfinite(sum))
        sum = f64_of(bits_of_f64(sum) | 1);
    return sum;
}
