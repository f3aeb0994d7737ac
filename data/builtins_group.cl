/* Functions of a whole work-group: part of builtins.cl. Each sub-group reduces its values by
 * shuffles, and the results of sub-groups meet in local memory. */

/* Results of sub-groups that lie in local memory at a time. */
#define PARTS 32u

/* Local memory of a call. A scope of its own lets the compiler copy the call. */
#define GROUP_SCRATCH(t)                                                                     \
    __own __local t *__ww_scratch_of(t unused)                                               \
    {                                                                                        \
        ulong address;                                                                       \
        __asm__ volatile("{\n.shared .align 8 .b8 scratch[256];\nmov.u64 %0, scratch;\n}"    \
                         : "=l"(address));                                                   \
        return (__local t *)address;                                                         \
    }

#define GROUP_BROADCAST(t)                                                     \
    __own t __ww_broadcast(t x, bool is_source)                                \
    {                                                                          \
        __local t *scratch = __ww_scratch_of(x);                               \
        if (is_source)                                                         \
            *scratch = x;                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                          \
        t value = *scratch;                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                          \
        return value;                                                          \
    }                                                                          \
    __ww t work_group_broadcast(t x, size_t i)                                 \
    {                                                                          \
        return __ww_broadcast(x, get_local_id(0) == i);                        \
    }                                                                          \
    __ww t work_group_broadcast(t x, size_t i, size_t j)                       \
    {                                                                          \
        return __ww_broadcast(x, get_local_id(0) == i && get_local_id(1) == j); \
    }                                                                          \
    __ww t work_group_broadcast(t x, size_t i, size_t j, size_t k)             \
    {                                                                          \
        return __ww_broadcast(x, get_local_id(0) == i && get_local_id(1) == j && \
                                     get_local_id(2) == k);                    \
    }

/* The results of all sub-groups, and those of the sub-groups before this one. */
#define GROUP_COMBINE(t, name)                                                                \
    __own t __ww_group_##name(t part, t *before)                                              \
    {                                                                                         \
        __local t *parts = __ww_scratch_of(part);                                             \
        uint id = __ww_id(), count = __ww_count();                                            \
        t all = __ww_neutral_##name(part);                                                    \
        for (uint first = 0; first < count; first += PARTS) {                                 \
            uint here = count - first < PARTS ? count - first : PARTS;                                            \
            if (id - first < here && sub_group_elect())                                       \
                parts[id - first] = part;                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                     \
            for (uint i = 0; i < here; i++) {                                                 \
                if (first + i == id)                                                          \
                    *before = all;                                                            \
                all = __ww_combine_##name(all, parts[i]);                                     \
            }                                                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                     \
        }                                                                                     \
        return all;                                                                           \
    }                                                                                         \
    __ww t work_group_reduce_##name(t x)                                                      \
    {                                                                                         \
        t before;                                                                             \
        return __ww_group_##name(__ww_reduce_##name(x), &before);                             \
    }                                                                                         \
    __own t __ww_group_scan_##name(t x, bool with_own)                                        \
    {                                                                                         \
        t before = __ww_neutral_##name(x), inside = __ww_scan_##name(x, with_own);            \
        __ww_group_##name(__ww_reduce_##name(x), &before);                                    \
        return __ww_combine_##name(before, inside);                                           \
    }                                                                                         \
    __ww t work_group_scan_inclusive_##name(t x) { return __ww_group_scan_##name(x, true); }  \
    __ww t work_group_scan_exclusive_##name(t x) { return __ww_group_scan_##name(x, false); }

#define GROUP(t)                                                                     \
    GROUP_SCRATCH(t) GROUP_BROADCAST(t) GROUP_COMBINE(t, add) GROUP_COMBINE(t, min)  \
    GROUP_COMBINE(t, max)
GROUP(int)
GROUP(uint)
GROUP(long)
GROUP(ulong)
GROUP(half)
GROUP(float)
GROUP(double)
