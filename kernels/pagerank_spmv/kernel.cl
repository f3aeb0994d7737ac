/* PageRank by products of a sparse matrix in compressed rows and a vector, a vertex a work-item. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

__kernel void pagerank_init(__global float *rank, __global float *sum, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        rank[v] = 1 / (float)vertices;
        sum[v] = 0;
    }
}

/* The matrix: a vertex gives equal parts of its rank to its neighbours. */
__kernel void pagerank_values(__global const uint *row, __global const uint *column,
                              __global const uint *degree, __global float *value, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++)
            value[i] = 1 / (float)degree[column[i]];
    }
}

__kernel void pagerank_spmv(__global const uint *row, __global const uint *column,
                            __global const float *value, __global const float *rank,
                            __global float *sum, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        float found = 0;
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++)
            found += value[i] * rank[column[i]];
        sum[v] += found;
    }
}

__kernel void pagerank_update(__global float *rank, __global float *sum, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        rank[v] = 0.15f / (float)vertices + 0.85f * sum[v];
        sum[v] = 0;
    }
}
