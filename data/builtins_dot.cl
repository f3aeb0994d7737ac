/* Dot products of four bytes (cl_khr_integer_dot_product): part of builtins.cl. */

/* `r` the result, `a` and `b` the vectors, `types` of the instruction, `how` as names say it. */
#define DOT(r, a, b, types, how)                                                             \
    __own r __ww_dot_##how(uint x, uint y, r sum)                                            \
    {                                                                                        \
        __asm__("dp4a." types " %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(y));              \
        return sum;                                                                          \
    }                                                                                        \
    __ww r dot_4x8packed_##how##_##r(uint x, uint y) { return __ww_dot_##how(x, y, (r)0); }  \
    __ww r dot_acc_sat_4x8packed_##how##_##r(uint x, uint y, r sum)                          \
    {                                                                                        \
        return add_sat(__ww_dot_##how(x, y, (r)0), sum);                                     \
    }                                                                                        \
    __ww r dot(a x, b y) { return __ww_dot_##how(as_uint(x), as_uint(y), (r)0); }            \
    __ww r dot_acc_sat(a x, b y, r sum)                                                      \
    {                                                                                        \
        return dot_acc_sat_4x8packed_##how##_##r(as_uint(x), as_uint(y), sum);               \
    }
DOT(uint, uchar4, uchar4, "u32.u32", uu)
DOT(int, char4, char4, "s32.s32", ss)
DOT(int, uchar4, char4, "u32.s32", us)
DOT(int, char4, uchar4, "s32.u32", su)
