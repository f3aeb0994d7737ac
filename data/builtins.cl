/* OpenCL C library functions that libclc lacks or gets wrong for NVPTX. Compiled once per compiler
 * and linked before libclc, so that a definition here replaces libclc's of the same name and type.
 *
 * __WW_GLOBAL_OFFSET   defined when a launch has a global work offset; without it the offset is
 *                      the constant 0 and costs nothing
 * __WW_EDGES           defined with it when groups of a launch may differ in size: each size is a launch
 *                      of its own
 * __ww_launch_part     {first group x, y, z; groups; global size; usual group} of all these launches
 * __ww_launch_state    {work_dim, offset x, y, z} of the running launch, supplied by the executor */

#define __ww __attribute__((overloadable, always_inline))
/* A function that is defined here hides the compiler's own declarations of its other forms. */
#define __also __attribute__((overloadable, const))

#define VECTORS(X, t) X(t##2) X(t##3) X(t##4) X(t##8) X(t##16)
#define ALL(X, t) X(t) VECTORS(X, t)
#define INTEGERS(X)                                                                 \
    ALL(X, char) ALL(X, uchar) ALL(X, short) ALL(X, ushort)                         \
    ALL(X, int) ALL(X, uint) ALL(X, long) ALL(X, ulong)

/* Vector forms of a function that is defined for scalars, two halves at a time. */
#define LIFT1(name, t, r)                                                           \
    __ww r##2 name(t##2 v) { return (r##2)(name(v.x), name(v.y)); }                 \
    __ww r##3 name(t##3 v) { return (r##3)(name(v.xy), name(v.z)); }                \
    __ww r##4 name(t##4 v) { return (r##4)(name(v.lo), name(v.hi)); }               \
    __ww r##8 name(t##8 v) { return (r##8)(name(v.lo), name(v.hi)); }               \
    __ww r##16 name(t##16 v) { return (r##16)(name(v.lo), name(v.hi)); }
#define LIFT2(name, t, r)                                                                     \
    __ww r##2 name(t##2 v, t##2 w) { return (r##2)(name(v.x, w.x), name(v.y, w.y)); }         \
    __ww r##3 name(t##3 v, t##3 w) { return (r##3)(name(v.xy, w.xy), name(v.z, w.z)); }       \
    __ww r##4 name(t##4 v, t##4 w) { return (r##4)(name(v.lo, w.lo), name(v.hi, w.hi)); }     \
    __ww r##8 name(t##8 v, t##8 w) { return (r##8)(name(v.lo, w.lo), name(v.hi, w.hi)); }     \
    __ww r##16 name(t##16 v, t##16 w) { return (r##16)(name(v.lo, w.lo), name(v.hi, w.hi)); }

/* ---- work-items ---- */

extern __constant uint __ww_launch_state[4];

/* Sizes of a dimension that a launch does not have are 1. */
__ww size_t get_local_size(uint d)
{
    return d == 0   ? __nvvm_read_ptx_sreg_ntid_x()
           : d == 1 ? __nvvm_read_ptx_sreg_ntid_y()
           : d == 2 ? __nvvm_read_ptx_sreg_ntid_z()
                    : 1;
}

#ifdef __WW_EDGES

extern __constant uint __ww_launch_part[12];

__ww size_t get_group_id(uint d)
{
    return (d == 0   ? __nvvm_read_ptx_sreg_ctaid_x()
            : d == 1 ? __nvvm_read_ptx_sreg_ctaid_y()
            : d == 2 ? __nvvm_read_ptx_sreg_ctaid_z()
                     : 0) +
           (d < 3 ? __ww_launch_part[d] : 0);
}

__ww size_t get_num_groups(uint d)
{
    return d < 3 ? __ww_launch_part[d + 3] : 1;
}

__ww size_t get_global_size(uint d)
{
    return d < 3 ? __ww_launch_part[d + 6] : 1;
}

__ww size_t get_enqueued_local_size(uint d)
{
    return d < 3 ? __ww_launch_part[d + 9] : 1;
}

#else

__ww size_t get_num_groups(uint d)
{
    return d == 0   ? __nvvm_read_ptx_sreg_nctaid_x()
           : d == 1 ? __nvvm_read_ptx_sreg_nctaid_y()
           : d == 2 ? __nvvm_read_ptx_sreg_nctaid_z()
                    : 1;
}

__ww size_t get_global_size(uint d)
{
    return get_num_groups(d) * get_local_size(d);
}

__ww size_t get_enqueued_local_size(uint d)
{
    return get_local_size(d);
}

#endif

__ww uint get_work_dim(void)
{
    return __ww_launch_state[0];
}

#ifdef __WW_GLOBAL_OFFSET
__ww size_t get_global_offset(uint d)
{
    return d < 3 ? __ww_launch_state[d + 1] : 0;
}
__ww size_t get_global_id(uint d)
{
    return get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d) + get_global_offset(d);
}
#else
__ww size_t get_global_offset(uint d)
{
    return 0;
}
#endif

__ww size_t get_local_linear_id(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
           get_local_id(0);
}

__ww size_t get_global_linear_id(void)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

__ww int work_group_all(int predicate)
{
    return __nvvm_bar0_and(predicate);
}

__ww int work_group_any(int predicate)
{
    return __nvvm_bar0_or(predicate);
}

/* ---- generic pointers: those to private memory here; both are generic addresses ---- */

#define SPACE_TEST(space)                                                                     \
    static __attribute__((always_inline)) bool __ww_is_##space(const void *p)                 \
    {                                                                                         \
        int is;                                                                               \
        __asm__("{\n.reg .pred p;\nisspacep." #space " p, %1;\nselp.s32 %0, 1, 0, p;\n}"     \
                : "=r"(is) : "l"(p));                                                         \
        return is;                                                                            \
    }
SPACE_TEST(global)
SPACE_TEST(shared)
SPACE_TEST(local)

__ww cl_mem_fence_flags get_fence(const void *p)
{
    return __ww_is_shared(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
__ww cl_mem_fence_flags get_fence(void *p)
{
    return get_fence((const void *)p);
}

/* The compiler's names of to_global, to_local and to_private. */
__attribute__((always_inline)) __global void *__to_global(void *p)
{
    return __ww_is_global(p) ? (__global void *)(size_t)p : 0;
}
__attribute__((always_inline)) __local void *__to_local(void *p)
{
    size_t address;
    __asm__("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(p));
    return __ww_is_shared(p) ? (__local void *)address : 0;
}
__attribute__((always_inline)) void *__to_private(void *p)
{
    return __ww_is_local(p) ? p : 0;
}

/* ---- native_*: the hardware's approximations; libclc's stop the compiler ---- */

#define NATIVE1(name, expression)                  \
    __ww float name(float x) { return expression; } \
    LIFT1(name, float, float)
#define NATIVE2(name, expression)                           \
    __ww float name(float x, float y) { return expression; } \
    LIFT2(name, float, float)

NATIVE1(native_exp, __nvvm_ex2_approx_f(x * 0x1.715476p+0f))
NATIVE1(native_exp2, __nvvm_ex2_approx_f(x))
NATIVE1(native_exp10, __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f))
NATIVE1(native_log, __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f)
NATIVE1(native_log2, __nvvm_lg2_approx_f(x))
NATIVE1(native_log10, __nvvm_lg2_approx_f(x) * 0x1.344136p-2f)
NATIVE1(native_sin, __nvvm_sin_approx_f(x))
NATIVE1(native_cos, __nvvm_cos_approx_f(x))
NATIVE1(native_tan, __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)))
NATIVE1(native_recip, __nvvm_div_approx_f(1.0f, x))
NATIVE1(native_rsqrt, __nvvm_rsqrt_approx_f(x))
NATIVE1(native_sqrt, __nvvm_sqrt_approx_f(x))
NATIVE2(native_divide, __nvvm_div_approx_f(x, y))
NATIVE2(native_powr, __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)))

/* ---- saturated conversions to 64 bits: libclc's give the least number for a NaN, not 0 ---- */

/* The instruction saturates: "cvt.rzi.s64.f32"; `c` is the register class of its operand. */
#define SATURATED(r, t, mode, instruction, c)                                              \
    __ww r convert_##r##_sat##mode(t x)                                                    \
    {                                                                                      \
        r y;                                                                               \
        __asm__(instruction " %0, %1;" : "=l"(y) : c(x));                                  \
        return x != x ? 0 : y;                                                             \
    }                                                                                      \
    __ww r##2 convert_##r##2_sat##mode(t##2 v)                                             \
    {                                                                                      \
        return (r##2)(convert_##r##_sat##mode(v.x), convert_##r##_sat##mode(v.y));         \
    }                                                                                      \
    __ww r##3 convert_##r##3_sat##mode(t##3 v)                                             \
    {                                                                                      \
        return (r##3)(convert_##r##2_sat##mode(v.xy), convert_##r##_sat##mode(v.z));       \
    }                                                                                      \
    SATURATED_HALVES(r, t, mode, 4, 2)                                                     \
    SATURATED_HALVES(r, t, mode, 8, 4)                                                     \
    SATURATED_HALVES(r, t, mode, 16, 8)
#define SATURATED_HALVES(r, t, mode, n, half_n)                                            \
    __ww r##n convert_##r##n##_sat##mode(t##n v)                                           \
    {                                                                                      \
        return (r##n)(convert_##r##half_n##_sat##mode(v.lo),                               \
                      convert_##r##half_n##_sat##mode(v.hi));                              \
    }
#define SATURATED_ROUNDINGS(r, t, types, c)                                                \
    SATURATED(r, t, , "cvt.rzi." types, c)                                                 \
    SATURATED(r, t, _rtz, "cvt.rzi." types, c)                                             \
    SATURATED(r, t, _rte, "cvt.rni." types, c)                                             \
    SATURATED(r, t, _rtp, "cvt.rpi." types, c)                                             \
    SATURATED(r, t, _rtn, "cvt.rmi." types, c)

SATURATED_ROUNDINGS(long, float, "s64.f32", "f")
SATURATED_ROUNDINGS(ulong, float, "u64.f32", "f")
SATURATED_ROUNDINGS(long, double, "s64.f64", "d")
SATURATED_ROUNDINGS(ulong, double, "u64.f64", "d")

/* ---- integers ---- */

#define MAD_HI(t) \
    __ww t mad_hi(t a, t b, t c) { return mul_hi(a, b) + c; }
INTEGERS(MAD_HI)

/* libclc's are wrong when the second operand is the least number. */
__ww int sub_sat(int a, int b)
{
    return convert_int_sat((long)a - (long)b);
}
LIFT2(sub_sat, int, int)

__ww long sub_sat(long a, long b)
{
    long wrapped = (long)((ulong)a - (ulong)b);
    long limit = a < 0 ? LONG_MIN : LONG_MAX;
    return ((a ^ b) & (a ^ wrapped)) < 0 ? limit : wrapped;
}
LIFT2(sub_sat, long, long)

/* libclc's is wrong for many operands. The exact result has 128 bits: high and low. */
__ww long mad_sat(long a, long b, long c)
{
    ulong product = (ulong)a * (ulong)b;
    ulong low = product + (ulong)c;
    long high = mul_hi(a, b) + (c >> 63) + (long)(low < product);
    return high == (long)low >> 63 ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
__ww long2 mad_sat(long2 a, long2 b, long2 c)
{
    return (long2)(mad_sat(a.x, b.x, c.x), mad_sat(a.y, b.y, c.y));
}
__ww long3 mad_sat(long3 a, long3 b, long3 c)
{
    return (long3)(mad_sat(a.xy, b.xy, c.xy), mad_sat(a.z, b.z, c.z));
}
#define MAD_SAT_HALVES(t) \
    __ww t mad_sat(t a, t b, t c) { return (t)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi)); }
MAD_SAT_HALVES(long4)
MAD_SAT_HALVES(long8)
MAD_SAT_HALVES(long16)

/* libclc 14's stops newer compilers. */
__ww ulong abs_diff(long a, long b)
{
    return a < b ? (ulong)b - (ulong)a : (ulong)a - (ulong)b;
}
__ww ulong abs_diff(ulong a, ulong b)
{
    return a < b ? b - a : a - b;
}
LIFT2(abs_diff, long, ulong)
LIFT2(abs_diff, ulong, ulong)

/* Trailing zeros; the width of the type for 0. */
#define CTZ(t) \
    __ww t ctz(t x) { return popcount((t)(~x & (x - (t)1))); }
INTEGERS(CTZ)

/* ---- quiet NaNs: libclc's double of code 0 is infinite ---- */

__ww double nan(ulong code)
{
    return as_double(code | 0x7ff8000000000000ul);
}
LIFT1(nan, ulong, double)

/* ---- smoothstep with scalar edges ---- */

#define SMOOTHSTEP(t)                                      \
    __ww t smoothstep(double low, double high, t x)        \
    {                                                      \
        t s = clamp((x - low) / (high - low), (t)0, (t)1); \
        return s * s * ((t)3 - (t)2 * s);                  \
    }
VECTORS(SMOOTHSTEP, double)

/* ---- group copies and prefetch of three-element vectors. The whole group copies at the call; the
 * wait is a barrier (libclc). prefetch is a hint and does nothing. ---- */

#define COPY(t, to, from, d_step, s_step)                                                       \
    __ww event_t async_work_group_strided_copy(to t *d, const from t *s, size_t count,          \
                                               size_t stride, event_t event)                    \
    {                                                                                           \
        size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2);                \
        for (size_t i = get_local_linear_id(); i < count; i += step)                            \
            d[i * (d_step)] = s[i * (s_step)];                                                  \
        return event;                                                                           \
    }                                                                                           \
    __ww event_t async_work_group_copy(to t *d, const from t *s, size_t count, event_t event)   \
    {                                                                                           \
        return async_work_group_strided_copy(d, s, count, 1, event);                            \
    }
#define COPIES(t)                                \
    COPY(t, __local, __global, 1, stride)        \
    COPY(t, __global, __local, stride, 1)        \
    __ww void prefetch(const __global t *p, size_t count) {}
COPIES(char3)
COPIES(uchar3)
COPIES(short3)
COPIES(ushort3)
COPIES(int3)
COPIES(uint3)
COPIES(long3)
COPIES(ulong3)
COPIES(float3)
COPIES(double3)

/* ---- 64-bit atomics ---- */

#define ATOM_OP(t, space, name, expression) \
    __ww t atom_##name(volatile space t *p, t v) { return expression; }
#define ATOM(t, space)                                                             \
    ATOM_OP(t, space, add, __sync_fetch_and_add(p, v))                             \
    ATOM_OP(t, space, sub, __sync_fetch_and_sub(p, v))                             \
    ATOM_OP(t, space, and, __sync_fetch_and_and(p, v))                             \
    ATOM_OP(t, space, or, __sync_fetch_and_or(p, v))                               \
    ATOM_OP(t, space, xor, __sync_fetch_and_xor(p, v))                             \
    ATOM_OP(t, space, xchg, __sync_swap(p, v))                                     \
    ATOM_OP(t, space, min, __atomic_fetch_min(p, v, __ATOMIC_RELAXED))             \
    ATOM_OP(t, space, max, __atomic_fetch_max(p, v, __ATOMIC_RELAXED))             \
    __ww t atom_inc(volatile space t *p) { return __sync_fetch_and_add(p, (t)1); } \
    __ww t atom_dec(volatile space t *p) { return __sync_fetch_and_sub(p, (t)1); } \
    __ww t atom_cmpxchg(volatile space t *p, t expected, t v)                      \
    {                                                                              \
        return __sync_val_compare_and_swap(p, expected, v);                        \
    }
ATOM(long, __global)
ATOM(long, __local)
ATOM(ulong, __global)
ATOM(ulong, __local)

/* ---- 16 bytes that need not be aligned ----
 * The compiler makes one load of four words of a <16 x i8>, whatever its alignment is. */

#define LOAD_16(type, space)                                                             \
    __attribute__((overloadable, pure)) type##8 vload8(size_t, const space type *);      \
    __ww type##16 vload16(size_t i, const space type *p)                                 \
    {                                                                                    \
        return (type##16)(vload8(2 * i, p), vload8(2 * i + 1, p));                       \
    }
#define STORE_16(type, space)                                                            \
    __attribute__((overloadable)) void vstore8(type##8, size_t, space type *);           \
    __ww void vstore16(type##16 x, size_t i, space type *p)                              \
    {                                                                                    \
        vstore8(x.lo, 2 * i, p);                                                         \
        vstore8(x.hi, 2 * i + 1, p);                                                     \
    }
#define ACCESS_16(type)                                                                  \
    LOAD_16(type, __global) LOAD_16(type, __local) LOAD_16(type, __private)              \
    LOAD_16(type, __constant) STORE_16(type, __global) STORE_16(type, __local)           \
    STORE_16(type, __private)
ACCESS_16(char)
ACCESS_16(uchar)

#include "builtins_math.cl"

#include "builtins_half.cl"

#include "builtins_subgroup.cl"

#include "builtins_group.cl"

#include "builtins_dot.cl"
