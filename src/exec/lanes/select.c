/* selp: by a lane mask; slct: by the sign of a third source. */
#include "exec/lanes/real.h"

#define DEFINE_SELECT(name, T)                                                      \
    OPERATOR(name)                                                                  \
    {                                                                               \
        ROW_##T *d = ALIGNED_ROW(dp);                                               \
        const ROW_##T *a = ALIGNED_ROW(ap), *b = ALIGNED_ROW(bp);                   \
        const uint64_t mask = *(const uint64_t *)cp;                                \
        for (unsigned k = 0; k < blocks; k++, d += LANES, a += LANES, b += LANES) { \
            const ROW_##T part = (ROW_##T)(mask >> k * LANES & 0xffffu);            \
            EACH_IN_BLOCK                                                           \
            {                                                                       \
                const VAL_##T x = LOAD_##T(a[i]), y = LOAD_##T(b[i]);               \
                d[i] = STORE_##T(part & LANE_BIT(ROW_##T)[i] ? x : y);              \
            }                                                                       \
        }                                                                           \
    }

#define FAMILY select
#include "exec/lanes/define_operators.h"
