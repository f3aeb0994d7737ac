/* Half precision: __half and __half2 with conversions, arithmetic and comparisons. */
#ifndef __WW_CUDA_FP16_H
#define __WW_CUDA_FP16_H

struct __align__(2) __half {
    _Float16 value;
    __half() = default;
    __host__ __device__ __half(float x) : value((_Float16)x) {}
    __host__ __device__ __half(double x) : value((_Float16)x) {}
    __host__ __device__ __half(int x) : value((_Float16)x) {}
    __host__ __device__ operator float() const { return (float)value; }
    static __host__ __device__ __half of(_Float16 x)
    {
        __half h;
        h.value = x;
        return h;
    }
};
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;

__WW_BOTH __half __float2half(float x) { return __half(x); }
__WW_BOTH __half __float2half_rn(float x) { return __half(x); }
__WW_BOTH float __half2float(__half h) { return (float)h.value; }
__WW_BOTH __half __double2half(double x) { return __half(x); }
__WW_BOTH __half __int2half_rn(int x) { return __half(x); }
__WW_BOTH int __half2int_rz(__half h) { return (int)(float)h.value; }
__WW_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
__WW_BOTH __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
__WW_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
__WW_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__WW_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__WW_BOTH __half __low2half(__half2 v) { return v.x; }
__WW_BOTH __half __high2half(__half2 v) { return v.y; }
__WW_BOTH float __low2float(__half2 v) { return v.x; }
__WW_BOTH float __high2float(__half2 v) { return v.y; }
__WW_BOTH float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
__WW_BOTH __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__WW_BOTH unsigned short __half_as_ushort(__half h)
{
    return __builtin_bit_cast(unsigned short, h.value);
}
__WW_BOTH __half __ushort_as_half(unsigned short x)
{
    return __half::of(__builtin_bit_cast(_Float16, x));
}

#define __WW_HALF_OP(name, op)                                                                   \
    __WW_BOTH __half operator op(__half a, __half b) { return __half::of(a.value op b.value); }  \
    __WW_BOTH __half &operator op##=(__half &a, __half b) { return a = a op b; }                 \
    __WW_BOTH __half __h##name(__half a, __half b) { return a op b; }                            \
    __WW_BOTH __half2 operator op(__half2 a, __half2 b) { return __half2(a.x op b.x, a.y op b.y); } \
    __WW_BOTH __half2 __h##name##2(__half2 a, __half2 b) { return a op b; }
__WW_HALF_OP(add, +)
__WW_HALF_OP(sub, -)
__WW_HALF_OP(mul, *)
__WW_HALF_OP(div, /)
#define __WW_HALF_COMPARE(name, op)                                                     \
    __WW_BOTH bool operator op(__half a, __half b) { return a.value op b.value; }       \
    __WW_BOTH bool __h##name(__half a, __half b) { return a.value op b.value; }
__WW_HALF_COMPARE(eq, ==)
__WW_HALF_COMPARE(ne, !=)
__WW_HALF_COMPARE(lt, <)
__WW_HALF_COMPARE(le, <=)
__WW_HALF_COMPARE(gt, >)
__WW_HALF_COMPARE(ge, >=)
__WW_BOTH __half operator-(__half a) { return __half::of(-a.value); }
__WW_BOTH __half __hneg(__half a) { return -a; }
__WW_DEVICE __half __hfma(__half a, __half b, __half c)
{
    return __half::of(__builtin_fmaf16(a.value, b.value, c.value));
}
__WW_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__WW_DEVICE __half hsqrt(__half a) { return __half(sqrtf(a)); }
__WW_DEVICE __half hexp(__half a) { return __half(expf(a)); }
__WW_DEVICE __half hlog(__half a) { return __half(logf(a)); }
__WW_DEVICE bool __hisnan(__half a) { return a.value != a.value; }

#endif
