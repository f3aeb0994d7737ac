/* y = A x, A sparse and in rows (CSR). */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

#define LANES 32

/* A row a work-item: neighbouring work-items read a whole row apart. */
__kernel void spmv_scalar(__global const uint *row, __global const uint *column,
                          __global const float *value, __global const float *x,
                          __global float *y, uint rows)
{
    uint r = get_global_id(0);
    if (r < rows) {
        uint end = row[r + 1];
        float sum = 0;
        for (uint i = row[r]; i < end; i++)
            sum += value[i] * x[column[i]];
        y[r] = sum;
    }
}

/* A row for LANES work-items, which add up in local memory; the group is a multiple of LANES. */
__kernel void spmv_vector(__global const uint *row, __global const uint *column,
                          __global const float *value, __global const float *x,
                          __global float *y, __local float *part, uint rows)
{
    uint mine = get_local_id(0);
    uint lane = mine % LANES;
    uint r = get_global_id(0) / LANES;
    float sum = 0;
    if (r < rows) {
        uint end = row[r + 1];
        for (uint i = row[r] + lane; i < end; i += LANES)
            sum += value[i] * x[column[i]];
    }
    part[mine] = sum;
    for (uint reach = LANES / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < reach)
            part[mine] += part[mine + reach];
    }
    if (lane == 0 && r < rows)
        y[r] = part[mine];
}
