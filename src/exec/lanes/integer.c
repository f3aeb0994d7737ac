/* Integer arithmetic. Wraps around as PTX does; see lane.h for division by zero. */
#include "exec/lanes/lanes.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

static inline int32_t clamp_s32(int64_t v)
{
    return (int32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

static inline uint64_t high_u64(uint64_t x, uint64_t y)
{
    return (uint64_t)((wide_unsigned)x * y >> 64);
}

static inline uint64_t high_s64(int64_t x, int64_t y)
{
    return (uint64_t)((wide_signed)x * y >> 64);
}

#define HIGH_U32(x, y) ((uint32_t)((uint64_t)(x) * (y) >> 32))
#define HIGH_S32(x, y) ((int32_t)((int64_t)(x) * (y) >> 32))

/* A quotient of 32-bit integers by way of double is exact: the nearest double of a quotient that is
 * not an integer is at least 2^-32 away from the next one. */
static inline uint32_t divide_u32(uint32_t x, uint32_t y)
{
    const double quotient = (double)x / (double)(y ? y : 1);
    return y ? (uint32_t)(int64_t)quotient : UINT32_MAX;
}

static inline uint32_t divide_s32(int32_t x, int32_t y)
{
    const double quotient = (double)x / (double)(y ? y : 1);
    const int32_t truncated = (int32_t)(quotient < 2147483648.0 ? quotient : -2147483648.0);
    return y ? (uint32_t)truncated : UINT32_MAX;
}

static inline uint32_t remainder_u32(uint32_t x, uint32_t y)
{
    return y ? x - divide_u32(x, y) * y : x;
}

static inline uint32_t remainder_s32(int32_t x, int32_t y)
{
    return y ? (uint32_t)x - divide_s32(x, y) * (uint32_t)y : (uint32_t)x;
}

static inline uint64_t divide_u64(uint64_t x, uint64_t y)
{
    return y ? x / y : UINT64_MAX;
}

static inline uint64_t remainder_u64(uint64_t x, uint64_t y)
{
    return y ? x % y : x;
}

static inline uint64_t divide_s64(int64_t x, int64_t y)
{
    return y == 0 ? UINT64_MAX : y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t remainder_s64(int64_t x, int64_t y)
{
    return y == 0 ? (uint64_t)x : y == -1 ? 0 : (uint64_t)(x % y);
}

/* The low 24 bits of a source, as mul24 reads them. */
#define LOW24_U32(v) ((uint64_t)((v)&0xffffffu))
#define LOW24_S32(v) ((int64_t)((int32_t)((uint32_t)(v) << 8) >> 8))
#define PRODUCT24(t) ((uint64_t)(LOW24_##t(x) * LOW24_##t(y)))
#define LOW24_PRODUCT(t) ((uint32_t)PRODUCT24(t))
#define HIGH24_PRODUCT(t) ((uint32_t)(PRODUCT24(t) >> 16))

/* Byte n (0 to 3) or 16-bit half n of a dot product's source, extended. */
#define BYTE_U32(v, n) ((uint32_t)(uint8_t)((v) >> 8 * (n)))
#define BYTE_S32(v, n) ((uint32_t)(int32_t)(int8_t)((v) >> 8 * (n)))
#define HALF_U32(v, n) ((uint32_t)(uint16_t)((v) >> 16 * (n)))
#define HALF_S32(v, n) ((uint32_t)(int32_t)(int16_t)((v) >> 16 * (n)))
#define DOT4(ta, tb)                                                             \
    (z + BYTE_##ta(x, 0) * BYTE_##tb(y, 0) + BYTE_##ta(x, 1) * BYTE_##tb(y, 1) + \
     BYTE_##ta(x, 2) * BYTE_##tb(y, 2) + BYTE_##ta(x, 3) * BYTE_##tb(y, 3))
#define DOT2(ta, tb, first) \
    (z + HALF_##ta(x, 0) * BYTE_##tb(y, first) + HALF_##ta(x, 1) * BYTE_##tb(y, first + 1))

#define DISTANCE(x, y) ((x) < (y) ? (uint64_t)(y) - (uint64_t)(x) : (uint64_t)(x) - (uint64_t)(y))
#define PART_DISTANCE(part, n) ((uint32_t)DISTANCE(part(x, n), part(y, n)))
#define BYTE_DISTANCE(n) PART_DISTANCE(BYTE_U32, n)
#define HALF_DISTANCE(n) PART_DISTANCE(HALF_U32, n)
#define LESSER(x, y) ((x) < (y) ? (x) : (y))
#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define NOT_NEGATIVE(v) ((v) < 0 ? 0 : (v))

#define FAMILY integer
#include "exec/lanes/define_operators.h"
