/* Reductions and scans of whole sub-groups, and of clusters of four. */
#include "values.clh"

#define SCAN(name, bits)                              \
    *o++ = bits(sub_group_reduce_##name(x));          \
    *o++ = bits(sub_group_scan_inclusive_##name(x));  \
    *o++ = bits(sub_group_scan_exclusive_##name(x));
#define BODY(T, value, factor, bits)                            \
    T x = (T)value(in[get_global_id(0)]);                       \
    T y = (T)factor(in[get_global_id(0)]);                      \
    SCAN(add, bits) SCAN(min, bits) SCAN(max, bits)             \
    *o++ = bits(sub_group_clustered_reduce_add(x, 4));          \
    *o++ = bits(sub_group_clustered_reduce_min(x, 4));          \
    *o++ = bits(sub_group_clustered_reduce_max(x, 4));          \
    *o++ = bits(sub_group_clustered_reduce_mul(y, 4));
#define HEAD(T)                                                     \
    kernel void reduce_##T(global const int *in, global long *out)  \
    {                                                               \
        global long *o = out + get_global_id(0) * 16;
#define REAL(T, value, factor, bits) HEAD(T) BODY(T, value, factor, bits) }
#define WHOLE(T, value, factor, bits)                    \
    HEAD(T) BODY(T, value, factor, bits)                 \
    *o++ = bits(sub_group_clustered_reduce_and(x, 4));   \
    *o++ = bits(sub_group_clustered_reduce_or(x, 4));    \
    *o++ = bits(sub_group_clustered_reduce_xor(x, 4));   \
    }
WHOLE_TYPES(WHOLE)
REAL_TYPES(REAL)
