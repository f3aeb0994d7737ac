/* Functions of a whole work-group, in groups of 100 items in one to three dimensions. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define AS_LONG(x) ((long)(x))
#define AS_DOUBLE(x) as_long((double)(x))

#define THREE(name, bits)                                \
    *o++ = bits(work_group_reduce_##name(x));            \
    *o++ = bits(work_group_scan_inclusive_##name(x));    \
    *o++ = bits(work_group_scan_exclusive_##name(x));
#define KERNEL(T, bits)                                                                 \
    kernel void group_##T(global const int *in, global long *out)                       \
    {                                                                                   \
        size_t group = get_group_id(0) + get_num_groups(0) * get_group_id(1);           \
        size_t i = group * 100 + get_local_linear_id();                                 \
        global long *o = out + i * 12;                                                  \
        T x = (T)(in[i] % 100);                                                         \
        THREE(add, bits) THREE(min, bits) THREE(max, bits)                              \
        *o++ = bits(get_work_dim() == 1   ? work_group_broadcast(x, 37)                 \
                    : get_work_dim() == 2 ? work_group_broadcast(x, 7, 3)               \
                                          : work_group_broadcast(x, 1, 3, 3));          \
        *o++ = work_group_all(in[i] % 100 > -99) + 2 * work_group_any(in[i] % 100 > 98); \
        *o++ = work_group_all(1) + 2 * work_group_any(0);                               \
    }
KERNEL(int, AS_LONG)
KERNEL(uint, AS_LONG)
KERNEL(long, AS_LONG)
KERNEL(ulong, AS_LONG)
KERNEL(half, AS_DOUBLE)
KERNEL(float, AS_DOUBLE)
KERNEL(double, AS_DOUBLE)
