/* min and max of reals: the other one when one is a NaN, -0 below +0. The result of two NaNs (and,
 * for .NaN, of one) is a NaN, which storing makes canonical. */
#ifndef WW_EXEC_LANES_EXTREME_H
#define WW_EXEC_LANES_EXTREME_H

#include "exec/lanes/real.h"

static inline float least32(float x, float y)
{
    const float same = real32(bits32(x) | bits32(y));
    return x == y ? same : x < y || y != y ? x : y;
}

static inline float most32(float x, float y)
{
    const float same = real32(bits32(x) & bits32(y));
    return x == y ? same : x > y || y != y ? x : y;
}

static inline double least64(double x, double y)
{
    const double same = real64(bits64(x) | bits64(y));
    return x == y ? same : x < y || y != y ? x : y;
}

static inline double most64(double x, double y)
{
    const double same = real64(bits64(x) & bits64(y));
    return x == y ? same : x > y || y != y ? x : y;
}

/* v, or a NaN when x or y is one. */
static inline float unless_nan32(float x, float y, float v)
{
    return x != x || y != y ? real32(NAN_F32) : v;
}

static inline double unless_nan64(double x, double y, double v)
{
    return x != x || y != y ? real64(NAN_F64) : v;
}

static inline float magnitude32(float x)
{
    return real32(bits32(x) & ~SIGN32);
}

static inline double magnitude64(double x)
{
    return real64(bits64(x) & ~SIGN64);
}

/* v >= 0 with the product of the signs of x and y. */
static inline float with_signs32(float v, float x, float y)
{
    return real32(bits32(v) | ((bits32(x) ^ bits32(y)) & SIGN32));
}

static inline double with_signs64(double v, double x, double y)
{
    return real64(bits64(v) | ((bits64(x) ^ bits64(y)) & SIGN64));
}

#endif
