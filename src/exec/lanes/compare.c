/* setp (and set, whose compare is the same) and testp: a lane mask from each lane's test. */
#include "exec/lanes/half.h"

#define DEFINE_TEST_1(name, T, test)                                   \
    OPERATOR(name)                                                     \
    {                                                                  \
        const ROW_##T *a = ALIGNED_ROW(ap);                            \
        uint64_t mask = 0;                                             \
        for (unsigned k = 0; k < blocks; k++, a += LANES) {            \
            FLAG_OF(ROW_##T) flag[LANES] __attribute__((aligned(64))); \
            EACH_IN_BLOCK                                              \
            {                                                          \
                const VAL_##T x = LOAD_##T(a[i]);                      \
                flag[i] = (test) ? -1 : 0;                             \
            }                                                          \
            mask |= MASK_OF(ROW_##T)(flag) << k * LANES;               \
        }                                                              \
        *(uint64_t *)dp = mask;                                        \
    }

#define DEFINE_TEST_2(name, T, test)                                    \
    OPERATOR(name)                                                      \
    {                                                                   \
        const ROW_##T *a = ALIGNED_ROW(ap), *b = ALIGNED_ROW(bp);       \
        uint64_t mask = 0;                                              \
        for (unsigned k = 0; k < blocks; k++, a += LANES, b += LANES) { \
            FLAG_OF(ROW_##T) flag[LANES] __attribute__((aligned(64)));  \
            EACH_IN_BLOCK                                               \
            {                                                           \
                const VAL_##T x = LOAD_##T(a[i]), y = LOAD_##T(b[i]);   \
                flag[i] = (test) ? -1 : 0;                              \
            }                                                           \
            mask |= MASK_OF(ROW_##T)(flag) << k * LANES;                \
        }                                                               \
        *(uint64_t *)dp = mask;                                         \
    }

/* Magnitude tests on bit patterns. */
#define MAGNITUDE32 (x & 0x7fffffffu)
#define MAGNITUDE64 (x & 0x7fffffffffffffffu)
#define INFINITE32 0x7f800000u
#define INFINITE64 0x7ff0000000000000u
#define IS_SUBNORMAL32 (MAGNITUDE32 - 1 < 0x007fffffu)
#define IS_SUBNORMAL64 (MAGNITUDE64 - 1 < 0x000fffffffffffffu)

#define FAMILY compare
#include "exec/lanes/define_operators.h"
