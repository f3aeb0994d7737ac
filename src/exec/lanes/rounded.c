/* f32 and f64 arithmetic rounded to zero, down and up: the processor's rounding mode is changed for
 * the length of an operator and put back. Compiled with -frounding-math. The rows are memory that
 * fesetround could see, so no load or store, and with them no arithmetic, moves out from between
 * the two calls. */
#include <fenv.h>

#include "exec/lanes/real.h"

#define MODE_RZ FE_TOWARDZERO
#define MODE_RM FE_DOWNWARD
#define MODE_RP FE_UPWARD

/* An operator that runs another one, `loop`, in a rounding mode. */
#define ROUNDED(name, loop, mode)            \
    OPERATOR(name)                           \
    {                                        \
        const int before = fegetround();     \
        fesetround(mode);                    \
        loop(dp, ap, bp, cp, blocks, extra); \
        fesetround(before);                  \
    }

/* One loop serves the three modes: the compiler must not inline it into its callers. */
#define KEPT __attribute__((noinline))
#define LOOP_1(name, T, expr) KEPT DEFINE_1(name, T, T, expr)
#define LOOP_2(name, T, expr) KEPT DEFINE_2(name, T, T, T, expr)
#define LOOP_3(name, T, expr) KEPT DEFINE_3(name, T, T, T, T, expr)

#define FUSED32 __builtin_fmaf(x, y, z)
#define FUSED64 __builtin_fma(x, y, z)
LOOP_2(any_add_f32, F32, x + y)
LOOP_2(any_add_f32z, F32Z, x + y)
LOOP_2(any_add_f32s, F32S, x + y)
LOOP_2(any_add_f32zs, F32ZS, x + y)
LOOP_2(any_add_f64, F64, x + y)
LOOP_2(any_sub_f32, F32, x - y)
LOOP_2(any_sub_f32z, F32Z, x - y)
LOOP_2(any_sub_f32s, F32S, x - y)
LOOP_2(any_sub_f32zs, F32ZS, x - y)
LOOP_2(any_sub_f64, F64, x - y)
LOOP_2(any_mul_f32, F32, x *y)
LOOP_2(any_mul_f32z, F32Z, x *y)
LOOP_2(any_mul_f32s, F32S, x *y)
LOOP_2(any_mul_f32zs, F32ZS, x *y)
LOOP_2(any_mul_f64, F64, x *y)
LOOP_3(any_fma_f32, F32, FUSED32)
LOOP_3(any_fma_f32z, F32Z, FUSED32)
LOOP_3(any_fma_f32s, F32S, FUSED32)
LOOP_3(any_fma_f32zs, F32ZS, FUSED32)
LOOP_3(any_fma_f64, F64, FUSED64)
LOOP_2(any_div_f32, F32, x / y)
LOOP_2(any_div_f32z, F32Z, x / y)
LOOP_2(any_div_f64, F64, x / y)
LOOP_1(any_rcp_f32, F32, 1 / x)
LOOP_1(any_rcp_f32z, F32Z, 1 / x)
LOOP_1(any_rcp_f64, F64, 1 / x)
LOOP_1(any_sqrt_f32, F32, __builtin_sqrtf(x))
LOOP_1(any_sqrt_f32z, F32Z, __builtin_sqrtf(x))
LOOP_1(any_sqrt_f64, F64, __builtin_sqrt(x))

#define FAMILY rounded
#include "exec/lanes/define_operators.h"
