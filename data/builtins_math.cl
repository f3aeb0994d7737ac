/* Mathematical functions that libclc gets wrong: part of builtins.cl. */

/* ---- exp2: libclc's has no subnormal results. The instruction's error is 2^-22.5 at most. ---- */

NATIVE1(exp2, __nvvm_ex2_approx_f(x))

/* ---- floats by way of doubles, whose functions are right: libclc's erfc and tgamma have errors of up
 * to 48 ulp, and its rootn has no subnormal results ---- */

__also double erfc(double);
__ww float erfc(float x)
{
    return (float)erfc((double)x);
}
LIFT1(erfc, float, float)

__also double tgamma(double);
__ww float tgamma(float x)
{
    return x == 0 ? copysign(INFINITY, x) : (float)tgamma((double)x);
}
LIFT1(tgamma, float, float)

#define WITH_INTEGERS(name, t)                                                                     \
    __ww t##2 name(t##2 v, int2 n) { return (t##2)(name(v.x, n.x), name(v.y, n.y)); }              \
    __ww t##3 name(t##3 v, int3 n) { return (t##3)(name(v.xy, n.xy), name(v.z, n.z)); }            \
    __ww t##4 name(t##4 v, int4 n) { return (t##4)(name(v.lo, n.lo), name(v.hi, n.hi)); }          \
    __ww t##8 name(t##8 v, int8 n) { return (t##8)(name(v.lo, n.lo), name(v.hi, n.hi)); }          \
    __ww t##16 name(t##16 v, int16 n) { return (t##16)(name(v.lo, n.lo), name(v.hi, n.hi)); }

__also double rootn(double, int);
__ww float rootn(float x, int n)
{
    return (float)rootn((double)x, n);
}
WITH_INTEGERS(rootn, float)

/* ---- ldexp: libclc's is wrong for NaNs and for subnormal floats with large exponents ---- */

__attribute__((always_inline)) static double __ww_power_of_two(int exponent)
{
    return as_double((ulong)(exponent + 1023) << 52);
}

/* The product of doubles is exact, and rounded once. */
__ww float ldexp(float x, int exponent)
{
    return (float)((double)x * __ww_power_of_two(clamp(exponent, -300, 300)));
}

/* Steps downward leave 53 bits above the least normal number, so that only the last product rounds. */
__ww double ldexp(double x, int exponent)
{
    int rest = clamp(exponent, -2200, 2200);
    for (int i = 0; i < 2 && rest > 1023; i++, rest -= 1023)
        x *= 0x1p1023;
    for (int i = 0; i < 2 && rest < -1022; i++, rest += 969)
        x *= 0x1p-969;
    return x * __ww_power_of_two(clamp(rest, -1022, 1023));
}

#define LDEXP(t)                                                                                   \
    WITH_INTEGERS(ldexp, t)                                                                        \
    __ww t##2 ldexp(t##2 v, int n) { return ldexp(v, (int2)n); }                                   \
    __ww t##3 ldexp(t##3 v, int n) { return ldexp(v, (int3)n); }                                   \
    __ww t##4 ldexp(t##4 v, int n) { return ldexp(v, (int4)n); }                                   \
    __ww t##8 ldexp(t##8 v, int n) { return ldexp(v, (int8)n); }                                   \
    __ww t##16 ldexp(t##16 v, int n) { return ldexp(v, (int16)n); }
LDEXP(float)
LDEXP(double)

/* ---- fmod, remainder, remquo: libclc's are wrong for subnormal divisors. Long division, 40 bits at
 * a time. ---- */

#define INFINITE_BITS 0x7f800000u
#define FRACTION_BITS 23

/* A finite number is its significand times a power of two. */
__attribute__((always_inline)) static int __ww_exponent(uint bits)
{
    return max((int)(bits >> FRACTION_BITS), 1);
}
__attribute__((always_inline)) static uint __ww_significand(uint bits)
{
    uint leading = 1u << FRACTION_BITS;
    return (bits & (leading - 1)) | (bits >= leading ? leading : 0);
}

__ww float fmod(float x, float y)
{
    uint a = as_uint(x) & 0x7fffffffu, b = as_uint(y) & 0x7fffffffu;
    if (a >= INFINITE_BITS || b > INFINITE_BITS || b == 0)
        return as_float(0x7fc00000u);
    if (a < b)
        return x;
    ulong rest = __ww_significand(a), divisor = __ww_significand(b);
    for (int bits = __ww_exponent(a) - __ww_exponent(b), step; bits > 0; bits -= step) {
        step = min(bits, 40);
        rest = (rest << step) % divisor;
    }
    double size = (double)(rest % divisor) * __ww_power_of_two(__ww_exponent(b) - 127 - FRACTION_BITS);
    return copysign((float)size, x);
}
LIFT2(fmod, float, float)

/* What is left of x without the nearest multiple of y; seven bits of how many that is. */
__attribute__((always_inline)) static float __ww_nearest_rest(float x, float y, int *multiple)
{
    uint a = as_uint(x) & 0x7fffffffu, b = as_uint(y) & 0x7fffffffu;
    *multiple = 0;
    if (a >= INFINITE_BITS || b > INFINITE_BITS || b == 0)
        return as_float(0x7fc00000u);
    int bits = __ww_exponent(a) - __ww_exponent(b);
    if (b == INFINITE_BITS || bits < -1) /* less than half of y */
        return x;
    ulong divisor = (ulong)__ww_significand(b) << (bits < 0), first = __ww_significand(a);
    ulong count = first / divisor, rest = first % divisor;
    for (int step; bits > 0; bits -= step) {
        step = min(bits, 40);
        count = (count << step) + (rest << step) / divisor;
        rest = (rest << step) % divisor;
    }
    bool next = 2 * rest > divisor || (2 * rest == divisor && (count & 1));
    double unit = __ww_power_of_two(min(__ww_exponent(a), __ww_exponent(b)) - 127 - FRACTION_BITS);
    float nearest = (float)((double)((long)rest - (next ? (long)divisor : 0)) * unit);
    int low = (int)((count + next) & 127);
    *multiple = (as_int(x) ^ as_int(y)) < 0 ? -low : low;
    return as_int(x) < 0 ? -nearest : nearest;
}

__ww float remainder(float x, float y)
{
    int multiple;
    return __ww_nearest_rest(x, y, &multiple);
}
LIFT2(remainder, float, float)

#define REMQUO_HALVES(n, first, second, space)                                            \
    __ww float##n remquo(float##n x, float##n y, space int##n *multiple)                  \
    {                                                                                     \
        int##first a;                                                                     \
        int##second b;                                                                    \
        float##n rest = (float##n)(remquo(x.lo, y.lo, &a), remquo(x.hi, y.hi, &b));       \
        *multiple = (int##n)(a, b);                                                       \
        return rest;                                                                      \
    }
#define REMQUO(space)                                                                     \
    __ww float remquo(float x, float y, space int *multiple)                              \
    {                                                                                     \
        int count;                                                                        \
        float rest = __ww_nearest_rest(x, y, &count);                                     \
        *multiple = count;                                                                \
        return rest;                                                                      \
    }                                                                                     \
    REMQUO_HALVES(2, , , space)                                                           \
    __ww float3 remquo(float3 x, float3 y, space int3 *multiple)                          \
    {                                                                                     \
        int2 a;                                                                           \
        int b;                                                                            \
        float3 rest = (float3)(remquo(x.xy, y.xy, &a), remquo(x.z, y.z, &b));             \
        *multiple = (int3)(a, b);                                                         \
        return rest;                                                                      \
    }                                                                                     \
    REMQUO_HALVES(4, 2, 2, space)                                                         \
    REMQUO_HALVES(8, 4, 4, space)                                                         \
    REMQUO_HALVES(16, 8, 8, space)
REMQUO(__private)
REMQUO(__global)
REMQUO(__local)

/* ---- sinpi, cospi, tanpi, atanpi: libclc's zeros have wrong signs ---- */

__also double atan(double);
__also double copysign(double, double);
__also double cos(double);
__also double rint(double);
__also double sin(double);
__also double tan(double);

/* x times pi is some quarters of a turn, of which four are none, and an angle of pi / 4 at most.
 * Differences are exact. */
__attribute__((always_inline)) static int __ww_quarters(double x, double *angle)
{
    double rest = x - 2 * rint(x / 2);
    double quarters = rint(2 * rest);
    *angle = (rest - quarters / 2) * M_PI;
    return (int)quarters & 3;
}

__ww double sinpi(double x)
{
    double angle;
    int quarters = __ww_quarters(x, &angle);
    double size = quarters & 1 ? cos(angle) : sin(angle);
    return size == 0 ? copysign(0.0, x) : quarters & 2 ? -size : size;
}

__ww double cospi(double x)
{
    double angle;
    int quarters = __ww_quarters(x, &angle);
    double size = quarters & 1 ? sin(angle) : cos(angle);
    return size == 0 ? 0.0 : quarters == 1 || quarters == 2 ? -size : size;
}

__ww double tanpi(double x)
{
    double angle;
    int quarters = __ww_quarters(x, &angle);
    double slope = tan(angle);
    if (slope == 0 && quarters & 1)
        return quarters == 1 ? (double)INFINITY : -(double)INFINITY;
    if (slope == 0)
        return copysign(0.0, quarters ? -x : x);
    return quarters & 1 ? -1 / slope : slope;
}

__ww double atanpi(double x)
{
    return x == 0 ? x : atan(x) / M_PI;
}

#define BY_DOUBLE(name)                                          \
    LIFT1(name, double, double)                                  \
    __ww float name(float x) { return (float)name((double)x); }  \
    LIFT1(name, float, float)
BY_DOUBLE(sinpi)
BY_DOUBLE(cospi)
BY_DOUBLE(tanpi)
LIFT1(atanpi, double, double)
