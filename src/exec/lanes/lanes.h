/* How an operator is written: one line of a .def file gives its key, its types and an expression;
 * define_operators.h turns the line into a loop over lanes and a table entry.
 *
 *     OP2(add_u32, K(ADD, U32), U32, U32, U32, x + y)
 *         name     key          d    a    b    value of d for the lane values x, y (and z)
 *
 * value type   what a row element means: U16, S32, F32, ... For each, ROW_t is the element of the
 *              row, VAL_t the C type to compute with, LOAD_t row element to value, STORE_t value to
 *              row element (which wraps, rounds and canonicalises as the type demands). Types of
 *              reals are in real.h.
 * The compiler vectorises the loops: expressions must have no calls and no branches that only some
 * lanes take. Only FMA and mask extraction, which are exact, may depend on the level. */
#ifndef WW_EXEC_LANES_LANES_H
#define WW_EXEC_LANES_LANES_H

#include <stdbool.h>

#include "exec/lanes/table.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define LANES 16 /* in a block */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)
#define NOT_USED __attribute__((unused))

/* The source rows may be the result row itself, but never a shifted view of it: no dependency
 * between different lanes. EACH_LANE is for operators of rows, EACH_IN_BLOCK for those that take or
 * make masks; gcc must not unroll the latter before it vectorises them. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define NOT_UNROLLED
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#define NOT_UNROLLED _Pragma("GCC unroll 1")
#endif
#define EACH_LANE INDEPENDENT for (unsigned i = 0; i < blocks * LANES; i++)
#define EACH_IN_BLOCK INDEPENDENT NOT_UNROLLED for (unsigned i = 0; i < LANES; i++)

#define ALIGNED_ROW(pointer) __builtin_assume_aligned(pointer, 64)

/* Keys. The words are enumerators of isa.h without their prefix. */
#define KEY(op, type, type2, round, compare, variant, flags)                   \
    WW_LANE_KEY(WW_OP_##op, WW_TYPE_##type, WW_TYPE_##type2, WW_ROUND_##round, \
                WW_COMPARE_##compare, WW_VARIANT_##variant, flags)
#define K(op, type) KEY(op, type, NONE, NONE, NONE, NONE, 0)
#define KF(op, type, flags) KEY(op, type, NONE, NONE, NONE, NONE, flags)
#define KV(op, type, variant, flags) KEY(op, type, NONE, NONE, NONE, variant, flags)
#define KR(op, type, round, flags) KEY(op, type, NONE, round, NONE, NONE, flags)
#define KC(type, compare, flags) KEY(SETP, type, NONE, NONE, compare, NONE, flags)
#define KT(op, type, type2, round, flags) KEY(op, type, type2, round, NONE, NONE, flags)

#define FTZ WW_FLAG_FTZ
#define SAT WW_FLAG_SAT

/* Integer value types. */
#define ROW_U8 uint32_t
#define ROW_S8 uint32_t
#define ROW_U16 uint32_t
#define ROW_S16 uint32_t
#define ROW_U32 uint32_t
#define ROW_S32 uint32_t
#define ROW_U64 uint64_t
#define ROW_S64 uint64_t
#define VAL_U8 uint32_t
#define VAL_S8 int32_t
#define VAL_U16 uint32_t
#define VAL_S16 int32_t
#define VAL_U32 uint32_t
#define VAL_S32 int32_t
#define VAL_U64 uint64_t
#define VAL_S64 int64_t
#define LOAD_U8(r) ((uint32_t)(uint8_t)(r))
#define LOAD_S8(r) ((int32_t)(int8_t)(r))
#define LOAD_U16(r) ((uint32_t)(uint16_t)(r))
#define LOAD_S16(r) ((int32_t)(int16_t)(r))
#define LOAD_U32(r) (r)
#define LOAD_S32(r) ((int32_t)(r))
#define LOAD_U64(r) (r)
#define LOAD_S64(r) ((int64_t)(r))
#define STORE_U8(v) ((uint32_t)(uint8_t)(v))
#define STORE_S8(v) ((uint32_t)(int32_t)(int8_t)(v))
#define STORE_U16(v) ((uint32_t)(uint16_t)(v))
#define STORE_S16(v) ((uint32_t)(int32_t)(int16_t)(v))
#define STORE_U32(v) ((uint32_t)(v))
#define STORE_S32(v) ((uint32_t)(v))
#define STORE_U64(v) ((uint64_t)(v))
#define STORE_S64(v) ((uint64_t)(v))

#define OPERATOR(name)                                                                           \
    static void name(void *dp, const void *ap, NOT_USED const void *bp, NOT_USED const void *cp, \
                     unsigned blocks, NOT_USED uint64_t *extra)

#define DEFINE_1(name, TD, TA, expr)            \
    OPERATOR(name)                              \
    {                                           \
        ROW_##TD *d = ALIGNED_ROW(dp);          \
        const ROW_##TA *a = ALIGNED_ROW(ap);    \
        EACH_LANE                               \
        {                                       \
            const VAL_##TA x = LOAD_##TA(a[i]); \
            d[i] = STORE_##TD(expr);            \
        }                                       \
    }

#define DEFINE_2(name, TD, TA, TB, expr)        \
    OPERATOR(name)                              \
    {                                           \
        ROW_##TD *d = ALIGNED_ROW(dp);          \
        const ROW_##TA *a = ALIGNED_ROW(ap);    \
        const ROW_##TB *b = ALIGNED_ROW(bp);    \
        EACH_LANE                               \
        {                                       \
            const VAL_##TA x = LOAD_##TA(a[i]); \
            const VAL_##TB y = LOAD_##TB(b[i]); \
            d[i] = STORE_##TD(expr);            \
        }                                       \
    }

#define DEFINE_3(name, TD, TA, TB, TC, expr)    \
    OPERATOR(name)                              \
    {                                           \
        ROW_##TD *d = ALIGNED_ROW(dp);          \
        const ROW_##TA *a = ALIGNED_ROW(ap);    \
        const ROW_##TB *b = ALIGNED_ROW(bp);    \
        const ROW_##TC *c = ALIGNED_ROW(cp);    \
        EACH_LANE                               \
        {                                       \
            const VAL_##TA x = LOAD_##TA(a[i]); \
            const VAL_##TB y = LOAD_##TB(b[i]); \
            const VAL_##TC z = LOAD_##TC(c[i]); \
            d[i] = STORE_##TD(expr);            \
        }                                       \
    }

/* Packed pairs: the same expression on both 16-bit halves, each of value type T. */
#define PAIR(name, ...) (name##_half(__VA_ARGS__) & 0xffffu)
#define DEFINE_PAIR_1(name, T, expr)               \
    static inline uint32_t name##_half(uint32_t a) \
    {                                              \
        const VAL_##T x = LOAD_##T(a);             \
        return STORE_##T(expr);                    \
    }                                              \
    DEFINE_1(name, U32, U32, PAIR(name, x & 0xffffu) | PAIR(name, x >> 16) << 16)

#define DEFINE_PAIR_2(name, T, expr)                           \
    static inline uint32_t name##_half(uint32_t a, uint32_t b) \
    {                                                          \
        const VAL_##T x = LOAD_##T(a);                         \
        const VAL_##T y = LOAD_##T(b);                         \
        return STORE_##T(expr);                                \
    }                                                          \
    DEFINE_2(name, U32, U32, U32,                              \
             PAIR(name, x & 0xffffu, y & 0xffffu) | PAIR(name, x >> 16, y >> 16) << 16)

#define DEFINE_PAIR_3(name, T, expr)                                       \
    static inline uint32_t name##_half(uint32_t a, uint32_t b, uint32_t c) \
    {                                                                      \
        const VAL_##T x = LOAD_##T(a);                                     \
        const VAL_##T y = LOAD_##T(b);                                     \
        const VAL_##T z = LOAD_##T(c);                                     \
        return STORE_##T(expr);                                            \
    }                                                                      \
    DEFINE_3(name, U32, U32, U32, U32,                                     \
             PAIR(name, x & 0xffffu, y & 0xffffu, z & 0xffffu) |           \
                 PAIR(name, x >> 16, y >> 16, z >> 16) << 16)

/* Lane i's bit in a 16-lane part of a mask, as vectors that exist on every level. */
static const uint32_t lane_bit32[LANES] NOT_USED __attribute__((aligned(64))) = {
    1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15};
static const uint64_t lane_bit64[LANES] NOT_USED __attribute__((aligned(64))) = {
    1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15};

/* The 16 mask bits of flags that are 0 or -1. */
static inline NOT_USED uint64_t mask_of32(const int32_t *flag)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(_mm512_load_si512(flag));
#elif defined(__AVX2__)
    const float *part = (const float *)(const void *)flag;
    const int low = _mm256_movemask_ps(_mm256_load_ps(part));
    const int high = _mm256_movemask_ps(_mm256_load_ps(part + 8));
    return (uint64_t)low | (uint64_t)high << 8;
#elif defined(__SSE2__)
    const float *part = (const float *)(const void *)flag;
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)_mm_movemask_ps(_mm_load_ps(part + 4 * i)) << (4 * i);
    return mask;
#else
    uint64_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint64_t)(flag[i] & 1) << i;
    return mask;
#endif
}

static inline NOT_USED uint64_t mask_of64(const int64_t *flag)
{
#if defined(__AVX512DQ__)
    return (uint64_t)_mm512_movepi64_mask(_mm512_load_si512(flag)) |
           (uint64_t)_mm512_movepi64_mask(_mm512_load_si512(flag + 8)) << 8;
#elif defined(__AVX2__)
    const double *part = (const double *)(const void *)flag;
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)_mm256_movemask_pd(_mm256_load_pd(part + 4 * i)) << (4 * i);
    return mask;
#elif defined(__SSE2__)
    const double *part = (const double *)(const void *)flag;
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (uint64_t)_mm_movemask_pd(_mm_load_pd(part + 2 * i)) << (2 * i);
    return mask;
#else
    uint64_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint64_t)(flag[i] & 1) << i;
    return mask;
#endif
}

/* Flags of one block for value types of one width. */
#define FLAG_uint32_t int32_t
#define FLAG_uint64_t int64_t
#define MASK_OF_uint32_t mask_of32
#define MASK_OF_uint64_t mask_of64
#define LANE_BIT_uint32_t lane_bit32
#define LANE_BIT_uint64_t lane_bit64
#define FLAG_OF(row) PASTE(FLAG_, row)
#define MASK_OF(row) PASTE(MASK_OF_, row)
#define LANE_BIT(row) PASTE(LANE_BIT_, row)

#endif
