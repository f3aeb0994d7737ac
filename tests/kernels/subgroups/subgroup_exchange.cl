/* Values of other work-items of a sub-group; a value of one that does not take part is the own. */
#include "values.clh"

#define KERNEL(T, value, factor, bits)                                                  \
    kernel void exchange_##T(global const int *in, global long *out)                    \
    {                                                                                   \
        int seed = in[get_global_id(0)];                                                \
        uint lane = get_sub_group_local_id();                                           \
        T x = (T)value(seed);                                                           \
        global long *o = out + get_global_id(0) * 20;                                   \
        o[0] = bits(sub_group_broadcast(x, 3));                                         \
        o[1] = bits(sub_group_broadcast((T##3)(x, (T)1, x), 1).z);                      \
        o[2] = bits(sub_group_broadcast((T##16)(x), get_sub_group_size() - 1).sf);      \
        o[3] = bits(sub_group_shuffle(x, (lane * 5 + (uint)seed) % get_sub_group_size())); \
        o[4] = bits(sub_group_shuffle_xor(x, 5));                                       \
        o[5] = bits(sub_group_shuffle_up(x, 3));                                        \
        o[6] = bits(sub_group_shuffle_down(x, 2));                                      \
        o[7] = bits(sub_group_rotate(x, 5));                                            \
        o[8] = bits(sub_group_rotate(x, -3));                                           \
        o[9] = bits(sub_group_clustered_rotate(x, 1, 4));                               \
        o[10] = bits(sub_group_clustered_rotate(x, -1, 4));                             \
        o[11] = sub_group_non_uniform_all_equal(x);                                     \
        o[12] = sub_group_non_uniform_all_equal((T)(get_sub_group_id() + 1));           \
        if ((seed & 6) == 0)                                                            \
            return;                                                                     \
        o[13] = bits(sub_group_broadcast_first(x));                                     \
        o[14] = bits(sub_group_non_uniform_broadcast(x, 2));                            \
        o[15] = bits(sub_group_non_uniform_broadcast((T##8)(x), 4).s6);                 \
        o[16] = bits(sub_group_shuffle(x, (lane * 5 + (uint)seed) % get_sub_group_size())); \
        o[17] = bits(sub_group_shuffle_xor(x, 1));                                      \
        o[18] = bits(sub_group_rotate(x, 1));                                           \
        o[19] = sub_group_non_uniform_all_equal(x);                                     \
    }
WHOLE_TYPES(KERNEL)
REAL_TYPES(KERNEL)
