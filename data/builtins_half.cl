/* The library on halves (cl_khr_fp16), which libclc lacks for NVPTX: part of builtins.cl. Functions go
 * through float: exact, then rounded once, where float's are. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TO(t, x) __builtin_convertvector(x, t)
#define SIZES(X, ...)                                                                \
    X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)

#define HALF1_N(n, name)                    \
    __also float##n name(float##n);         \
    __ww half##n name(half##n x) { return TO(half##n, name(TO(float##n, x))); }
#define HALF1(name)                                         \
    __also float name(float);                               \
    __ww half name(half x) { return (half)name((float)x); } \
    SIZES(HALF1_N, name)

#define HALF2_N(n, name)                                                \
    __also float##n name(float##n, float##n);                           \
    __ww half##n name(half##n x, half##n y)                             \
    {                                                                   \
        return TO(half##n, name(TO(float##n, x), TO(float##n, y)));     \
    }
#define HALF2(name)                                                            \
    __also float name(float, float);                                           \
    __ww half name(half x, half y) { return (half)name((float)x, (float)y); }  \
    SIZES(HALF2_N, name)

#define HALF3_N(n, name)                                                                  \
    __also float##n name(float##n, float##n, float##n);                                   \
    __ww half##n name(half##n x, half##n y, half##n z)                                    \
    {                                                                                     \
        return TO(half##n, name(TO(float##n, x), TO(float##n, y), TO(float##n, z)));      \
    }
#define HALF3(name)                                                                         \
    __also float name(float, float, float);                                                 \
    __ww half name(half x, half y, half z) { return (half)name((float)x, (float)y, (float)z); } \
    SIZES(HALF3_N, name)

HALF1(acos) HALF1(acosh) HALF1(acospi) HALF1(asin) HALF1(asinh) HALF1(asinpi) HALF1(atan)
HALF1(atanh) HALF1(atanpi) HALF1(cbrt) HALF1(ceil) HALF1(cos) HALF1(cosh) HALF1(cospi) HALF1(erf)
HALF1(erfc) HALF1(exp) HALF1(exp2) HALF1(exp10) HALF1(expm1) HALF1(fabs) HALF1(floor) HALF1(lgamma)
HALF1(log) HALF1(log2) HALF1(log10) HALF1(log1p) HALF1(logb) HALF1(rint) HALF1(round) HALF1(rsqrt)
HALF1(sin) HALF1(sinh) HALF1(sinpi) HALF1(sqrt) HALF1(tan) HALF1(tanh) HALF1(tanpi) HALF1(tgamma)
HALF1(trunc) HALF1(degrees) HALF1(radians) HALF1(sign)
HALF2(atan2) HALF2(atan2pi) HALF2(copysign) HALF2(fdim) HALF2(fmax) HALF2(fmin) HALF2(fmod)
HALF2(hypot) HALF2(maxmag) HALF2(minmag) HALF2(pow) HALF2(powr) HALF2(remainder) HALF2(step)
HALF2(max) HALF2(min)
HALF3(clamp) HALF3(mix) HALF3(smoothstep)

/* A product of halves and a half fit into a double, but not always into a float. */
#define FUSED_N(n, name)                                                               \
    __also double##n fma(double##n, double##n, double##n);                             \
    __ww half##n name(half##n x, half##n y, half##n z)                                 \
    {                                                                                  \
        return TO(half##n, fma(TO(double##n, x), TO(double##n, y), TO(double##n, z))); \
    }
#define FUSED(name)                                                                              \
    __also double fma(double, double, double);                                                   \
    __ww half name(half x, half y, half z) { return (half)fma((double)x, (double)y, (double)z); } \
    SIZES(FUSED_N, name)
FUSED(fma)
FUSED(mad)

/* Vectors with a scalar last or first. */
#define SCALAR_N(n, unused)                                                                  \
    __ww half##n fmax(half##n x, half y) { return fmax(x, (half##n)y); }                     \
    __ww half##n fmin(half##n x, half y) { return fmin(x, (half##n)y); }                     \
    __ww half##n max(half##n x, half y) { return fmax(x, (half##n)y); }                      \
    __ww half##n min(half##n x, half y) { return fmin(x, (half##n)y); }                      \
    __ww half##n step(half e, half##n x) { return step((half##n)e, x); }                     \
    __ww half##n mix(half##n x, half##n y, half a) { return mix(x, y, (half##n)a); }         \
    __ww half##n clamp(half##n x, half l, half h) { return clamp(x, (half##n)l, (half##n)h); } \
    __ww half##n smoothstep(half l, half h, half##n x)                                       \
    {                                                                                        \
        return smoothstep((half##n)l, (half##n)h, x);                                        \
    }
SIZES(SCALAR_N, )

#define POWERS_N(n, unused)                                                                   \
    __also float##n pown(float##n, int##n);                                                    \
    __also float##n rootn(float##n, int##n);                                                   \
    __also float##n ldexp(float##n, int##n);                                                   \
    __also int##n ilogb(float##n);                                                             \
    __ww half##n pown(half##n x, int##n y) { return TO(half##n, pown(TO(float##n, x), y)); }   \
    __ww half##n rootn(half##n x, int##n y) { return TO(half##n, rootn(TO(float##n, x), y)); } \
    __ww half##n ldexp(half##n x, int##n y) { return TO(half##n, ldexp(TO(float##n, x), y)); } \
    __ww half##n ldexp(half##n x, int y) { return ldexp(x, (int##n)y); }                       \
    __ww int##n ilogb(half##n x) { return ilogb(TO(float##n, x)); }
__also float pown(float, int);
__also float rootn(float, int);
__also float ldexp(float, int);
__also int ilogb(float);
__ww half pown(half x, int y) { return (half)pown((float)x, y); }
__ww half rootn(half x, int y) { return (half)rootn((float)x, y); }
__ww half ldexp(half x, int y) { return (half)ldexp((float)x, y); }
__ww int ilogb(half x) { return ilogb((float)x); }
SIZES(POWERS_N, )

/* ---- geometry ---- */

#define GEOMETRY(h, f)                                                               \
    __also float dot(f, f);                                                          \
    __also float length(f);                                                          \
    __also float distance(f, f);                                                     \
    __also f normalize(f);                                                           \
    __ww half dot(h x, h y) { return (half)dot(TO(f, x), TO(f, y)); }                \
    __ww half length(h x) { return (half)length(TO(f, x)); }                         \
    __ww half distance(h x, h y) { return (half)distance(TO(f, x), TO(f, y)); }      \
    __ww h normalize(h x) { return TO(h, normalize(TO(f, x))); }
GEOMETRY(half2, float2)
GEOMETRY(half3, float3)
GEOMETRY(half4, float4)
__ww half dot(half x, half y) { return x * y; }
__ww half length(half x) { return fabs(x); }
__ww half distance(half x, half y) { return fabs(x - y); }
__ww half normalize(half x) { return sign(x); }
__also float3 cross(float3, float3);
__also float4 cross(float4, float4);
__ww half3 cross(half3 x, half3 y) { return TO(half3, cross(TO(float3, x), TO(float3, y))); }
__ww half4 cross(half4 x, half4 y) { return TO(half4, cross(TO(float4, x), TO(float4, y))); }

/* ---- comparisons and choices ---- */

#define CLASS_N(n, name)                    \
    __also int##n name(float##n);           \
    __ww short##n name(half##n x) { return TO(short##n, name(TO(float##n, x))); }
#define CLASS(name)                                   \
    __also int name(float);                           \
    __ww int name(half x) { return name((float)x); }  \
    SIZES(CLASS_N, name)
#define COMPARE_N(n, name)                                                    \
    __also int##n name(float##n, float##n);                                   \
    __ww short##n name(half##n x, half##n y)                                  \
    {                                                                         \
        return TO(short##n, name(TO(float##n, x), TO(float##n, y)));          \
    }
#define COMPARE(name)                                                   \
    __also int name(float, float);                                      \
    __ww int name(half x, half y) { return name((float)x, (float)y); }  \
    SIZES(COMPARE_N, name)
CLASS(isfinite) CLASS(isinf) CLASS(isnan)
COMPARE(isequal) COMPARE(isnotequal) COMPARE(isgreater) COMPARE(isgreaterequal) COMPARE(isless)
COMPARE(islessequal) COMPARE(islessgreater) COMPARE(isordered) COMPARE(isunordered)
__ww int signbit(half x) { return as_short(x) < 0; }
__ww int isnormal(half x) { return isfinite(x) && fabs(x) >= 0x1p-14h; }
#define BITS_N(n, unused)                                                                     \
    __ww short##n signbit(half##n x) { return __builtin_astype(x, short##n) < (short##n)0; }  \
    __ww short##n isnormal(half##n x)                                                         \
    {                                                                                         \
        return isfinite(x) & isgreaterequal(fabs(x), (half##n)0x1p-14h);                      \
    }
SIZES(BITS_N, )

#define BITWISE(n, unused)                                                                    \
    __ww half##n nan(ushort##n code)                                                          \
    {                                                                                         \
        return __builtin_astype((ushort##n)(code | (ushort##n)0x7e00), half##n);              \
    }                                                                                         \
    __ww half##n bitselect(half##n x, half##n y, half##n z)                                   \
    {                                                                                         \
        ushort##n a = __builtin_astype(x, ushort##n), b = __builtin_astype(y, ushort##n);     \
        ushort##n c = __builtin_astype(z, ushort##n);                                         \
        return __builtin_astype((ushort##n)((a & ~c) | (b & c)), half##n);                    \
    }
BITWISE(, )
SIZES(BITWISE, )

/* The next half: one more or less of the bits, whose sign counts towards zero. */
__ww half nextafter(half x, half y)
{
    short bits = as_short(x);
    if (isunordered(x, y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return as_half((ushort)(y > 0 ? 0x0001 : 0x8001));
    return as_half((short)((x < y) == (bits >= 0) ? bits + 1 : bits - 1));
}
LIFT2(nextafter, half, half)

#define SHUFFLE_OF(n, m)                                                                      \
    __attribute__((overloadable, const)) ushort##n shuffle(ushort##m, ushort##n);             \
    __attribute__((overloadable, const)) ushort##n shuffle2(ushort##m, ushort##m, ushort##n); \
    __ww half##n shuffle(half##m x, ushort##n mask)                                           \
    {                                                                                         \
        return __builtin_astype(shuffle(__builtin_astype(x, ushort##m), mask), half##n);      \
    }                                                                                         \
    __ww half##n shuffle2(half##m x, half##m y, ushort##n mask)                               \
    {                                                                                         \
        ushort##m a = __builtin_astype(x, ushort##m), b = __builtin_astype(y, ushort##m);     \
        return __builtin_astype(shuffle2(a, b, mask), half##n);                               \
    }
#define SHUFFLES(m) SHUFFLE_OF(2, m) SHUFFLE_OF(4, m) SHUFFLE_OF(8, m) SHUFFLE_OF(16, m)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

/* ---- functions with a second result, which goes through a private variable ---- */

#define SECOND_N(n, space)                                                                    \
    __attribute__((overloadable)) float##n modf(float##n, float##n *);                        \
    __attribute__((overloadable)) float##n fract(float##n, float##n *);                       \
    __attribute__((overloadable)) float##n sincos(float##n, float##n *);                      \
    __attribute__((overloadable)) float##n frexp(float##n, int##n *);                         \
    __attribute__((overloadable)) float##n lgamma_r(float##n, int##n *);                      \
    __attribute__((overloadable)) float##n remquo(float##n, float##n, int##n *);              \
    __ww half##n modf(half##n x, space half##n *p) { SECOND(n, float, modf, TO(half##n, second)) } \
    __ww half##n sincos(half##n x, space half##n *p)                                          \
    {                                                                                         \
        SECOND(n, float, sincos, TO(half##n, second))                                         \
    }                                                                                         \
    __ww half##n frexp(half##n x, space int##n *p) { SECOND(n, int, frexp, second) }          \
    __ww half##n lgamma_r(half##n x, space int##n *p) { SECOND(n, int, lgamma_r, second) }    \
    __ww half##n remquo(half##n x, half##n y, space int##n *p)                                \
    {                                                                                         \
        int##n second;                                                                        \
        half##n first = TO(half##n, remquo(TO(float##n, x), TO(float##n, y), &second));       \
        *p = second;                                                                          \
        return first;                                                                         \
    }                                                                                         \
    __ww half##n fract(half##n x, space half##n *p) /* less than 1, also when rounded */      \
    {                                                                                         \
        float##n second;                                                                      \
        half##n first = TO(half##n, fract(TO(float##n, x), &second));                         \
        *p = TO(half##n, second);                                                             \
        return first >= (half##n)1 ? (half##n)0x1.ffcp-1h : first;                            \
    }
#define SECOND(n, t, name, value)                                                             \
    t##n second;                                                                              \
    half##n first = TO(half##n, name(TO(float##n, x), &second));                              \
    *p = value;                                                                               \
    return first;
SIZES(SECOND_N, __private)
SIZES(SECOND_N, __global)
SIZES(SECOND_N, __local)
#undef TO
#define TO(t, x) ((t)(x))
SECOND_N(, __private)
SECOND_N(, __global)
SECOND_N(, __local)
#undef TO
#define TO(t, x) __builtin_convertvector(x, t)

#define CHOICE_N(n, c) \
    __ww half##n select(half##n x, half##n y, c##n z) { return z < (c##n)0 ? y : x; }
#define UNSIGNED_CHOICE_N(n, c)                                                     \
    __ww half##n select(half##n x, half##n y, ushort##n z)                          \
    {                                                                               \
        return select(x, y, __builtin_astype(z, short##n));                         \
    }
__ww half select(half x, half y, short c) { return c ? y : x; }
__ww half select(half x, half y, ushort c) { return c ? y : x; }
SIZES(CHOICE_N, short)
SIZES(UNSIGNED_CHOICE_N, )

/* ---- vectors in memory ---- */

#define LOAD_N(n, space)                                             \
    __attribute__((overloadable, pure)) ushort##n vload##n(size_t, const space ushort *); \
    __ww half##n vload##n(size_t i, const space half *p)             \
    {                                                                \
        ushort##n bits = vload##n(i, (const space ushort *)p);       \
        return __builtin_astype(bits, half##n);                      \
    }
#define STORE_N(n, space)                                                    \
    __attribute__((overloadable)) void vstore##n(ushort##n, size_t, space ushort *); \
    __ww void vstore##n(half##n x, size_t i, space half *p)                  \
    {                                                                        \
        vstore##n(__builtin_astype(x, ushort##n), i, (space ushort *)p);     \
    }
/* Not by way of ushort: libclc accesses the third element alone, and a ushort is no half. */
#define LOAD_3(space)                                                \
    __ww half3 vload3(size_t i, const space half *p)                 \
    {                                                                \
        p += 3 * i;                                                  \
        return (half3)(p[0], p[1], p[2]);                            \
    }
#define STORE_3(space)                                               \
    __ww void vstore3(half3 x, size_t i, space half *p)              \
    {                                                                \
        p += 3 * i;                                                  \
        p[0] = x.x;                                                  \
        p[1] = x.y;                                                  \
        p[2] = x.z;                                                  \
    }
#define LOADS(space) LOAD_N(2, space) LOAD_3(space) LOAD_N(4, space) LOAD_N(8, space) LOAD_N(16, space)
#define STORES(space) \
    STORE_N(2, space) STORE_3(space) STORE_N(4, space) STORE_N(8, space) STORE_N(16, space)
LOADS(__global) LOADS(__local) LOADS(__private) LOADS(__constant)
STORES(__global) STORES(__local) STORES(__private)

/* ---- conversions ---- */

#define FROM_HALF_N(n, to, suffix)                       \
    __also to##n convert_##to##n##suffix(float##n);      \
    __ww to##n convert_##to##n##suffix(half##n x) { return convert_##to##n##suffix(TO(float##n, x)); }
#define FROM_HALF_AS(to, suffix)                                                       \
    __also to convert_##to##suffix(float);                                             \
    __ww to convert_##to##suffix(half x) { return convert_##to##suffix((float)x); }    \
    SIZES(FROM_HALF_N, to, suffix)
#define FROM_HALF(to)                                                        \
    FROM_HALF_AS(to, ) FROM_HALF_AS(to, _rte) FROM_HALF_AS(to, _rtz)         \
    FROM_HALF_AS(to, _rtp) FROM_HALF_AS(to, _rtn)
#define FROM_HALF_SAT(to)                                                           \
    FROM_HALF(to) FROM_HALF_AS(to, _sat) FROM_HALF_AS(to, _sat_rte)                 \
    FROM_HALF_AS(to, _sat_rtz) FROM_HALF_AS(to, _sat_rtp) FROM_HALF_AS(to, _sat_rtn)
FROM_HALF_SAT(char) FROM_HALF_SAT(uchar) FROM_HALF_SAT(short) FROM_HALF_SAT(ushort)
FROM_HALF_SAT(int) FROM_HALF_SAT(uint) FROM_HALF_SAT(long) FROM_HALF_SAT(ulong)
FROM_HALF(float) FROM_HALF(double)

#define TO_HALF_N(n, from, suffix) \
    __ww half##n convert_half##n##suffix(from##n x) { return TO(half##n, x); }
#define TO_HALF_AS(from, suffix)                                             \
    __ww half convert_half##suffix(from x) { return (half)x; }               \
    SIZES(TO_HALF_N, from, suffix)
#define TO_HALF(from) TO_HALF_AS(from, ) TO_HALF_AS(from, _rte)
TO_HALF(char) TO_HALF(uchar) TO_HALF(short) TO_HALF(ushort) TO_HALF(int) TO_HALF(uint)
TO_HALF(long) TO_HALF(ulong) TO_HALF(float) TO_HALF(double) TO_HALF(half)

#define ROUNDED(suffix, mode)                                                          \
    __ww half convert_half##suffix(float x)                                            \
    {                                                                                  \
        ushort bits;                                                                   \
        __asm__("cvt." #mode ".f16.f32 %0, %1;" : "=h"(bits) : "f"(x));                \
        return __builtin_astype(bits, half);                                           \
    }                                                                                  \
    __ww half2 convert_half2##suffix(float2 v)                                         \
    {                                                                                  \
        return (half2)(convert_half##suffix(v.x), convert_half##suffix(v.y));          \
    }                                                                                  \
    __ww half3 convert_half3##suffix(float3 v)                                         \
    {                                                                                  \
        return (half3)(convert_half2##suffix(v.xy), convert_half##suffix(v.z));        \
    }                                                                                  \
    __ww half4 convert_half4##suffix(float4 v)                                         \
    {                                                                                  \
        return (half4)(convert_half2##suffix(v.lo), convert_half2##suffix(v.hi));      \
    }                                                                                  \
    __ww half8 convert_half8##suffix(float8 v)                                         \
    {                                                                                  \
        return (half8)(convert_half4##suffix(v.lo), convert_half4##suffix(v.hi));      \
    }                                                                                  \
    __ww half16 convert_half16##suffix(float16 v)                                      \
    {                                                                                  \
        return (half16)(convert_half8##suffix(v.lo), convert_half8##suffix(v.hi));     \
    }
ROUNDED(_rtz, rz)
ROUNDED(_rtp, rp)
ROUNDED(_rtn, rm)

/* By way of a float that is rounded in the same direction. */
#define ROUNDED_FROM_N(n, from, suffix)                      \
    __also float##n convert_float##n##suffix(from##n);       \
    __ww half##n convert_half##n##suffix(from##n x)          \
    {                                                        \
        return convert_half##n##suffix(convert_float##n##suffix(x)); \
    }
#define ROUNDED_FROM_AS(from, suffix) ROUNDED_FROM_N(, from, suffix) SIZES(ROUNDED_FROM_N, from, suffix)
#define ROUNDED_FROM(from) \
    ROUNDED_FROM_AS(from, _rtz) ROUNDED_FROM_AS(from, _rtp) ROUNDED_FROM_AS(from, _rtn)
ROUNDED_FROM(char) ROUNDED_FROM(uchar) ROUNDED_FROM(short) ROUNDED_FROM(ushort) ROUNDED_FROM(int)
ROUNDED_FROM(uint) ROUNDED_FROM(long) ROUNDED_FROM(ulong) ROUNDED_FROM(double)
#define SAME_N(n, suffix) \
    __ww half##n convert_half##n##suffix(half##n x) { return x; }
SAME_N(, _rtz) SAME_N(, _rtp) SAME_N(, _rtn)
SIZES(SAME_N, _rtz) SIZES(SAME_N, _rtp) SIZES(SAME_N, _rtn)

/* ---- rounded stores: libclc's store 0 for numbers that are nearer to 0 than the least half, in
 * every direction ---- */

#define STORE_ROUNDED_N(n, mode, space, from, step)                            \
    __ww void vstore_half##n##mode(from##n x, size_t i, space half *p)         \
    {                                                                          \
        vstore##n(convert_half##n##mode(x), i, p);                             \
    }                                                                          \
    __ww void vstorea_half##n##mode(from##n x, size_t i, space half *p)        \
    {                                                                          \
        vstore##n(convert_half##n##mode(x), 0, p + i * (step));                \
    }
#define STORE_ROUNDED(mode, space, from)                                       \
    __ww void vstore_half##mode(from x, size_t i, space half *p)               \
    {                                                                          \
        p[i] = convert_half##mode(x);                                          \
    }                                                                          \
    STORE_ROUNDED_N(2, mode, space, from, 2) STORE_ROUNDED_N(3, mode, space, from, 4)     \
    STORE_ROUNDED_N(4, mode, space, from, 4) STORE_ROUNDED_N(8, mode, space, from, 8)     \
    STORE_ROUNDED_N(16, mode, space, from, 16)
#define STORES_ROUNDED(space)                                                  \
    STORE_ROUNDED(_rtp, space, float) STORE_ROUNDED(_rtn, space, float)        \
    STORE_ROUNDED(_rtp, space, double) STORE_ROUNDED(_rtn, space, double)
STORES_ROUNDED(__global)
STORES_ROUNDED(__local)
STORES_ROUNDED(__private)

/* ---- group copies ---- */

COPIES(half) COPIES(half2) COPIES(half3) COPIES(half4) COPIES(half8) COPIES(half16)
