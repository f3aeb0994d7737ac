/* Mathematical functions for device code. A function that is declared without a body is libclc's:
 * C++ and OpenCL C mangle it alike. Accuracy is libclc's (single-precision functions within the
 * limits of OpenCL 1.2, mostly 1 to 4 ulp); the __ forms are the hardware's approximations. */
#ifndef __WW_MINICUDA_MATH_H
#define __WW_MINICUDA_MATH_H

/* ---- by number of arguments; each gives name(float), name(double), namef(float) and the form for
 * integers that C++ wants ---- */

template <bool> struct __ww_if {};
template <> struct __ww_if<true> { typedef double type; };
template <typename T> struct __ww_is_integer { static const bool value = __is_integral(T); };

#define __WW_MATH1(name)                                                                    \
    __device__ float name(float);                                                           \
    __device__ double name(double);                                                         \
    template <typename T>                                                                   \
    __WW_DEVICE typename __ww_if<__ww_is_integer<T>::value>::type name(T x)                 \
    {                                                                                       \
        return name((double)x);                                                             \
    }                                                                                       \
    __WW_DEVICE float name##f(float x) { return name(x); }
#define __WW_MATH2(name)                                                                    \
    __device__ float name(float, float);                                                    \
    __device__ double name(double, double);                                                 \
    template <typename T, typename U>                                                       \
    __WW_DEVICE typename __ww_if<!__is_same(T, U) || __ww_is_integer<T>::value>::type name( \
        T x, U y)                                                                           \
    {                                                                                       \
        return name((double)x, (double)y);                                                  \
    }                                                                                       \
    __WW_DEVICE float name##f(float x, float y) { return name(x, y); }

#define __WW_MATH1_STANDARD(X)                                                              \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh)       \
    X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10)       \
    X(log1p) X(log2) X(logb) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh)         \
    X(tgamma) X(trunc)
#define __WW_MATH2_STANDARD(X)                                                              \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow)       \
    X(remainder)

__WW_MATH1_STANDARD(__WW_MATH1)
__WW_MATH2_STANDARD(__WW_MATH2)
__WW_MATH1(exp10)
__WW_MATH1(sinpi)
__WW_MATH1(cospi)
__WW_MATH1(tanpi)

#define __WW_BY_TYPE(t, name, parameters, expression) \
    __WW_DEVICE t name parameters { return expression; }
#define __WW_BOTH_TYPES(name, parameters, expression)        \
    __WW_BY_TYPE(double, name, parameters(double), expression) \
    __WW_BY_TYPE(float, name, parameters(float), expression)   \
    __WW_BY_TYPE(float, name##f, parameters(float), expression)
#define __WW_X(t) (t x)
#define __WW_XY(t) (t x, t y)
#define __WW_XYZ(t) (t x, t y, t z)
#define __WW_XN(t) (t x, int n)
#define __WW_XLONG(t) (t x, long n)

__device__ float fma(float, float, float);
__device__ double fma(double, double, double);
__WW_DEVICE float fmaf(float x, float y, float z) { return fma(x, y, z); }
__device__ float ldexp(float, int);
__device__ double ldexp(double, int);
__WW_DEVICE float ldexpf(float x, int n) { return ldexp(x, n); }
__device__ float pown(float, int);
__device__ double pown(double, int);
__WW_BOTH_TYPES(nearbyint, __WW_X, rint(x))
__WW_BOTH_TYPES(scalbn, __WW_XN, ldexp(x, n))
__WW_BOTH_TYPES(scalbln, __WW_XLONG, ldexp(x, (int)n))
__WW_BOTH_TYPES(rcbrt, __WW_X, 1 / cbrt(x))
__WW_BOTH_TYPES(rhypot, __WW_XY, 1 / hypot(x, y))
__WW_BOTH_TYPES(norm3d, __WW_XYZ, sqrt(x *x + y * y + z * z))
__WW_BOTH_TYPES(rnorm3d, __WW_XYZ, 1 / sqrt(x * x + y * y + z * z))
__WW_BOTH_TYPES(normcdf, __WW_X, erfc(x * -0.70710678118654752) / 2)
__WW_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
__WW_DEVICE float rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
__WW_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__WW_DEVICE float fdividef(float x, float y) { return x / y; }
__WW_DEVICE float saturate(float x) { return __nvvm_saturate_f(x); }
__WW_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }

/* libclc's ilogb, frexp, modf, remquo and sincos. Pointers are of the private space there, which
 * is the generic one. */
__device__ int ilogb(float);
__device__ int ilogb(double);
__WW_DEVICE int ilogbf(float x) { return ilogb(x); }
__device__ float frexp(float, int *);
__device__ double frexp(double, int *);
__WW_DEVICE float frexpf(float x, int *exponent) { return frexp(x, exponent); }
__device__ float modf(float, float *);
__device__ double modf(double, double *);
__WW_DEVICE float modff(float x, float *whole) { return modf(x, whole); }
__device__ float remquo(float, float, int *);
__device__ double remquo(double, double, int *);
__WW_DEVICE float remquof(float x, float y, int *quotient) { return remquo(x, y, quotient); }
__WW_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
__WW_DEVICE void sincos(float x, float *s, float *c) { *s = sin(x), *c = cos(x); }
__WW_DEVICE void sincosf(float x, float *s, float *c) { *s = sin(x), *c = cos(x); }
__WW_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
__WW_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpi(x), *c = cospi(x); }

#define __WW_TO_INTEGER(t, name, rounder)                              \
    __WW_DEVICE t name(double x) { return (t)rounder(x); }             \
    __WW_DEVICE t name(float x) { return (t)rounder(x); }              \
    __WW_DEVICE t name##f(float x) { return (t)rounder(x); }
__WW_TO_INTEGER(long, lrint, rint)
__WW_TO_INTEGER(long long, llrint, rint)
__WW_TO_INTEGER(long, lround, round)
__WW_TO_INTEGER(long long, llround, round)

__WW_DEVICE int abs(int x) { return x < 0 ? -x : x; }
__WW_DEVICE long abs(long x) { return x < 0 ? -x : x; }
__WW_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
__WW_DEVICE float abs(float x) { return fabs(x); }
__WW_DEVICE double abs(double x) { return fabs(x); }
__WW_DEVICE long labs(long x) { return x < 0 ? -x : x; }
__WW_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

namespace std
{
#define __WW_USING1(name) using ::name; using ::name##f;
__WW_MATH1_STANDARD(__WW_USING1)
__WW_MATH2_STANDARD(__WW_USING1)
__WW_USING1(fma)
__WW_USING1(ldexp)
__WW_USING1(nearbyint)
__WW_USING1(scalbn)
__WW_USING1(scalbln)
__WW_USING1(ilogb)
__WW_USING1(frexp)
__WW_USING1(modf)
__WW_USING1(remquo)
__WW_USING1(lrint)
__WW_USING1(llrint)
__WW_USING1(lround)
__WW_USING1(llround)
using ::abs;
using ::labs;
using ::llabs;
}

/* ---- min and max, for host code as well ---- */

#define __WW_MINMAX(r, t, u)                                                       \
    __WW_BOTH r min(t x, u y) { return (r)x < (r)y ? (r)x : (r)y; }                \
    __WW_BOTH r max(t x, u y) { return (r)x > (r)y ? (r)x : (r)y; }
#define __WW_MINMAX_SIGNS(s, u)  \
    __WW_MINMAX(s, s, s)         \
    __WW_MINMAX(u, u, u)         \
    __WW_MINMAX(u, s, u)         \
    __WW_MINMAX(u, u, s)
__WW_MINMAX_SIGNS(int, unsigned)
__WW_MINMAX_SIGNS(long, unsigned long)
__WW_MINMAX_SIGNS(long long, unsigned long long)
#define __WW_MINMAX_FLOATS(r, t, u)                                                \
    __WW_BOTH r min(t x, u y) { return __builtin_fmin((r)x, (r)y); }               \
    __WW_BOTH r max(t x, u y) { return __builtin_fmax((r)x, (r)y); }
__WW_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
__WW_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }
__WW_MINMAX_FLOATS(double, double, double)
__WW_MINMAX_FLOATS(double, float, double)
__WW_MINMAX_FLOATS(double, double, float)
__WW_DEVICE unsigned umin(unsigned x, unsigned y) { return min(x, y); }
__WW_DEVICE unsigned umax(unsigned x, unsigned y) { return max(x, y); }

/* ---- approximations ---- */

__WW_DEVICE float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
__WW_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
__WW_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
__WW_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
__WW_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
__WW_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
__WW_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__WW_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__WW_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
__WW_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__WW_DEVICE float __powf(float x, float y) { return __exp2f(y * __log2f(x)); }
__WW_DEVICE void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
__WW_DEVICE float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }

/* ---- arithmetic with a rounding mode ---- */

#define __WW_ROUNDED(mode, ptx)                                                                     \
    __WW_DEVICE float __fadd_##mode(float x, float y) { return __nvvm_add_##ptx##_f(x, y); }    \
    __WW_DEVICE float __fsub_##mode(float x, float y) { return __nvvm_add_##ptx##_f(x, -y); }   \
    __WW_DEVICE float __fmul_##mode(float x, float y) { return __nvvm_mul_##ptx##_f(x, y); }    \
    __WW_DEVICE float __fdiv_##mode(float x, float y) { return __nvvm_div_##ptx##_f(x, y); }    \
    __WW_DEVICE float __frcp_##mode(float x) { return __nvvm_rcp_##ptx##_f(x); }                \
    __WW_DEVICE float __fsqrt_##mode(float x) { return __nvvm_sqrt_##ptx##_f(x); }              \
    __WW_DEVICE float __fmaf_##mode(float x, float y, float z)                                   \
    {                                                                                            \
        return __nvvm_fma_##ptx##_f(x, y, z);                                                   \
    }                                                                                            \
    __WW_DEVICE double __dadd_##mode(double x, double y) { return __nvvm_add_##ptx##_d(x, y); } \
    __WW_DEVICE double __dsub_##mode(double x, double y) { return __nvvm_add_##ptx##_d(x, -y); } \
    __WW_DEVICE double __dmul_##mode(double x, double y) { return __nvvm_mul_##ptx##_d(x, y); } \
    __WW_DEVICE double __ddiv_##mode(double x, double y) { return __nvvm_div_##ptx##_d(x, y); } \
    __WW_DEVICE double __drcp_##mode(double x) { return __nvvm_rcp_##ptx##_d(x); }              \
    __WW_DEVICE double __dsqrt_##mode(double x) { return __nvvm_sqrt_##ptx##_d(x); }            \
    __WW_DEVICE double __fma_##mode(double x, double y, double z)                                \
    {                                                                                            \
        return __nvvm_fma_##ptx##_d(x, y, z);                                                   \
    }
__WW_ROUNDED(rn, rn)
__WW_ROUNDED(rz, rz)
__WW_ROUNDED(rd, rm)
__WW_ROUNDED(ru, rp)
#undef __WW_ROUNDED

/* ---- conversions with a rounding mode ---- */

#define __WW_CONVERT(r, name, t, mode, ptx, out, in)            \
    __WW_DEVICE r __##name##_##mode(t x)                        \
    {                                                           \
        r y;                                                    \
        __asm__("cvt." ptx " %0, %1;" : out(y) : in(x));        \
        return y;                                               \
    }
#define __WW_CONVERT_MODES(r, name, t, types, out, in, i)                \
    __WW_CONVERT(r, name, t, rn, "rn" i types, out, in)                  \
    __WW_CONVERT(r, name, t, rz, "rz" i types, out, in)                  \
    __WW_CONVERT(r, name, t, rd, "rm" i types, out, in)                  \
    __WW_CONVERT(r, name, t, ru, "rp" i types, out, in)
__WW_CONVERT_MODES(int, float2int, float, ".s32.f32", "=r", "f", "i")
__WW_CONVERT_MODES(unsigned, float2uint, float, ".u32.f32", "=r", "f", "i")
__WW_CONVERT_MODES(long long, float2ll, float, ".s64.f32", "=l", "f", "i")
__WW_CONVERT_MODES(unsigned long long, float2ull, float, ".u64.f32", "=l", "f", "i")
__WW_CONVERT_MODES(int, double2int, double, ".s32.f64", "=r", "d", "i")
__WW_CONVERT_MODES(unsigned, double2uint, double, ".u32.f64", "=r", "d", "i")
__WW_CONVERT_MODES(long long, double2ll, double, ".s64.f64", "=l", "d", "i")
__WW_CONVERT_MODES(unsigned long long, double2ull, double, ".u64.f64", "=l", "d", "i")
__WW_CONVERT_MODES(float, int2float, int, ".f32.s32", "=f", "r", "")
__WW_CONVERT_MODES(float, uint2float, unsigned, ".f32.u32", "=f", "r", "")
__WW_CONVERT_MODES(float, ll2float, long long, ".f32.s64", "=f", "l", "")
__WW_CONVERT_MODES(float, ull2float, unsigned long long, ".f32.u64", "=f", "l", "")
__WW_CONVERT_MODES(double, ll2double, long long, ".f64.s64", "=d", "l", "")
__WW_CONVERT_MODES(double, ull2double, unsigned long long, ".f64.u64", "=d", "l", "")
__WW_CONVERT_MODES(float, double2float, double, ".f32.f64", "=f", "d", "")
__WW_DEVICE double __int2double_rn(int x) { return x; }
__WW_DEVICE double __uint2double_rn(unsigned x) { return x; }

#endif
