/* A scan and a reduction of each group in local memory, and what the last work-item sees. */
kernel void scan_reduce(global const uint *in, global uint *scanned, global uint *sums,
                        local uint *part)
{
    uint l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    part[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < n; d *= 2) {
        uint left = l >= d ? part[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[l] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    scanned[i] = part[l];
    if (l + 1 == n)
        sums[get_group_id(0)] = part[l];
}
