/* One step of PageRank, a work-group a vertex: its work-items share the edges that come in, and add
 * up in local memory. The group's size is a power of two; value[i] holds the damping. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

__kernel void pagerank(__global const uint *row, __global const uint *column,
                       __global const float *value, __global const float *rank,
                       __global float *next, __local float *part, float base)
{
    uint v = get_group_id(0);
    uint lane = get_local_id(0);
    uint lanes = get_local_size(0);
    uint end = row[v + 1];
    float sum = 0;
    for (uint i = row[v] + lane; i < end; i += lanes)
        sum += value[i] * rank[column[i]];
    part[lane] = sum;
    for (uint reach = lanes / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < reach)
            part[lane] += part[lane + reach];
    }
    if (lane == 0)
        next[v] = base + part[0];
}
