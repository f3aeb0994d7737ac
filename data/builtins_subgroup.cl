/* Sub-groups: part of builtins.cl. A sub-group is a warp, whatever its width; the instructions
 * *.subgroup.* are of our own (docs/ptx.md). All functions work on the active work-items, so that
 * the uniform and the non-uniform forms are the same. */

#define WHOLE(X, ...)                                                                            \
    X(char, __VA_ARGS__) X(uchar, __VA_ARGS__) X(short, __VA_ARGS__) X(ushort, __VA_ARGS__)      \
    X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define SCALARS(X, ...) \
    WHOLE(X, __VA_ARGS__) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)

/* ---- the instructions ---- */

#define __own static __attribute__((overloadable, always_inline))

#define SUBGROUP_REGISTER(name)                                \
    __own uint __ww_##name(void)                               \
    {                                                          \
        uint value;                                            \
        __asm__("mov.u32 %0, %%subgroup_" #name ";" : "=r"(value)); \
        return value;                                          \
    }
SUBGROUP_REGISTER(lane)
SUBGROUP_REGISTER(id)
SUBGROUP_REGISTER(size)
SUBGROUP_REGISTER(count)
SUBGROUP_REGISTER(width)

/* `where` is a lane (idx), a distance (up, down) or a mask (bfly). */
#define MOVE_WORDS(kind)                                                     \
    __own uint __ww_##kind(uint x, uint where)                               \
    {                                                                        \
        uint value;                                                          \
        __asm__ volatile("shfl.subgroup." #kind ".b32 %0, %1, %2;"           \
                         : "=r"(value) : "r"(x), "r"(where));                \
        return value;                                                        \
    }                                                                        \
    __own ulong __ww_##kind(ulong x, uint where)                             \
    {                                                                        \
        uint2 words = as_uint2(x);                                           \
        return as_ulong((uint2)(__ww_##kind(words.x, where), __ww_##kind(words.y, where))); \
    }
#define MOVE_AS(t, kind, bits, wide)                                         \
    __own t __ww_##kind(t x, uint where)                                     \
    {                                                                        \
        return as_##t((bits)__ww_##kind((wide)as_##bits(x), where));         \
    }
#define MOVE(kind)                                                           \
    MOVE_WORDS(kind)                                                         \
    MOVE_AS(char, kind, uchar, uint) MOVE_AS(uchar, kind, uchar, uint)       \
    MOVE_AS(short, kind, ushort, uint) MOVE_AS(ushort, kind, ushort, uint)   \
    MOVE_AS(half, kind, ushort, uint) MOVE_AS(int, kind, uint, uint)         \
    MOVE_AS(float, kind, uint, uint) MOVE_AS(long, kind, ulong, ulong)       \
    MOVE_AS(double, kind, ulong, ulong)
MOVE(idx)
MOVE(up)
MOVE(down)
MOVE(bfly)

__own ulong __ww_active(void)
{
    ulong lanes;
    __asm__ volatile("vote.subgroup.ballot.b64 %0, 1;" : "=l"(lanes));
    return lanes;
}

__own ulong __ww_ballot(int predicate)
{
    ulong lanes;
    __asm__ volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %1, 0;\nvote.subgroup.ballot.b64 %0, p;\n}"
                     : "=l"(lanes) : "r"(predicate));
    return lanes;
}

#define VOTE(kind)                                                                        \
    __own int __ww_##kind(int predicate)                                                  \
    {                                                                                     \
        int verdict;                                                                      \
        __asm__ volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %1, 0;\n"                      \
                         "vote.subgroup." #kind ".pred p, p;\nselp.s32 %0, 1, 0, p;\n}"   \
                         : "=r"(verdict) : "r"(predicate));                               \
        return verdict;                                                                   \
    }
VOTE(all)
VOTE(any)

__own uint __ww_first(ulong lanes)
{
    return (uint)__builtin_ctzl(lanes);
}

/* Whether the lanes are 0 to some n - 1: all of a warp, or of one that is not full. */
__own bool __ww_are_first(ulong lanes)
{
    return (lanes & (lanes + 1)) == 0;
}

/* ---- sizes, barriers, votes ---- */

__ww uint get_sub_group_size(void) { return __ww_size(); }
__ww uint get_max_sub_group_size(void) { return __ww_width(); }
__ww uint get_num_sub_groups(void) { return __ww_count(); }
__ww uint get_sub_group_id(void) { return __ww_id(); }
__ww uint get_sub_group_local_id(void) { return __ww_lane(); }
__ww uint get_enqueued_num_sub_groups(void)
{
    size_t items =
        get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    return (uint)(items + __ww_width() - 1) / __ww_width();
}

/* OpenCL C 1.2, which this is compiled as, has no scopes; the name is a part of the function's. */
typedef enum memory_scope { __ww_some_scope } memory_scope;
__ww void sub_group_barrier(cl_mem_fence_flags flags)
{
    __asm__ volatile("bar.subgroup.sync;" ::: "memory");
}
__ww void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    sub_group_barrier(flags);
}

__ww int sub_group_all(int predicate) { return __ww_all(predicate); }
__ww int sub_group_any(int predicate) { return __ww_any(predicate); }
__ww int sub_group_non_uniform_all(int predicate) { return __ww_all(predicate); }
__ww int sub_group_non_uniform_any(int predicate) { return __ww_any(predicate); }
__ww int sub_group_elect(void) { return __ww_lane() == __ww_first(__ww_active()); }

#define ALL_EQUAL(t, unused)                                        \
    __ww int sub_group_non_uniform_all_equal(t x)                   \
    {                                                               \
        return __ww_all(__ww_idx(x, __ww_first(__ww_active())) == x); \
    }
SCALARS(ALL_EQUAL, )

/* ---- one value for others ---- */

#define EXCHANGE(t, unused)                                                                  \
    __ww t sub_group_broadcast(t x, uint lane) { return __ww_idx(x, lane); }                 \
    __ww t sub_group_non_uniform_broadcast(t x, uint lane) { return __ww_idx(x, lane); }     \
    __ww t sub_group_broadcast_first(t x) { return __ww_idx(x, __ww_first(__ww_active())); } \
    __ww t sub_group_shuffle(t x, uint lane) { return __ww_idx(x, lane); }                   \
    __ww t sub_group_shuffle_xor(t x, uint mask) { return __ww_bfly(x, mask); }              \
    __ww t sub_group_shuffle_up(t x, uint distance) { return __ww_up(x, distance); }         \
    __ww t sub_group_shuffle_down(t x, uint distance) { return __ww_down(x, distance); }     \
    __ww t sub_group_rotate(t x, int distance)                                               \
    {                                                                                        \
        int width = (int)__ww_width(), lane = ((int)__ww_lane() + distance) % width;         \
        return __ww_idx(x, (uint)(lane < 0 ? lane + width : lane));                          \
    }                                                                                        \
    __ww t sub_group_clustered_rotate(t x, int distance, uint cluster)                       \
    {                                                                                        \
        uint lane = __ww_lane(), inside = cluster - 1;                                       \
        return __ww_idx(x, (lane & ~inside) | ((lane + (uint)distance) & inside));           \
    }
SCALARS(EXCHANGE, )

/* Vectors, two halves at a time. */
#define BROADCASTS(name, t)                                                                       \
    __ww t##2 name(t##2 v, uint l) { return (t##2)(name(v.x, l), name(v.y, l)); }                 \
    __ww t##3 name(t##3 v, uint l) { return (t##3)(name(v.xy, l), name(v.z, l)); }                \
    __ww t##4 name(t##4 v, uint l) { return (t##4)(name(v.lo, l), name(v.hi, l)); }               \
    __ww t##8 name(t##8 v, uint l) { return (t##8)(name(v.lo, l), name(v.hi, l)); }               \
    __ww t##16 name(t##16 v, uint l) { return (t##16)(name(v.lo, l), name(v.hi, l)); }
#define BROADCAST_VECTORS(t, unused)       \
    BROADCASTS(sub_group_broadcast, t)     \
    BROADCASTS(sub_group_non_uniform_broadcast, t)
SCALARS(BROADCAST_VECTORS, )

/* ---- ballots: bits of lanes that do not exist do not count ---- */

__own uint4 __ww_bits(ulong lanes)
{
    return (uint4)((uint)lanes, (uint)(lanes >> 32), 0, 0);
}

__own ulong __ww_lanes_below(uint count)
{
    return count < 64 ? (1ul << count) - 1 : ~0ul;
}

__own ulong __ww_lanes_of(uint4 bits)
{
    return as_ulong(bits.xy) & __ww_lanes_below(__ww_width());
}

__ww uint4 sub_group_ballot(int predicate) { return __ww_bits(__ww_ballot(predicate)); }
__ww int sub_group_inverse_ballot(uint4 bits)
{
    return (int)(__ww_lanes_of(bits) >> __ww_lane() & 1);
}
__ww int sub_group_ballot_bit_extract(uint4 bits, uint lane)
{
    return lane < 64 ? (int)(__ww_lanes_of(bits) >> lane & 1) : 0;
}
__ww uint sub_group_ballot_bit_count(uint4 bits)
{
    return (uint)__builtin_popcountl(__ww_lanes_of(bits));
}
__ww uint sub_group_ballot_inclusive_scan(uint4 bits)
{
    return (uint)__builtin_popcountl(__ww_lanes_of(bits) & __ww_lanes_below(__ww_lane() + 1));
}
__ww uint sub_group_ballot_exclusive_scan(uint4 bits)
{
    return (uint)__builtin_popcountl(__ww_lanes_of(bits) & __ww_lanes_below(__ww_lane()));
}
__ww uint sub_group_ballot_find_lsb(uint4 bits) { return __ww_first(__ww_lanes_of(bits)); }
__ww uint sub_group_ballot_find_msb(uint4 bits)
{
    return 63 - (uint)__builtin_clzl(__ww_lanes_of(bits));
}
__ww uint4 get_sub_group_eq_mask(void) { return __ww_bits(1ul << __ww_lane()); }
__ww uint4 get_sub_group_ge_mask(void)
{
    return __ww_bits(__ww_lanes_below(__ww_width()) & ~__ww_lanes_below(__ww_lane()));
}
__ww uint4 get_sub_group_gt_mask(void)
{
    return __ww_bits(__ww_lanes_below(__ww_width()) & ~__ww_lanes_below(__ww_lane() + 1));
}
__ww uint4 get_sub_group_le_mask(void) { return __ww_bits(__ww_lanes_below(__ww_lane() + 1)); }
__ww uint4 get_sub_group_lt_mask(void) { return __ww_bits(__ww_lanes_below(__ww_lane())); }

/* ---- reductions and scans: a tree of shuffles over the lanes of a warp, or a loop over the lanes
 * that are active when others between them are not ---- */

#define OP_add(a, b) ((a) + (b))
#define OP_mul(a, b) ((a) * (b))
#define OP_and(a, b) ((a) & (b))
#define OP_or(a, b) ((a) | (b))
#define OP_xor(a, b) ((a) ^ (b))
#define OP_min(a, b) ((b) < (a) ? (b) : (a))
#define OP_max(a, b) ((a) < (b) ? (b) : (a))
#define OP_fmin(a, b) fmin(a, b)
#define OP_fmax(a, b) fmax(a, b)
#define OP_logical_and(a, b) ((a) & (b))
#define OP_logical_or(a, b) ((a) | (b))
#define OP_logical_xor(a, b) ((a) ^ (b))

__also double fmin(double, double);
__also double fmax(double, double);

/* `name` of the functions, `op` of the operation, what does not change a value, and how a value is
 * normalised. */
#define COMBINE_AS(t, name, op, neutral, normal)                                              \
    __own t __ww_combine_##name(t a, t b) { return (t)OP_##op(a, b); }                        \
    __own t __ww_neutral_##name(t unused) { return (t)(neutral); }                            \
    __own t __ww_reduce_##name(t x)                                                           \
    {                                                                                         \
        ulong lanes = __ww_active();                                                          \
        if (__ww_are_first(lanes)) {                                                          \
            uint lane = __ww_lane(), count = (uint)__builtin_popcountl(lanes);                \
            for (uint step = 1; step < count; step *= 2) {                                    \
                t other = __ww_down(x, step);                                                 \
                x = lane + step < count ? __ww_combine_##name(x, other) : x;                  \
            }                                                                                 \
            return __ww_idx(x, 0u);                                                           \
        }                                                                                     \
        t all = __ww_idx(x, __ww_first(lanes));                                               \
        for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)                                   \
            all = __ww_combine_##name(all, __ww_idx(x, __ww_first(lanes)));                   \
        return all;                                                                           \
    }                                                                                         \
    __own t __ww_scan_##name(t x, bool with_own)                                              \
    {                                                                                         \
        ulong lanes = __ww_active();                                                          \
        uint lane = __ww_lane();                                                              \
        t before = (t)(neutral);                                                              \
        if (__ww_are_first(lanes)) {                                                          \
            uint count = (uint)__builtin_popcountl(lanes);                                    \
            for (uint step = 1; step < count; step *= 2) {                                    \
                t other = __ww_up(x, step);                                                   \
                x = lane >= step ? __ww_combine_##name(other, x) : x;                         \
            }                                                                                 \
            t left = with_own ? x : __ww_up(x, 1u);                                           \
            return with_own || lane > 0 ? left : before;                                      \
        }                                                                                     \
        for (; lanes; lanes &= lanes - 1) {                                                   \
            uint source = __ww_first(lanes);                                                  \
            t other = __ww_combine_##name(before, __ww_idx(x, source));                       \
            before = source < lane || (with_own && source == lane) ? other : before;          \
        }                                                                                     \
        return before;                                                                        \
    }                                                                                         \
    __own t __ww_cluster_##name(t x, uint cluster)                                            \
    {                                                                                         \
        ulong lanes = __ww_active();                                                          \
        uint lane = __ww_lane(), count = (uint)__builtin_popcountl(lanes);                    \
        if (__ww_are_first(lanes) && (count & (cluster - 1)) == 0) {                          \
            for (uint step = 1; step < cluster; step *= 2)                                    \
                x = __ww_combine_##name(x, __ww_bfly(x, step));                               \
            return x;                                                                         \
        }                                                                                     \
        t all = (t)(neutral);                                                                 \
        for (; lanes; lanes &= lanes - 1) {                                                   \
            uint source = __ww_first(lanes);                                                  \
            t other = __ww_combine_##name(all, __ww_idx(x, source));                          \
            all = (source ^ lane) < cluster ? other : all;                                    \
        }                                                                                     \
        return all;                                                                           \
    }                                                                                         \
    __ww t sub_group_non_uniform_reduce_##name(t x) { return __ww_reduce_##name(normal x); }  \
    __ww t sub_group_non_uniform_scan_inclusive_##name(t x)                                   \
    {                                                                                         \
        return __ww_scan_##name(normal x, true);                                              \
    }                                                                                         \
    __ww t sub_group_non_uniform_scan_exclusive_##name(t x)                                   \
    {                                                                                         \
        return __ww_scan_##name(normal x, false);                                             \
    }                                                                                         \
    __ww t sub_group_clustered_reduce_##name(t x, uint cluster)                               \
    {                                                                                         \
        return __ww_cluster_##name(normal x, cluster);                                        \
    }
#define COMBINE(t, name, op, neutral) COMBINE_AS(t, name, op, neutral, )
#define COMBINE_ALL(t, name, op, neutral)                                                     \
    COMBINE(t, name, op, neutral)                                                             \
    __ww t sub_group_reduce_##name(t x) { return __ww_reduce_##name(x); }                     \
    __ww t sub_group_scan_inclusive_##name(t x) { return __ww_scan_##name(x, true); }         \
    __ww t sub_group_scan_exclusive_##name(t x) { return __ww_scan_##name(x, false); }

#define COMBINE_WHOLE(t, least, most)                                                         \
    COMBINE_ALL(t, add, add, 0) COMBINE_ALL(t, min, min, most) COMBINE_ALL(t, max, max, least) \
    COMBINE(t, mul, mul, 1) COMBINE(t, and, and, ~(t)0) COMBINE(t, or, or, 0)                 \
    COMBINE(t, xor, xor, 0)
#define COMBINE_REAL(t)                                                                       \
    COMBINE_ALL(t, add, add, 0) COMBINE_ALL(t, min, fmin, INFINITY)                           \
    COMBINE_ALL(t, max, fmax, -INFINITY) COMBINE(t, mul, mul, 1)
COMBINE_WHOLE(char, CHAR_MIN, CHAR_MAX)
COMBINE_WHOLE(uchar, 0, UCHAR_MAX)
COMBINE_WHOLE(short, SHRT_MIN, SHRT_MAX)
COMBINE_WHOLE(ushort, 0, USHRT_MAX)
COMBINE_WHOLE(int, INT_MIN, INT_MAX)
COMBINE_WHOLE(uint, 0, UINT_MAX)
COMBINE_WHOLE(long, LONG_MIN, LONG_MAX)
COMBINE_WHOLE(ulong, 0, ULONG_MAX)
COMBINE_REAL(half)
COMBINE_REAL(float)
COMBINE_REAL(double)
COMBINE_AS(int, logical_and, logical_and, 1, !!)
COMBINE_AS(int, logical_or, logical_or, 0, !!)
COMBINE_AS(int, logical_xor, logical_xor, 0, !!)
