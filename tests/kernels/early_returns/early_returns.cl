/* Work-items that end before, between and after barriers; those that have ended count as arrived. */
kernel void early_returns(global const uint *in, global uint *out, local uint *shared)
{
    size_t l = get_local_id(0), i = get_global_id(0), n = get_local_size(0);
    uint v = in[i];
    shared[l] = v;
    if (l % 7 == 6) {
        out[i] = 1;
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint left = shared[(l + n - 1) % n];
    if (v % 5 == 0) {
        out[i] = left;
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] = left + v;
    if (get_group_id(0) == 1 && l > 20)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < 3; step++) {
        uint other = shared[(l * 3 + step) % n];
        if (other % 3 == step && step < 2) {
            out[i] = other ^ step;
            return;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = shared[n - 1 - l];
}

/* The store before the return is one that compilers merge with the last. */
kernel void return_with_store(global uint *out, local uint *shared)
{
    size_t l = get_local_id(0), i = get_global_id(0);
    shared[l] = (uint)i;
    if (l % 8 > 4) {
        out[i] = 7;
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[get_local_size(0) - 1 - l];
}

/* The guard that most kernels start with. */
kernel void guarded(global uint *out, uint count, local uint *shared)
{
    size_t l = get_local_id(0), i = get_global_id(0);
    if (i >= count)
        return;
    shared[l] = (uint)i * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[l & ~1ul];
}
