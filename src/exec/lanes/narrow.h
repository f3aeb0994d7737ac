/* Rounding integers and doubles to f32 and f64 in a direction, without the processor's mode. */
#ifndef WW_EXEC_LANES_NARROW_H
#define WW_EXEC_LANES_NARROW_H

#include "exec/lanes/half.h"

/* A 64-bit integer as a double that rounds to any format of up to 42 bits as the integer does:
 * exact up to 2^53, else the low 11 bits are folded into one. */
static inline uint64_t fold_low(uint64_t magnitude)
{
    const uint64_t folded = (magnitude & ~(uint64_t)0x7ff) | (magnitude & 0x7ff ? 0x800 : 0);
    return magnitude >> 53 ? folded : magnitude;
}

static inline double folded_u64(uint64_t x)
{
    return (double)fold_low(x);
}

static inline double folded_s64(int64_t x)
{
    const double magnitude = (double)fold_low(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    return x < 0 ? -magnitude : magnitude;
}

static inline float narrow(double v, direction rounding)
{
    const float near = (float)v;
    const bool negative = bits64(v) >> 63;
    const double grown = negative ? v - (double)near : (double)near - v; /* > 0: went outward */
    const bool grow = rounding == (negative ? DOWN : UP);
    const uint32_t step = grow ? grown < 0 : grown > 0 ? (uint32_t)-1 : 0;
    return rounding == NEAREST ? near : real32(bits32(near) + step);
}

/* A magnitude as f64; grow: an inexact one goes up, else down. */
static inline double magnitude_f64(uint64_t x, bool grow)
{
    const double near = (double)x;
    const bool above = near >= 0x1p64 || (uint64_t)near > x;
    const bool below = near < 0x1p64 && (uint64_t)near < x;
    return real64(bits64(near) + (grow ? below : 0 - (uint64_t)above));
}

static inline double f64_from_u64(uint64_t x, direction rounding)
{
    return rounding == NEAREST ? (double)x : magnitude_f64(x, rounding == UP);
}

static inline double f64_from_s64(int64_t x, direction rounding)
{
    const uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    const double directed = magnitude_f64(magnitude, rounding == (x < 0 ? DOWN : UP));
    return rounding == NEAREST ? (double)x : x < 0 ? -directed : directed;
}

#endif
