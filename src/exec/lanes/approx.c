/* The .approx functions, in double with a fixed order of operations: the same bits on every
 * machine, and for f32 at most one ulp from the true value, which is inside every bound of the PTX
 * manual. Special values are those of the manual's tables. */
#include "exec/lanes/half.h"
#include "exec/lanes/turns.h"

/* Adding it rounds a small double to an integer, which the sum's low bits hold. */
#define SNAP 0x1.8p52

/* 2^f - 1 for |f| <= 0.5: Taylor, error below 2^-37. */
static inline double exp2_less_one(double f)
{
    double p = 0x1.b5253d395e7c4p-24;
    p = p * f + 0x1.62c0223a5c824p-20;
    p = p * f + 0x1.ffcbfc588b0c7p-17;
    p = p * f + 0x1.430912f86c787p-13;
    p = p * f + 0x1.5d87fe78a6731p-10;
    p = p * f + 0x1.3b2ab6fba4e77p-7;
    p = p * f + 0x1.c6b08d704a0c0p-5;
    p = p * f + 0x1.ebfbdff82c58fp-3;
    p = p * f + 0x1.62e42fefa39efp-1;
    return p * f;
}

/* Clamps x: at the limits 2^x is finite and not zero in double, but 0 or infinite in f32. */
static inline double exp2_range(double x)
{
    return x < -200 ? -200 : x > 200 ? 200 : x;
}

/* 2^n from SNAP + n. */
static inline double power_of_two(double snapped)
{
    return real64((bits64(snapped) + 1023) << 52);
}

static inline double exp2_approx(double v)
{
    const double x = exp2_range(v);
    const double snapped = x + SNAP;
    const double f = x - (snapped - SNAP);
    const double scaled = power_of_two(snapped) * (1 + exp2_less_one(f));
    return v != v ? v : scaled;
}

/* (e^2x - 1) / (e^2x + 1), with e^2x - 1 kept exact near 0. */
static inline double tanh_approx(double v)
{
    const double x = v < -30 ? -30 : v > 30 ? 30 : v;
    const double y = x * 0x1.71547652b82fep+1; /* 2 log2(e) */
    const double snapped = y + SNAP;
    const double power = power_of_two(snapped);
    const double less_one = power * exp2_less_one(y - (snapped - SNAP)) + (power - 1);
    const double ratio = less_one / (less_one + 2);
    return v != v ? v : x == 0 ? v : ratio;
}

/* With x = 2^e m, m in [sqrt(1/2), sqrt(2)), and s = (m-1)/(m+1): e + 2 atanh(s) / ln(2). */
static inline double log2_approx(double v)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const uint64_t bits = bits64(v);
    const int32_t e = (int32_t)((bits - root_half) >> 32) >> 20;
    const double m = real64(bits - ((uint64_t)(int64_t)e << 52));
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double p = 0x1.c68f568d31760p-3;
    p = p * s2 + 0x1.0c9a84994022dp-2;
    p = p * s2 + 0x1.484b13d7c02a9p-2;
    p = p * s2 + 0x1.a61762a7aded9p-2;
    p = p * s2 + 0x1.2776c50ef9bfep-1;
    p = p * s2 + 0x1.ec709dc3a03fdp-1;
    p = p * s2 + 0x1.71547652b82fep+1;
    const double finite = (double)e + p * s;
    const double positive = v > 0x1.fffffep127 ? v : finite;
    return v > 0 ? positive : v == 0 ? -__builtin_inf() : __builtin_nan("");
}

/* sin and cos of f quarter turns, |f| <= 9/16. */
static inline double sine_of_turn(double f)
{
    const double f2 = f * f;
    double p = 0x1.e8f434d018d63p-25;
    p = p * f2 - 0x1.e3074fde8871fp-19;
    p = p * f2 + 0x1.50783487ee782p-13;
    p = p * f2 - 0x1.32d2cce62bd86p-8;
    p = p * f2 + 0x1.466bc6775aae2p-4;
    p = p * f2 - 0x1.4abbce625be53p-1;
    p = p * f2 + 0x1.921fb54442d18p+0;
    return p * f;
}

static inline double cosine_of_turn(double f)
{
    const double f2 = f * f;
    double p = 0x1.f9d38a3763cc3p-22;
    p = p * f2 - 0x1.a6d1f2a204a8cp-16;
    p = p * f2 + 0x1.e1f506891babbp-11;
    p = p * f2 - 0x1.55d3c7e3cbffap-6;
    p = p * f2 + 0x1.03c1f081b5ac4p-2;
    p = p * f2 - 0x1.3bd3cc9be45dep+0;
    return p * f2 + 1;
}

/* sin(x), or cos(x) as the sine one quarter turn on; `quarters` is 0 or 1. Both polynomials are
 * computed and one is kept by its bits. An infinity becomes NaN on the way. */
static inline double sine_approx(float x, uint64_t quarters)
{
    const int32_t large = (int32_t)(bits32(x) >> 23 & 255) - 150;
    const int32_t k = large & ~(large >> 31); /* at least 0 */
    const double high = (double)x * turns_high[k];
    const double snapped = high + SNAP;
    const double f = high - (snapped - SNAP) + (double)x * turns_low[k];
    const uint64_t quadrant = bits64(snapped) + quarters;
    const uint64_t odd = 0 - (quadrant & 1);
    const uint64_t value = (bits64(sine_of_turn(f)) & ~odd) | (bits64(cosine_of_turn(f)) & odd);
    const double turned = real64(value ^ (quadrant & 2) << 62);
    return quarters == 0 && x == 0 ? (double)x : turned;
}

/* div.approx gives 0 for divisors beyond 2^126, and NaN for an infinity over one. */
static inline float divide_approx(float x, float y)
{
    const uint32_t x_size = bits32(x) & ~SIGN32, y_size = bits32(y) & ~SIGN32;
    const uint32_t zero = (bits32(x) ^ bits32(y)) & SIGN32;
    const bool huge_divisor = y_size - 0x7e800001u < 0x7f800000u - 0x7e800001u;
    const uint32_t huge = x_size < 0x7f800000u ? zero : NAN_F32;
    return real32(huge_divisor ? huge : bits32(x / y));
}

/* The .approx.ftz.f64 forms see the upper 32 bits of the source and give those of the result. */
#define UPPER_HALF 0xffffffff00000000u

static inline uint64_t gross(double result)
{
    return flush64(canonical64(result) & UPPER_HALF);
}

static inline double gross_source(uint64_t bits)
{
    return real64(flush64(bits & UPPER_HALF) | (real64(bits) != real64(bits) ? NAN_F64 : 0));
}

#define ROOT32(x) __builtin_sqrtf(x)
#define ROOT64(x) __builtin_sqrt(x)

#define FAMILY approx
#include "exec/lanes/define_operators.h"
