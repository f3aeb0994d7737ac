/* Reals as lane values: bit patterns, value types, and exact rounding between formats.
 *
 * canonical NaN   what every NaN result is: 0x7fffffff (f32), 0x7fff (f16, bf16),
 *                 0x7ff8000000000000 (f64). Which NaN an addition of two returns differs between
 *                 processors; this does not.
 * to odd          rounding that makes an inexact result's last bit 1. Rounding the result again, to
 *                 at least two bits fewer, is then as exact as rounding once.
 * Value types: F32, F64; F32Z flushes subnormals (.ftz), F32S saturates (.sat), F32ZS does both. */
#ifndef WW_EXEC_LANES_REAL_H
#define WW_EXEC_LANES_REAL_H

#include <string.h>

#include "exec/lanes/lanes.h"

static inline float real32(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint32_t bits32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline double real64(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint64_t bits64(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000u
#define NAN_F32 0x7fffffffu
#define NAN_F64 0x7ff8000000000000u
#define NAN_HALF 0x7fffu

static inline uint32_t canonical32(float v)
{
    return v != v ? NAN_F32 : bits32(v);
}

static inline uint64_t canonical64(double v)
{
    return v != v ? NAN_F64 : bits64(v);
}

static inline uint32_t flush32(uint32_t bits)
{
    return bits & 0x7f800000u ? bits : bits & SIGN32;
}

static inline uint64_t flush64(uint64_t bits)
{
    return bits & 0x7ff0000000000000u ? bits : bits & SIGN64;
}

/* To [0, 1]; NaN and -0 to +0. */
static inline float saturate32(float v)
{
    return v > 0 ? v < 1 ? v : 1.0f : 0.0f;
}

static inline double saturate64(double v)
{
    return v > 0 ? v < 1 ? v : 1.0 : 0.0;
}

#define ROW_F32 uint32_t
#define ROW_F32Z uint32_t
#define ROW_F32S uint32_t
#define ROW_F32ZS uint32_t
#define ROW_F64 uint64_t
#define VAL_F32 float
#define VAL_F32Z float
#define VAL_F32S float
#define VAL_F32ZS float
#define VAL_F64 double
#define LOAD_F32(r) real32(r)
#define LOAD_F32Z(r) real32(flush32(r))
#define LOAD_F32S(r) real32(r)
#define LOAD_F32ZS(r) real32(flush32(r))
#define LOAD_F64(r) real64(r)
#define STORE_F32(v) canonical32(v)
#define STORE_F32Z(v) flush32(canonical32(v))
#define STORE_F32S(v) bits32(saturate32(v))
#define STORE_F32ZS(v) flush32(bits32(saturate32(v)))
#define STORE_F64(v) canonical64(v)

/* p + c rounded to odd, in double. */
static inline double add_to_odd(double p, double c)
{
    const double sum = p + c;
    const double c_part = sum - p;
    const double error = (p - (sum - c_part)) + (c - c_part);
    const uint64_t bits = bits64(sum);
    const uint64_t away = (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
    const bool inexact = error > 0 || error < 0;
    return real64(inexact && !(bits & 1) ? bits + away : bits);
}

/* The f32 next to an inexact double, with an odd last bit; v itself when it is an f32. */
static inline float narrow_to_odd(double v)
{
    const float near = (float)v;
    const double error = v - (double)near;
    const uint32_t bits = bits32(near);
    const uint32_t away = (error > 0) == !(bits & SIGN32) ? 1 : (uint32_t)-1;
    const bool inexact = error > 0 || error < 0;
    return real32(inexact && !(bits & 1) ? bits + away : bits);
}

/* x*y + z with one rounding. */
static inline float fused32(float x, float y, float z)
{
#if defined(__FP_FAST_FMAF) || defined(__FMA__)
    return __builtin_fmaf(x, y, z);
#else
    return (float)add_to_odd((double)x * (double)y, (double)z);
#endif
}

static inline double fused64(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

#endif
