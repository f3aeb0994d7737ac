/* Two halfwords or four bytes in a word: CUDA's SIMD intrinsics (__vadd4, __vabsdiffu2, ...). */
#ifndef __WW_MINICUDA_SIMD_H
#define __WW_MINICUDA_SIMD_H

/* The part of `word` that starts at bit `at`, extended by its sign or not. */
template <int bits, bool is_signed> __WW_DEVICE int __ww_part(unsigned word, int at)
{
    return is_signed ? (int)(word << (32 - bits - at)) >> (32 - bits)
                     : (int)(word >> at & ((1u << bits) - 1));
}

/* The results of f for each pair of parts, side by side. */
template <int bits, bool is_signed, typename F>
__WW_DEVICE unsigned __ww_parts(unsigned a, unsigned b, F f)
{
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits) {
        unsigned part = (unsigned)f(__ww_part<bits, is_signed>(a, at), __ww_part<bits, is_signed>(b, at));
        result |= (part & ((1u << bits) - 1)) << at;
    }
    return result;
}

template <int bits, bool is_signed> __WW_DEVICE int __ww_limit(int v)
{
    const int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    const int least = is_signed ? -most - 1 : 0;
    return v < least ? least : v > most ? most : v;
}

#define __WW_SIMD2(name, n, bits, is_signed, expression)                                         \
    __WW_DEVICE unsigned name##n(unsigned a, unsigned b)                                         \
    {                                                                                            \
        return __ww_parts<bits, is_signed>(a, b, [] __device__(int x, int y) {                   \
            return expression;                                                                   \
        });                                                                                      \
    }
#define __WW_SIMD_SATURATED(name, n, bits, is_signed, expression) \
    __WW_SIMD2(name##s, n, bits, is_signed, expression)
#define __WW_SIMD1(name, n, bits, expression)                                                    \
    __WW_DEVICE unsigned name##n(unsigned a)                                                     \
    {                                                                                            \
        return __ww_parts<bits, true>(a, 0, [] __device__(int x, int) { return expression; });   \
    }
#define __WW_SIMD_COMPARE(n, bits, name, is_signed, op)                                          \
    __WW_SIMD2(__vcmp##name, n, bits, is_signed, x op y ? -1 : 0)                                \
    __WW_SIMD2(__vset##name, n, bits, is_signed, x op y ? 1 : 0)
#define __WW_SIMD_SIGN(n, bits, s, is_signed)                                                    \
    __WW_SIMD_SATURATED(__vadd##s, n, bits, is_signed, (__ww_limit<bits, is_signed>(x + y)))  \
    __WW_SIMD_SATURATED(__vsub##s, n, bits, is_signed, (__ww_limit<bits, is_signed>(x - y)))  \
    __WW_SIMD2(__vmax##s, n, bits, is_signed, x > y ? x : y)                                     \
    __WW_SIMD2(__vmin##s, n, bits, is_signed, x < y ? x : y)                                     \
    __WW_SIMD2(__vabsdiff##s, n, bits, is_signed, x < y ? y - x : x - y)                         \
    __WW_SIMD_COMPARE(n, bits, gt##s, is_signed, >)                                              \
    __WW_SIMD_COMPARE(n, bits, ge##s, is_signed, >=)                                             \
    __WW_SIMD_COMPARE(n, bits, lt##s, is_signed, <)                                              \
    __WW_SIMD_COMPARE(n, bits, le##s, is_signed, <=)                                             \
    __WW_DEVICE unsigned __vsad##s##n(unsigned a, unsigned b)                                    \
    {                                                                                            \
        unsigned sum = 0;                                                                        \
        for (int at = 0; at < 32; at += bits)                                                    \
            sum += __usad((unsigned)(__ww_part<bits, is_signed>(a, at) + (1 << 16)),             \
                          (unsigned)(__ww_part<bits, is_signed>(b, at) + (1 << 16)), 0);         \
        return sum;                                                                              \
    }
#define __WW_SIMD(n, bits)                                                                       \
    __WW_SIMD2(__vadd, n, bits, false, x + y)                                                    \
    __WW_SIMD2(__vsub, n, bits, false, x - y)                                                    \
    __WW_SIMD2(__vavgu, n, bits, false, (x + y + 1) >> 1)                                        \
    __WW_SIMD2(__vavgs, n, bits, true, (x + y + (x + y >= 0)) >> 1)                              \
    __WW_SIMD2(__vhaddu, n, bits, false, (x + y) >> 1)                                           \
    __WW_SIMD1(__vabs, n, bits, x < 0 ? -x : x)                                                  \
    __WW_SIMD1(__vabsss, n, bits, (__ww_limit<bits, true>(x < 0 ? -x : x)))                      \
    __WW_SIMD1(__vneg, n, bits, -x)                                                              \
    __WW_SIMD1(__vnegss, n, bits, (__ww_limit<bits, true>(-x)))                                  \
    __WW_SIMD_COMPARE(n, bits, eq, false, ==)                                                    \
    __WW_SIMD_COMPARE(n, bits, ne, false, !=)
__WW_SIMD(2, 16)
__WW_SIMD(4, 8)
__WW_SIMD_SIGN(2, 16, s, true)
__WW_SIMD_SIGN(2, 16, u, false)
__WW_SIMD_SIGN(4, 8, s, true)
__WW_SIMD_SIGN(4, 8, u, false)

#endif
