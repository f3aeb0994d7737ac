/* Atomics whose final value does not depend on the order: sums, extremes, bits, wrapping counters,
 * a histogram, and a compare-and-swap loop. */
kernel void atomics_counters(global const uint *in, global uint *histogram, global uint *words,
                             global long *wide)
{
    local uint inside;
    uint v = in[get_global_id(0)];
    if (get_local_id(0) == 0)
        inside = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&histogram[v % 61]);
    atomic_add(&words[0], v);
    atomic_sub(&words[1], v >> 4);
    atomic_min(&words[2], v);
    atomic_max(&words[3], v);
    atomic_or(&words[4], v & 0x0f0f0f0f);
    atomic_and(&words[5], v | 0xfffff000);
    atomic_xor(&words[6], v);
    atomic_max((volatile global int *)&words[7], (int)v);
    if (v & 1)
        atomic_add(&inside, v & 255);
    uint seen = words[8], wanted;
    do {
        wanted = seen;
        seen = atomic_cmpxchg(&words[8], wanted, wanted + (v & 7));
    } while (seen != wanted);
    atom_add(&wide[0], (long)v << 20);
    atom_max(&wide[1], (long)(int)v * 1000003);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(&words[9], inside);
}
