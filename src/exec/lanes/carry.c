/* Extended-precision arithmetic: add.cc, addc, sub.cc, subc, mad.cc, madc. The carry mask is CC.CF
 * of every lane; for subtractions it holds the borrow (1: a borrow happened). */
#include "exec/lanes/lanes.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

#define PRODUCT_LO_U32 (x * y)
#define PRODUCT_HI_U32 ((uint32_t)((uint64_t)x * y >> 32))
#define PRODUCT_HI_S32 ((uint32_t)((uint64_t)((int64_t)(int32_t)x * (int32_t)y) >> 32))
#define PRODUCT_LO_U64 (x * y)
#define PRODUCT_HI_U64 ((uint64_t)((wide_unsigned)x * y >> 64))
#define PRODUCT_HI_S64 ((uint64_t)((wide_signed)(int64_t)x * (int64_t)y >> 64))

/* The carry out of p + q + in = r, and the borrow out of p - q - in. */
#define ADD_RESULT(p, q, in) ((p) + (q) + (in))
#define ADD_CARRY(p, q, in, r) ((r) < (p) || ((in) && (r) == (p)))
#define SUB_RESULT(p, q, in) ((p) - (q) - (in))
#define SUB_CARRY(p, q, in, r) ((p) < (q) || ((in) && (p) == (q)))

/* d = p OP q (OP is ADD or SUB) where p and q are expressions over the lane values x, y, z of type
 * T; with_in: the carry mask takes part; with_out: it is written. */
#define DEFINE_CARRY(name, T, OP, p, q, with_in, with_out)                                      \
    OPERATOR(name)                                                                              \
    {                                                                                           \
        ROW_##T *d = ALIGNED_ROW(dp);                                                           \
        const ROW_##T *a = ALIGNED_ROW(ap), *b = ALIGNED_ROW(bp);                               \
        const ROW_##T *c = cp ? ALIGNED_ROW(cp) : a;                                            \
        uint64_t out = 0;                                                                       \
        for (unsigned k = 0; k < blocks; k++, d += LANES, a += LANES, b += LANES, c += LANES) { \
            const ROW_##T carries = with_in ? (ROW_##T)(*extra >> k * LANES & 0xffffu) : 0;     \
            FLAG_OF(ROW_##T) flag[LANES] __attribute__((aligned(64)));                          \
            EACH_IN_BLOCK                                                                       \
            {                                                                                   \
                const ROW_##T in = (carries & LANE_BIT(ROW_##T)[i]) != 0;                       \
                NOT_USED const ROW_##T x = a[i], y = b[i], z = c[i];                            \
                const ROW_##T left = p, right = q, result = OP##_RESULT(left, right, in);       \
                flag[i] = OP##_CARRY(left, right, in, result) ? -1 : 0;                         \
                d[i] = result;                                                                  \
            }                                                                                   \
            out |= with_out ? MASK_OF(ROW_##T)(flag) << k * LANES : 0;                          \
        }                                                                                       \
        if (with_out)                                                                           \
            *extra = out;                                                                       \
    }

#define FAMILY carry
#include "exec/lanes/define_operators.h"
