#include "support/reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GROUP = 100, RESULTS = 12 };

/* Shapes of the launches: items, and the item whose value is broadcast. */
static const struct {
    unsigned items, source;
} shapes[] = {{300, 37}, {300, 37}, {600, 1 + 5 * (3 + 5 * 3)}};

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* add, min, max of the values before an item. */
#define FOLD(name, type, least, most, bits)                                     \
    static void fold_##name(const int32_t *in, unsigned count, int64_t *result) \
    {                                                                           \
        type sum = 0, low = most, high = least;                                 \
        for (unsigned i = 0; i < count; i++) {                                  \
            type x = (type)(in[i] % 100);                                       \
            sum = (type)(sum + x);                                              \
            low = x < low ? x : low;                                            \
            high = x > high ? x : high;                                         \
        }                                                                       \
        result[0] = bits(sum);                                                  \
        result[1] = bits(low);                                                  \
        result[2] = bits(high);                                                 \
        result[3] = count ? bits((type)(in[count - 1] % 100)) : 0;              \
    }
FOLD(int, int32_t, INT32_MIN, INT32_MAX, (int64_t))
FOLD(uint, uint32_t, 0, UINT32_MAX, (int64_t))
FOLD(long, int64_t, INT64_MIN, INT64_MAX, (int64_t))
FOLD(ulong, uint64_t, 0, UINT64_MAX, (int64_t))
FOLD(half, float, -INFINITY, INFINITY, bits_of)
FOLD(float, float, -INFINITY, INFINITY, bits_of)
FOLD(double, double, -INFINITY, INFINITY, bits_of)

typedef void fold_fn(const int32_t *in, unsigned count, int64_t *result);

static void group_item(const int32_t *in, unsigned local, unsigned source, fold_fn *fold,
                       int64_t *want)
{
    int64_t all[4], with[4], before[4], value[4];
    bool every = true, some = false;
    fold(in, GROUP, all);
    fold(in, local + 1, with);
    fold(in, local, before);
    fold(in, source + 1, value);
    for (unsigned k = 0; k < 3; k++) {
        *want++ = all[k];
        *want++ = with[k];
        *want++ = before[k];
    }
    for (unsigned i = 0; i < GROUP; i++) {
        every = every && in[i] % 100 > -99;
        some = some || in[i] % 100 > 98;
    }
    *want++ = value[3];
    *want++ = every + 2 * some;
    *want++ = 1;
}

static void group_type(reference *r, const char *name, unsigned shape, fold_fn *fold)
{
    const int32_t *in = reference_input(r, "in");
    int64_t *want = reference_wanted(r, name);
    for (unsigned i = 0; i < shapes[shape].items; i++)
        group_item(in + i / GROUP * GROUP, i % GROUP, shapes[shape].source, fold,
                   want + (size_t)i * RESULTS);
}

REFERENCE(group_functions)
{
    group_type(r, "int", 0, fold_int);
    group_type(r, "uint", 1, fold_uint);
    group_type(r, "long", 2, fold_long);
    group_type(r, "ulong", 0, fold_ulong);
    group_type(r, "half", 1, fold_half);
    group_type(r, "float", 2, fold_float);
    group_type(r, "double", 0, fold_double);
}
