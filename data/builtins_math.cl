/* Mathematical functions that libclc gets wrong: part of builtins.cl. */

/* ---- exp2: libclc's has no subnormal results. The instruction's error is 2^-22.5 at most. ---- */

NATIVE1(exp2, __nvvm_ex2_approx_f(x))

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

#define LDEXP(t)                                                                                     \
    __ww t##2 ldexp(t##2 v, int2 n) { return (t##2)(ldexp(v.x, n.x), ldexp(v.y, n.y)); }             \
    __ww t##3 ldexp(t##3 v, int3 n) { return (t##3)(ldexp(v.xy, n.xy), ldexp(v.z, n.z)); }           \
    __ww t##4 ldexp(t##4 v, int4 n) { return (t##4)(ldexp(v.lo, n.lo), ldexp(v.hi, n.hi)); }         \
    __ww t##8 ldexp(t##8 v, int8 n) { return (t##8)(ldexp(v.lo, n.lo), ldexp(v.hi, n.hi)); }         \
    __ww t##16 ldexp(t##16 v, int16 n) { return (t##16)(ldexp(v.lo, n.lo), ldexp(v.hi, n.hi)); }     \
    __ww t##2 ldexp(t##2 v, int n) { return ldexp(v, (int2)n); }                                     \
    __ww t##3 ldexp(t##3 v, int n) { return ldexp(v, (int3)n); }                                     \
    __ww t##4 ldexp(t##4 v, int n) { return ldexp(v, (int4)n); }                                     \
    __ww t##8 ldexp(t##8 v, int n) { return ldexp(v, (int8)n); }                                     \
    __ww t##16 ldexp(t##16 v, int n) { return ldexp(v, (int16)n); }
LDEXP(float)
LDEXP(double)

/* ---- fmod: libclc's is wrong for subnormal divisors. Long division, 40 bits at a time. ---- */

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
