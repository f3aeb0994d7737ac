/* The sum of `n` values, one partial sum for each work-group. A group takes two of its own widths at
 * a time and goes on a whole grid further; `local_sums` has a place for each work-item of a group,
 * whose number is a power of two. */
__kernel void reduce(__global const float *values, __global float *sums,
                     __local float *local_sums, uint n)
{
    uint item = get_local_id(0);
    uint width = get_local_size(0);
    uint grid = 2 * width * get_num_groups(0);
    local_sums[item] = 0;
    for (uint i = 2 * width * get_group_id(0) + item; i < n; i += grid) {
        local_sums[item] += values[i];
        if (i + width < n)
            local_sums[item] += values[i + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = width / 2; apart > 0; apart /= 2) {
        if (item < apart)
            local_sums[item] += local_sums[item + apart];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        sums[get_group_id(0)] = local_sums[0];
}
