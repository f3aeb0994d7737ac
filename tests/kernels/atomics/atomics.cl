/* Atomics whose sum does not depend on the order: a histogram in local memory first, then in global
 * memory, under divergence; all operations that commute; and a ticket that each work-item gets. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

kernel void atomics(global const uint *in, global uint *histogram, global int *extremes,
                    global uint *bits, global ulong *wide, global uint *tickets,
                    global uint *taken, local uint *bins)
{
    size_t i = get_global_id(0), l = get_local_id(0);
    uint v = in[i];
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 0; n < v % 3 + 1; n++)
        if (v >> (4 * n) & 8)
            atomic_inc(&bins[v >> (4 * n) & 15]);
        else
            atomic_add(&bins[v >> (4 * n) & 15], n + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&histogram[l], bins[l]);

    atomic_min(&extremes[v & 1], (int)v);
    atomic_max(&extremes[2 + (v & 1)], (int)v);
    if (v & 2)
        atomic_xor(&bits[0], v);
    else
        atomic_or(&bits[1], 1u << (v % 32));
    atomic_and(&bits[2], ~(1u << (v % 31)));
    atom_add(&wide[v % 3], (ulong)v << 20);
    if (v % 5 == 2)
        atom_sub(&wide[3], (ulong)v);
    uint ticket = atomic_inc(tickets);
    atomic_add(&taken[ticket], 1);
    atomic_add(&tickets[1], ticket);
}
