#include "support/soft_real.h"

#include <math.h>
#include <stddef.h>

static const soft_format f16 = {11, -14, 15, 16, 0x7fff};
static const soft_format bf16 = {8, -126, 127, 16, 0x7fff};
static const soft_format f32 = {24, -126, 127, 32, 0x7fffffff};
static const soft_format f64 = {53, -1022, 1023, 64, 0x7ff8000000000000};

const soft_format *soft_format_of(ww_type type)
{
    switch (type) {
    case WW_TYPE_F16:
    case WW_TYPE_F16X2: return &f16;
    case WW_TYPE_BF16:
    case WW_TYPE_BF16X2: return &bf16;
    case WW_TYPE_F32: return &f32;
    case WW_TYPE_F64: return &f64;
    default: return NULL;
    }
}

static int top_bit(soft_bits m)
{
    const uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 127 - __builtin_clzll(high) : low ? 63 - __builtin_clzll(low) : -1;
}

static soft_bits shift_right_sticky(soft_bits m, int count)
{
    if (count <= 0)
        return m << -count;
    if (count > 127)
        return m != 0;
    const bool lost = (m & (((soft_bits)1 << count) - 1)) != 0;
    return m >> count | lost;
}

soft_real soft_unpack(const soft_format *format, uint64_t bits)
{
    const int fraction_bits = format->precision - 1;
    const uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
    const uint64_t exponent_ones = ((uint64_t)1 << (format->bits - format->precision)) - 1;
    const uint64_t exponent = bits >> fraction_bits & exponent_ones;
    soft_real v = {.negative = bits >> (format->bits - 1) & 1, .m = fraction};
    v.e = format->least_exponent - fraction_bits + (exponent > 1 ? (int)exponent - 1 : 0);
    if (exponent == exponent_ones)
        v.kind = fraction ? SOFT_NAN : SOFT_INFINITE;
    else if (exponent)
        v.kind = SOFT_FINITE, v.m |= (uint64_t)1 << fraction_bits;
    else
        v.kind = fraction ? SOFT_FINITE : SOFT_ZERO;
    return v;
}

/* Whether a value between two neighbours goes to the one farther from zero. */
static bool goes_outward(ww_round round, bool negative, bool odd, int against_half)
{
    switch (round) {
    case WW_ROUND_RN: return against_half > 0 || (against_half == 0 && odd);
    case WW_ROUND_RM: return negative;
    case WW_ROUND_RP: return !negative;
    default: return false;
    }
}

/* m * 2^e as a multiple of 2^quantum. */
static soft_bits round_to_quantum(soft_real v, int quantum, ww_round round)
{
    const int shift = quantum - v.e;
    if (shift <= 0)
        return v.m << -shift;
    const soft_bits kept = shift > 127 ? 0 : v.m >> shift;
    const soft_bits lost = shift > 127 ? v.m : v.m - (kept << shift);
    const soft_bits half = (soft_bits)1 << (shift > 127 ? 127 : shift - 1);
    const int against_half = shift > 127 || lost < half ? -1 : lost > half;
    return kept + (lost && goes_outward(round, v.negative, kept & 1, against_half));
}

uint64_t soft_pack(const soft_format *format, soft_real v, ww_round round)
{
    const int fraction_bits = format->precision - 1;
    const uint64_t sign = (uint64_t)v.negative << (format->bits - 1);
    const uint64_t infinite = (((uint64_t)1 << (format->bits - format->precision)) - 1)
                              << fraction_bits;
    if (v.kind == SOFT_NAN)
        return format->nan;
    if (v.kind == SOFT_ZERO || (v.kind == SOFT_FINITE && v.m == 0))
        return sign;
    if (v.kind == SOFT_INFINITE)
        return sign | infinite;
    const int exponent = top_bit(v.m) + v.e;
    int quantum = (exponent < format->least_exponent ? format->least_exponent : exponent);
    quantum -= fraction_bits;
    soft_bits m = round_to_quantum(v, quantum, round);
    if (m >> format->precision)
        m >>= 1, quantum++;
    if (quantum + fraction_bits > format->most_exponent)
        return sign | (infinite - !goes_outward(round, v.negative, true, 1));
    const int biased =
        m >> fraction_bits ? quantum + fraction_bits - format->least_exponent + 1 : 0;
    const uint64_t fraction = (uint64_t)m & (((uint64_t)1 << fraction_bits) - 1);
    return sign | (uint64_t)biased << fraction_bits | fraction;
}

soft_real soft_integer(bool negative, uint64_t magnitude)
{
    return (soft_real){magnitude ? SOFT_FINITE : SOFT_ZERO, negative && magnitude, magnitude, 0};
}

soft_real soft_negate(soft_real v)
{
    v.negative = !v.negative;
    return v;
}

static soft_real special(soft_kind kind, bool negative)
{
    return (soft_real){kind, negative, 0, 0};
}

static soft_real normalised(soft_real v)
{
    const int shift = 124 - top_bit(v.m);
    v.m = shift_right_sticky(v.m, -shift);
    v.e -= shift;
    return v;
}

soft_real soft_add(soft_real x, soft_real y, ww_round round)
{
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return special(SOFT_NAN, false);
    if (x.kind == SOFT_INFINITE && y.kind == SOFT_INFINITE && x.negative != y.negative)
        return special(SOFT_NAN, false);
    if (x.kind == SOFT_INFINITE || y.kind == SOFT_INFINITE)
        return x.kind == SOFT_INFINITE ? x : y;
    if (x.kind == SOFT_ZERO && y.kind == SOFT_ZERO)
        return special(SOFT_ZERO, x.negative == y.negative ? x.negative : round == WW_ROUND_RM);
    if (x.kind == SOFT_ZERO || y.kind == SOFT_ZERO)
        return x.kind == SOFT_ZERO ? y : x;
    x = normalised(x), y = normalised(y);
    if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
        const soft_real t = x;
        x = y, y = t;
    }
    const soft_bits small = shift_right_sticky(y.m, x.e - y.e);
    x.m = x.negative == y.negative ? x.m + small : x.m - small;
    return x.m ? x : special(SOFT_ZERO, round == WW_ROUND_RM);
}

soft_real soft_multiply(soft_real x, soft_real y)
{
    const bool negative = x.negative != y.negative;
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return special(SOFT_NAN, false);
    if (x.kind == SOFT_INFINITE || y.kind == SOFT_INFINITE)
        return special(x.kind == SOFT_ZERO || y.kind == SOFT_ZERO ? SOFT_NAN : SOFT_INFINITE,
                       negative);
    if (x.kind == SOFT_ZERO || y.kind == SOFT_ZERO)
        return special(SOFT_ZERO, negative);
    return (soft_real){SOFT_FINITE, negative, x.m * y.m, x.e + y.e};
}

soft_real soft_divide(soft_real x, soft_real y)
{
    const bool negative = x.negative != y.negative;
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN || (x.kind == y.kind && x.kind != SOFT_FINITE))
        return special(SOFT_NAN, false);
    if (x.kind == SOFT_INFINITE || y.kind == SOFT_ZERO)
        return special(SOFT_INFINITE, negative);
    if (x.kind == SOFT_ZERO || y.kind == SOFT_INFINITE)
        return special(SOFT_ZERO, negative);
    x = normalised(x);
    const soft_bits quotient = x.m / y.m;
    return (soft_real){SOFT_FINITE, negative, quotient << 1 | (quotient * y.m != x.m),
                       x.e - y.e - 1};
}

soft_real soft_root(soft_real x)
{
    if (x.kind == SOFT_NAN || x.kind == SOFT_ZERO)
        return x;
    if (x.negative)
        return special(SOFT_NAN, false);
    if (x.kind == SOFT_INFINITE)
        return x;
    x = normalised(x);
    if (x.e & 1)
        x.m >>= 1, x.e++;
    soft_bits root = 0;
    for (soft_bits bit = (soft_bits)1 << 62; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= x.m)
            root |= bit;
    return (soft_real){SOFT_FINITE, false, root << 1 | (root * root != x.m), x.e / 2 - 1};
}

soft_real soft_integral(soft_real v, ww_round round)
{
    static const ww_round directions[] = {WW_ROUND_RN, WW_ROUND_RZ, WW_ROUND_RM, WW_ROUND_RP};
    if (v.kind != SOFT_FINITE || v.e >= 0)
        return v;
    v.m = round_to_quantum(v, 0, directions[round - WW_ROUND_RNI]);
    v.e = 0;
    v.kind = v.m ? SOFT_FINITE : SOFT_ZERO;
    return v;
}

int soft_compare(soft_real x, soft_real y)
{
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return 2;
    if (x.kind == SOFT_INFINITE && y.kind == SOFT_INFINITE)
        return y.negative - x.negative;
    const soft_real difference = soft_add(x, soft_negate(y), WW_ROUND_RN);
    return difference.kind == SOFT_ZERO ? 0 : difference.negative ? -1 : 1;
}

long double soft_long_double(soft_real v)
{
    if (v.kind == SOFT_NAN)
        return (long double)NAN;
    const long double magnitude = v.kind == SOFT_ZERO       ? 0.0L
                                  : v.kind == SOFT_INFINITE ? (long double)INFINITY
                                                            : ldexpl((long double)v.m, v.e);
    return v.negative ? -magnitude : magnitude;
}
