/* cvt to integers. From an integer: the low bits, or with .sat the nearest value in range. From a
 * real: rounded to an integer, then the nearest value in range; NaN gives 0, or the top bit alone
 * when the source is f64 or the result has 64 bits (PTX ISA 9.0, cvt). */
#include "exec/lanes/half.h"
#include "exec/lanes/integral.h"

#define LEAST_U8 0
#define LEAST_S8 INT8_MIN
#define LEAST_U16 0
#define LEAST_S16 INT16_MIN
#define LEAST_U32 0
#define LEAST_S32 INT32_MIN
#define LEAST_U64 0
#define LEAST_S64 INT64_MIN
#define MOST_U8 UINT8_MAX
#define MOST_S8 INT8_MAX
#define MOST_U16 UINT16_MAX
#define MOST_S16 INT16_MAX
#define MOST_U32 UINT32_MAX
#define MOST_S32 INT32_MAX
#define MOST_U64 UINT64_MAX
#define MOST_S64 INT64_MAX

static inline uint64_t clamp_unsigned(uint64_t x, uint64_t most)
{
    return x > most ? most : x;
}

static inline uint64_t clamp_signed(int64_t x, int64_t least, uint64_t most)
{
    return x < least ? (uint64_t)least : x > 0 && (uint64_t)x > most ? most : (uint64_t)x;
}

#define CLAMP_FROM_UNSIGNED(x, t) clamp_unsigned(x, (uint64_t)MOST_##t)
#define CLAMP_FROM_SIGNED(x, t) clamp_signed(x, LEAST_##t, (uint64_t)MOST_##t)

/* A real, rounded to zero; the plain conversion only sees what fits. */
#define DEFINE_FROM_REAL(bits, real)                                                   \
    static inline int32_t s32_from##bits(real v)                                       \
    {                                                                                  \
        const bool fits = v >= (real)-0x1p31 && v < (real)0x1p31;                      \
        const int32_t inside = (int32_t)(fits ? v : 0);                                \
        return v >= (real)0x1p31 ? INT32_MAX : v < (real)-0x1p31 ? INT32_MIN : inside; \
    }                                                                                  \
    static inline uint32_t u32_from##bits(real v)                                      \
    {                                                                                  \
        const bool fits = v > 0 && v < (real)0x1p32;                                   \
        const uint32_t inside = (uint32_t)(fits ? v : 0);                              \
        return v >= (real)0x1p32 ? UINT32_MAX : inside;                                \
    }                                                                                  \
    static inline int64_t s64_from##bits(real v)                                       \
    {                                                                                  \
        const bool fits = v >= (real)-0x1p63 && v < (real)0x1p63;                      \
        const int64_t inside = (int64_t)(fits ? v : 0);                                \
        return v >= (real)0x1p63 ? INT64_MAX : v < (real)-0x1p63 ? INT64_MIN : inside; \
    }                                                                                  \
    static inline uint64_t u64_from##bits(real v)                                      \
    {                                                                                  \
        const bool fits = v > 0 && v < (real)0x1p64;                                   \
        const uint64_t inside = (uint64_t)(fits ? v : 0);                              \
        return v >= (real)0x1p64 ? UINT64_MAX : inside;                                \
    }
DEFINE_FROM_REAL(32, float)
DEFINE_FROM_REAL(64, double)

/* Rounding before the conversion, which itself rounds to zero. */
#define BEFORE32_RNI(v) INTEGRAL32_RNI(v)
#define BEFORE32_RZI(v) (v)
#define BEFORE32_RMI(v) INTEGRAL32_RMI(v)
#define BEFORE32_RPI(v) INTEGRAL32_RPI(v)
#define BEFORE64_RNI(v) INTEGRAL64_RNI(v)
#define BEFORE64_RZI(v) (v)
#define BEFORE64_RMI(v) INTEGRAL64_RMI(v)
#define BEFORE64_RPI(v) INTEGRAL64_RPI(v)

static inline int32_t limited(int32_t v, int32_t least, int32_t most)
{
    return v < least ? least : v > most ? most : v;
}

#define TO_U8(bits, v) limited(s32_from##bits(v), 0, UINT8_MAX)
#define TO_S8(bits, v) limited(s32_from##bits(v), INT8_MIN, INT8_MAX)
#define TO_U16(bits, v) limited(s32_from##bits(v), 0, UINT16_MAX)
#define TO_S16(bits, v) limited(s32_from##bits(v), INT16_MIN, INT16_MAX)
#define TO_U32(bits, v) u32_from##bits(v)
#define TO_S32(bits, v) s32_from##bits(v)
#define TO_U64(bits, v) u64_from##bits(v)
#define TO_S64(bits, v) s64_from##bits(v)

/* The top bit, and what a NaN of a source type gives. */
#define TOP_U8 0x80
#define TOP_S8 INT8_MIN
#define TOP_U16 0x8000
#define TOP_S16 INT16_MIN
#define TOP_U32 0x80000000u
#define TOP_S32 INT32_MIN
#define TOP_U64 0x8000000000000000u
#define TOP_S64 INT64_MIN
#define NARROW_NAN_U8 0
#define NARROW_NAN_S8 0
#define NARROW_NAN_U16 0
#define NARROW_NAN_S16 0
#define NARROW_NAN_U32 0
#define NARROW_NAN_S32 0
#define NARROW_NAN_U64 TOP_U64
#define NARROW_NAN_S64 TOP_S64
#define NAN_OF_F16(t) NARROW_NAN_##t
#define NAN_OF_BF16(t) NARROW_NAN_##t
#define NAN_OF_F32(t) NARROW_NAN_##t
#define NAN_OF_F64(t) TOP_##t

#define FAMILY convert_integer
#include "exec/lanes/define_operators.h"
