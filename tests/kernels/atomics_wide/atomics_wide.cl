/* 64-bit atomics in global and local memory, counters that wrap, and compare-and-swap loops, with
 * all lanes of a warp on one address or on a few. Every result is independent of the order. */
kernel void atomics_wide(global const long *in, global long *sums, global ulong *bits,
                         global uint *turns, global long *mine, local long *scratch, uint n)
{
    size_t i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    if (l < 4)
        scratch[l] = l == 2 ? LONG_MAX : l == 3 ? LONG_MIN : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        long v = in[i];
        atom_add(&sums[0], v);
        atom_sub(&sums[1 + (v & 3)], v >> 3);
        atom_min(&sums[5], v);
        atom_max(&sums[6], v);
        atom_min(&bits[0], (ulong)v);
        atom_max(&bits[1], (ulong)v);
        atom_or(&bits[2], 1ul << (v & 63));
        atom_and(&bits[3], ~(1ul << (v >> 6 & 63)));
        atom_xor(&bits[4], (ulong)v);
        atomic_inc(&turns[0]);
        atomic_add(&turns[1 + (v & 7)], 3u);
        atom_add(&scratch[v & 1], v);
        atom_min(&scratch[2], v);
        atom_max(&scratch[3], v);
        /* The product of odd numbers, modulo 2^64. */
        ulong seen = bits[5], old;
        do {
            old = seen;
            seen = atom_cmpxchg(&bits[5], old, old * ((ulong)v | 1));
        } while (seen != old);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        mine[get_group_id(0) * 4 + l] = scratch[l];
}
