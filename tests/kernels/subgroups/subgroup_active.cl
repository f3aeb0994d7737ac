/* Reductions and scans of the active work-items of a sub-group. */
#include "values.clh"

#define FOUR(name, x, bits)                                       \
    *o++ = bits(sub_group_non_uniform_reduce_##name(x));          \
    *o++ = bits(sub_group_non_uniform_scan_inclusive_##name(x));  \
    *o++ = bits(sub_group_non_uniform_scan_exclusive_##name(x));  \
    *o++ = bits(sub_group_clustered_reduce_##name(x, 4));
#define BODY(T, value, factor, bits)                         \
    T x = (T)value(in[get_global_id(0)]);                    \
    T y = (T)factor(in[get_global_id(0)]);                   \
    FOUR(add, x, bits) FOUR(min, x, bits) FOUR(max, x, bits) FOUR(mul, y, bits)
#define HEAD(T)                                                     \
    kernel void active_##T(global const int *in, global long *out)  \
    {                                                               \
        global long *o = out + get_global_id(0) * 28;               \
        if ((in[get_global_id(0)] & 6) == 0)                        \
            return;
#define REAL(T, value, factor, bits) HEAD(T) BODY(T, value, factor, bits) }
#define WHOLE(T, value, factor, bits)    \
    HEAD(T) BODY(T, value, factor, bits) \
    FOUR(and, x, bits) FOUR(or, x, bits) FOUR(xor, x, bits) }
WHOLE_TYPES(WHOLE)
REAL_TYPES(REAL)
