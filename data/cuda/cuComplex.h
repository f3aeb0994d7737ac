/* Complex numbers as the toolkit's header of this name has them. */
#ifndef __WW_CU_COMPLEX_H
#define __WW_CU_COMPLEX_H

#include "minicuda.h"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

__WW_BOTH cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
__WW_BOTH cuFloatComplex make_cuFloatComplex(float re, float im) { return cuFloatComplex{re, im}; }
__WW_BOTH cuDoubleComplex make_cuDoubleComplex(double re, double im)
{
    return cuDoubleComplex{re, im};
}

/* The quotient and the magnitude are scaled so that no step overflows unless the result does. */
#define __WW_COMPLEX(C, t, f)                                                                 \
    __WW_BOTH t cuCreal##f(C a) { return a.x; }                                               \
    __WW_BOTH t cuCimag##f(C a) { return a.y; }                                               \
    __WW_BOTH C cuConj##f(C a) { return C{a.x, -a.y}; }                                       \
    __WW_BOTH C cuCadd##f(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                       \
    __WW_BOTH C cuCsub##f(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                       \
    __WW_BOTH C cuCmul##f(C a, C b)                                                           \
    {                                                                                         \
        return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                               \
    }                                                                                         \
    __WW_BOTH C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }            \
    __WW_BOTH C cuCdiv##f(C a, C b)                                                           \
    {                                                                                         \
        t scale = 1 / (fabs(b.x) + fabs(b.y));                                                \
        C n = {a.x * scale, a.y * scale}, d = {b.x * scale, b.y * scale};                     \
        t by = 1 / (d.x * d.x + d.y * d.y);                                                   \
        return C{(n.x * d.x + n.y * d.y) * by, (n.y * d.x - n.x * d.y) * by};                 \
    }                                                                                         \
    __WW_BOTH t cuCabs##f(C a)                                                                \
    {                                                                                         \
        t x = fabs(a.x), y = fabs(a.y), most = x > y ? x : y, least = x > y ? y : x;          \
        t ratio = least / most;                                                               \
        return most == 0 ? 0 : most * sqrt(1 + ratio * ratio);                                \
    }
__WW_COMPLEX(cuComplex, float, f)
__WW_COMPLEX(cuDoubleComplex, double, )
#undef __WW_COMPLEX

__WW_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return cuDoubleComplex{a.x, a.y};
}
__WW_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return cuFloatComplex{(float)a.x, (float)a.y};
}

#endif
