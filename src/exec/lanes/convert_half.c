/* cvt to f16, bf16 and pairs of them. */
#include "exec/lanes/integral.h"
#include "exec/lanes/narrow.h"

/* Integers beyond +-2^17 are all infinite in f16: limiting them there makes them exact floats. */
static inline float f16_range_unsigned(uint64_t x)
{
    return (float)(int32_t)(x < 0x20000 ? x : 0x20000);
}

static inline float f16_range_signed(int64_t x)
{
    return (float)(int32_t)(x < -0x20000 ? -0x20000 : x < 0x20000 ? x : 0x20000);
}

/* A pair: a into the upper half, b into the lower one. */
#define PACK(bits, cut, rounding) (bits(cut(x), rounding) << 16 | bits(cut(y), rounding))

#define FAMILY convert_half
#include "exec/lanes/define_operators.h"
