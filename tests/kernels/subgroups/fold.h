/* What the operations of sub-groups give for a set of lanes, by type: fold_TYPE(lanes, members,
 * result) with results in the order add, min, max, mul and, of whole numbers, and, or, xor. */
#ifndef WW_TESTS_SUBGROUPS_FOLD_H
#define WW_TESTS_SUBGROUPS_FOLD_H

#include "values.h"

enum { ADD, MIN, MAX, MUL, AND, OR, XOR, REAL_OPERATIONS = AND, WHOLE_OPERATIONS = 7 };

#define FOLD_WHOLE(name, type, least, most)                                           \
    static inline void fold_##name(const lanes *l, uint64_t members, int64_t *result) \
    {                                                                                 \
        type r[WHOLE_OPERATIONS] = {0, most, least, 1, (type) ~(type)0, 0, 0};        \
        for (unsigned i = 0; i < MOST_LANES; i++) {                                   \
            if (!(members >> i & 1))                                                  \
                continue;                                                             \
            type x = (type)WHOLE_VALUE(l->seeds[i]);                                  \
            r[ADD] = (type)((uint64_t)r[ADD] + (uint64_t)x);                          \
            r[MIN] = x < r[MIN] ? x : r[MIN];                                         \
            r[MAX] = x > r[MAX] ? x : r[MAX];                                         \
            r[MUL] = (type)((uint64_t)r[MUL] * (uint64_t)x);                          \
            r[AND] = (type)(r[AND] & x);                                              \
            r[OR] = (type)(r[OR] | x);                                                \
            r[XOR] = (type)(r[XOR] ^ x);                                              \
        }                                                                             \
        for (unsigned k = 0; k < WHOLE_OPERATIONS; k++)                               \
            result[k] = (int64_t)r[k];                                                \
    }
WHOLE_TYPES(FOLD_WHOLE)

#define FOLD_REAL(name, type, least, most)                                            \
    static inline void fold_##name(const lanes *l, uint64_t members, int64_t *result) \
    {                                                                                 \
        type r[REAL_OPERATIONS] = {0, most, least, 1};                                \
        for (unsigned i = 0; i < MOST_LANES; i++) {                                   \
            if (!(members >> i & 1))                                                  \
                continue;                                                             \
            type x = (type)REAL_VALUE(l->seeds[i]);                                   \
            r[ADD] += x;                                                              \
            r[MIN] = x < r[MIN] ? x : r[MIN];                                         \
            r[MAX] = x > r[MAX] ? x : r[MAX];                                         \
            r[MUL] *= (type)REAL_FACTOR(l->seeds[i]);                                 \
        }                                                                             \
        for (unsigned k = 0; k < REAL_OPERATIONS; k++)                                \
            result[k] = real_bits((double)r[k]);                                      \
    }
REAL_TYPES(FOLD_REAL)

#endif
