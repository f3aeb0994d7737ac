/* values.clh in C, and what functions over the lanes of a sub-group give. */
#ifndef WW_TESTS_SUBGROUPS_VALUES_H
#define WW_TESTS_SUBGROUPS_VALUES_H

#include "support/reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOST_LANES 64

#define WHOLE_VALUE(seed) ((uint64_t)(uint32_t)(seed)*0x9e3779b97f4a7c15ul >> 13)
#define REAL_VALUE(seed) ((int)((uint32_t)(seed) >> 8 & 7) - 3)
#define REAL_FACTOR(seed) (((uint32_t)(seed) >> 8 & 15) == 0 ? 2 : (seed)&64 ? 1 : -1)

/* X(name in OpenCL C, type, least, most). Exact halves are floats here. */
#define WHOLE_TYPES(X)                      \
    X(char, int8_t, INT8_MIN, INT8_MAX)     \
    X(uchar, uint8_t, 0, UINT8_MAX)         \
    X(short, int16_t, INT16_MIN, INT16_MAX) \
    X(ushort, uint16_t, 0, UINT16_MAX)      \
    X(int, int32_t, INT32_MIN, INT32_MAX)   \
    X(uint, uint32_t, 0, UINT32_MAX)        \
    X(long, int64_t, INT64_MIN, INT64_MAX)  \
    X(ulong, uint64_t, 0, UINT64_MAX)
#define REAL_TYPES(X)                    \
    X(half, float, -INFINITY, INFINITY)  \
    X(float, float, -INFINITY, INFINITY) \
    X(double, double, -INFINITY, INFINITY)

static inline int64_t real_bits(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* One item's view of its sub-group. */
typedef struct lanes {
    const int32_t *seeds; /* of the sub-group's items */
    unsigned lane, count;
    unsigned width;  /* of a full sub-group */
    uint64_t active; /* lanes that take part */
} lanes;

static inline uint64_t lanes_below(unsigned lane)
{
    return lane < 64 ? (1ull << lane) - 1 : UINT64_MAX;
}

/* The sub-group of an item in groups of `group` items; lanes whose seed has no bit of `bits` do not
 * take part. */
static inline lanes lanes_of(const int32_t *seeds, size_t item, unsigned group, unsigned width,
                             int32_t bits)
{
    unsigned local = (unsigned)(item % group), first = local / width * width;
    lanes l = {.seeds = seeds + (item - local + first), .lane = local - first, .width = width};
    l.count = group - first < width ? group - first : width;
    for (unsigned i = 0; i < l.count; i++)
        l.active |= (uint64_t)(!bits || l.seeds[i] & bits) << i;
    return l;
}

#endif
