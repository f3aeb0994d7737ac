/* Logic, shifts and bit fields. */
#include "exec/lanes/lanes.h"

/* All ones where a condition holds: selects without a branch that would stop the vectoriser. */
#define ONES_IF32(condition) (0 - (uint32_t)(condition))
#define ONES_IF64(condition) (0 - (uint64_t)(condition))

/* Shifts; amounts of the width or more give 0, or copies of the sign. 16-bit values shift as 32-bit
 * ones. */
#define SHIFT_LEFT16(x, n) ((x) << ((n)&15) & ONES_IF32((n) < 16))
#define SHIFT_LEFT32(x, n) ((x) << ((n)&31) & ONES_IF32((n) < 32))
#define SHIFT_LEFT64(x, n) ((x) << ((n)&63) & ONES_IF64((n) < 64))
#define SHIFT_RIGHT16(x, n) ((x) >> ((n)&15) & ONES_IF32((n) < 16))
#define SHIFT_RIGHT32(x, n) ((x) >> ((n)&31) & ONES_IF32((n) < 32))
#define SHIFT_RIGHT64(x, n) ((x) >> ((n)&63) & ONES_IF64((n) < 64))
#define SHIFT_SIGNED(x, n, width) ((x) >> ((n) < (width) ? (n) : (width)-1))

/* Both directions of a funnel shift of the pair y:x by n, 0 to 32. */
static inline uint32_t funnel_left(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)(((uint64_t)y << 32 | x) << n >> 32);
}

static inline uint32_t funnel_right(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)(((uint64_t)y << 32 | x) >> n);
}

static inline uint32_t at_most_32(uint32_t n)
{
    return n < 32 ? n : 32;
}

static inline uint32_t population32(uint32_t v)
{
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return v * 0x01010101u >> 24;
}

static inline uint32_t population64(uint64_t v)
{
    return population32((uint32_t)v) + population32((uint32_t)(v >> 32));
}

/* Copies the highest one into all lower bits. */
static inline uint32_t smear32(uint32_t v)
{
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    return v | v >> 16;
}

static inline uint64_t smear64(uint64_t v)
{
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return v | v >> 32;
}

/* bfind: the position of the highest one (of a signed source: of the highest bit unlike the sign);
 * all ones when there is none. `top`: the shift amount that brings it to the top instead. */
static inline uint32_t find32(uint32_t v, bool top)
{
    const uint32_t position = population32(smear32(v)) - 1;
    return v == 0 ? UINT32_MAX : top ? 31 - position : position;
}

static inline uint32_t find64(uint64_t v, bool top)
{
    const uint32_t position = population64(smear64(v)) - 1;
    return v == 0 ? UINT32_MAX : top ? 63 - position : position;
}

#define WITHOUT_SIGN(x, bits) ((uint##bits##_t)((x) ^ ((x) >> ((bits)-1))))

static inline uint32_t reverse32(uint32_t v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}

static inline uint64_t reverse64(uint64_t v)
{
    return (uint64_t)reverse32((uint32_t)v) << 32 | reverse32((uint32_t)(v >> 32));
}

/* The position of the n-th one of mask (n > 0) from base upwards, downwards for n < 0; n == 0 asks
 * for the bit at base itself. All ones when there is none. */
static inline uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (base > 31)
        return UINT32_MAX;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    const int step = n > 0 ? 1 : -1;
    uint32_t left = n > 0 ? (uint32_t)n : 0 - (uint32_t)n;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}

/* Ones in the low n bits. */
#define LOW_ONES32(n) (SHIFT_LEFT32((uint32_t)1, n) - 1)
#define LOW_ONES64(n) (SHIFT_LEFT64((uint64_t)1, n) - 1)

/* bfe and bfi: pos and len are bytes. A signed field ends with copies of the source's sign where it
 * reaches beyond it, and is then extended from its own last bit; one of length 0 is 0. */
#define DEFINE_FIELDS(bits)                                                                       \
    static inline uint##bits##_t extract_u##bits(uint##bits##_t x, uint32_t pos, uint32_t len)    \
    {                                                                                             \
        return SHIFT_RIGHT##bits(x, pos & 255) & LOW_ONES##bits(len & 255);                       \
    }                                                                                             \
    static inline uint##bits##_t extract_s##bits(uint##bits##_t x, uint32_t pos, uint32_t len)    \
    {                                                                                             \
        const uint32_t most = bits - 1, start = pos & 255, length = len & 255;                    \
        const int##bits##_t field = (int##bits##_t)x >> (start < most ? start : most);            \
        const uint32_t spare = (bits - (length < bits ? length : bits)) & most;                   \
        const int##bits##_t extended = (int##bits##_t)((uint##bits##_t)field << spare) >> spare;  \
        return (uint##bits##_t)extended & ONES_IF##bits(length != 0);                             \
    }                                                                                             \
    static inline uint##bits##_t insert_b##bits(uint##bits##_t x, uint##bits##_t y, uint32_t pos, \
                                                uint32_t len)                                     \
    {                                                                                             \
        const uint##bits##_t ones = LOW_ONES##bits(len & 255);                                    \
        const uint##bits##_t field = SHIFT_LEFT##bits(ones, pos & 255);                           \
        return (y & ~field) | (SHIFT_LEFT##bits(x, pos & 255) & field);                           \
    }
DEFINE_FIELDS(32)
DEFINE_FIELDS(64)

/* bmsk: n ones from bit pos up. */
static inline uint32_t bit_mask_clamp(uint32_t pos, uint32_t n)
{
    return SHIFT_LEFT32(LOW_ONES32(n), pos);
}

static inline uint32_t bit_mask_wrap(uint32_t pos, uint32_t n)
{
    return LOW_ONES32(n & 31) << (pos & 31);
}

/* szext: the low n bits of x, extended to 32. */
static inline uint32_t zero_extend(uint32_t x, uint32_t n)
{
    return x & LOW_ONES32(n);
}

static inline uint32_t sign_extend(uint32_t x, uint32_t n)
{
    return extract_s32(x, 0, n < 32 ? n : 32);
}

/* prmt: bytes of the pair y:x picked by a selector of four nibbles; the top bit of a nibble asks
 * for eight copies of the byte's sign. */
static inline uint32_t pick_byte(uint64_t pair, uint32_t nibble)
{
    const uint32_t byte = (uint32_t)(pair >> 8 * (nibble & 7)) & 0xff;
    const uint32_t sign = byte & 0x80 ? 0xff : 0;
    return nibble & 8 ? sign : byte;
}

static inline uint32_t permute(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint64_t pair = (uint64_t)y << 32 | x;
    return pick_byte(pair, selector) | pick_byte(pair, selector >> 4) << 8 |
           pick_byte(pair, selector >> 8) << 16 | pick_byte(pair, selector >> 12) << 24;
}

/* A selector of four nibbles for the modes whose selector is one number n from 0 to 3. */
#define FORWARD_4(n) (0x3210u + 0x1111u * (n))
#define BACKWARD_4(n) ((0x5670u + 0x1111u * (n)) & 0x7777u)
#define REPLICATE_8(n) (0x1111u * (n))
#define CLAMP_LEFT(n) (3u << 12 | ((n) > 2 ? (n) : 2u) << 8 | ((n) > 1 ? (n) : 1u) << 4 | (n))
#define CLAMP_RIGHT(n) ((n) << 12 | ((n) < 2 ? (n) : 2u) << 8 | ((n) < 1 ? (n) : 1u) << 4)
#define REPLICATE_16(n) (0x1010u + 0x2222u * ((n)&1))

/* lop3: the table's eight bits, spread to all or no ones, muxed by z, then y, then x. */
#define MUX(zero, one, choice) ((zero) ^ (((zero) ^ (one)) & (choice)))
OPERATOR(lop3_operator)
{
    uint32_t *d = ALIGNED_ROW(dp);
    const uint32_t *a = ALIGNED_ROW(ap), *b = ALIGNED_ROW(bp), *c = ALIGNED_ROW(cp);
    uint32_t t[8];
    for (int i = 0; i < 8; i++)
        t[i] = 0 - (uint32_t)(*extra >> i & 1);
    EACH_LANE
    {
        const uint32_t x = a[i], y = b[i], z = c[i];
        const uint32_t low = MUX(MUX(t[0], t[1], z), MUX(t[2], t[3], z), y);
        const uint32_t high = MUX(MUX(t[4], t[5], z), MUX(t[6], t[7], z), y);
        d[i] = MUX(low, high, x);
    }
}

/* bfi: x into y at pos (row c) for len bits (the row that extra points to). */
#define DEFINE_INSERT(name, T, insert)                                                   \
    OPERATOR(name)                                                                       \
    {                                                                                    \
        ROW_##T *d = ALIGNED_ROW(dp);                                                    \
        const ROW_##T *a = ALIGNED_ROW(ap), *b = ALIGNED_ROW(bp);                        \
        const uint32_t *c = ALIGNED_ROW(cp), *e = (const uint32_t *)(const void *)extra; \
        EACH_LANE d[i] = insert(a[i], b[i], c[i], e[i]);                                 \
    }

#define DEFINE_NAMED(name, existing) /* the operator above is written out */

#define FAMILY bits
#include "exec/lanes/define_operators.h"
