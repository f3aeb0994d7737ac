/* f16 and bf16 as lane values. f16 computes in float, bf16 in double: sums and products of those
 * are exact enough that rounding once more, to the format, is rounding once.
 * Value types: F16, BF16; suffix Z flushes subnormals (.ftz), S saturates (.sat), R is .relu. */
#ifndef WW_EXEC_LANES_HALF_H
#define WW_EXEC_LANES_HALF_H

#include "exec/lanes/real.h"

/* Where an inexact value goes: rn, rz, rm, rp. */
typedef enum direction { NEAREST, TRUNCATE, DOWN, UP } direction;

static inline float f16_value(uint32_t bits)
{
    const uint32_t shifted = (bits & 0x7fffu) << 13;
    const float scaled = real32(shifted) * 0x1p112f;
    const bool special = (bits & 0x7c00u) == 0x7c00u;
    const uint32_t magnitude = special ? shifted | 0x7f800000u : bits32(scaled);
    return real32(magnitude | (bits & 0x8000u) << 16);
}

static inline double bf16_value(uint32_t bits)
{
    return (double)real32(bits << 16);
}

/* One unit more for an inexact magnitude that is rounded away from zero. */
static inline uint32_t outward(direction rounding, bool negative, bool inexact)
{
    return inexact && rounding == (negative ? DOWN : UP);
}

static inline uint32_t f16_nearest(uint32_t magnitude)
{
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    const uint32_t tiny = bits32(real32(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t finite = magnitude < 0x38800000u ? tiny : normal;
    return magnitude < 0x47800000u ? finite : 0x7c00u;
}

static inline uint32_t f16_directed(uint32_t magnitude, bool negative, direction rounding)
{
    const uint32_t exponent = magnitude >> 23;
    const uint32_t fraction = (magnitude & 0x7fffffu) | (exponent ? 0x800000u : 0);
    const uint32_t lost = exponent >= 113 ? 13 : exponent >= 95 ? 126 - exponent : 31;
    const uint32_t kept = fraction >> lost;
    const bool inexact = kept << lost != fraction;
    const uint32_t truncated = exponent >= 113 ? kept + ((exponent - 113) << 10) : kept;
    const uint32_t rounded = truncated + outward(rounding, negative, inexact);
    const uint32_t too_big = 0x7bffu + outward(rounding, negative, true);
    return magnitude == 0x7f800000u ? 0x7c00u : magnitude < 0x47800000u ? rounded : too_big;
}

static inline uint32_t f16_bits(float v, direction rounding)
{
    const uint32_t magnitude = bits32(v) & 0x7fffffffu;
    const uint32_t sign = bits32(v) >> 31;
    const uint32_t rounded =
        rounding == NEAREST ? f16_nearest(magnitude) : f16_directed(magnitude, sign, rounding);
    return v != v ? NAN_HALF : rounded | sign << 15;
}

static inline uint32_t bf16_bits(double value, direction rounding)
{
    const float v = narrow_to_odd(value);
    const uint32_t bits = bits32(v);
    const uint32_t nearest = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    const uint32_t directed = (bits >> 16) + outward(rounding, bits >> 31, (bits & 0xffffu) != 0);
    return v != v ? NAN_HALF : rounding == NEAREST ? nearest : directed;
}

/* A subnormal becomes a signed zero; `exponent`: the bits of the format's exponent. */
static inline uint32_t flush16(uint32_t bits, uint32_t exponent)
{
    return bits & exponent ? bits : bits & 0x8000u;
}

#define FLUSH_F16(bits) flush16(bits, 0x7c00u)

/* .relu: negative to +0; NaN stays. */
static inline float relu32(float v)
{
    return v <= 0 ? 0 : v;
}

static inline double relu64(double v)
{
    return v <= 0 ? 0 : v;
}

#define ROW_F16 uint32_t
#define ROW_F16Z uint32_t
#define ROW_F16S uint32_t
#define ROW_F16ZS uint32_t
#define ROW_F16R uint32_t
#define ROW_F16ZR uint32_t
#define ROW_BF16 uint32_t
#define ROW_BF16Z uint32_t
#define ROW_BF16R uint32_t
#define VAL_F16 float
#define VAL_F16Z float
#define VAL_F16S float
#define VAL_F16ZS float
#define VAL_F16R float
#define VAL_F16ZR float
#define VAL_BF16 double
#define VAL_BF16Z double
#define VAL_BF16R double
#define LOAD_F16(r) f16_value(r)
#define LOAD_F16Z(r) f16_value(FLUSH_F16(r))
#define LOAD_F16S(r) f16_value(r)
#define LOAD_F16ZS(r) f16_value(FLUSH_F16(r))
#define LOAD_F16R(r) f16_value(r)
#define LOAD_F16ZR(r) f16_value(FLUSH_F16(r))
#define LOAD_BF16(r) bf16_value(r)
#define LOAD_BF16Z(r) bf16_value(flush16(r, 0x7f80u))
#define LOAD_BF16R(r) bf16_value(r)
#define STORE_F16(v) f16_bits(v, NEAREST)
#define STORE_F16Z(v) FLUSH_F16(f16_bits(v, NEAREST))
#define STORE_F16S(v) f16_bits(saturate32(v), NEAREST)
#define STORE_F16ZS(v) FLUSH_F16(f16_bits(saturate32(v), NEAREST))
#define STORE_F16R(v) f16_bits(relu32(v), NEAREST)
#define STORE_F16ZR(v) FLUSH_F16(f16_bits(relu32(v), NEAREST))
#define STORE_BF16(v) bf16_bits(v, NEAREST)
#define STORE_BF16Z(v) flush16(bf16_bits(v, NEAREST), 0x7f80u)
#define STORE_BF16R(v) bf16_bits(relu64(v), NEAREST)

#endif
