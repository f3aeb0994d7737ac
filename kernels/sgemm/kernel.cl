/* C = alpha A B + beta C. A and C lie column after column; of B the transpose does, so that the
 * COLUMNS elements of a row of B that a work-group needs are consecutive. A work-item has one row
 * and COLUMNS columns of C, the sums in registers. The group reads a tile of DEPTH x COLUMNS
 * elements of B into local memory, one a work-item; each work-item reads its own elements of A. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

#define COLUMNS 16
#define DEPTH 8
#define ROWS (COLUMNS * DEPTH)

__kernel __attribute__((reqd_work_group_size(COLUMNS, DEPTH, 1))) void
sgemm(__global const float *a, __global const float *bt, __global float *c, int m, int n, int k,
      float alpha, float beta)
{
    __local float tile[DEPTH][COLUMNS];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(0) * ROWS + y * COLUMNS + x;
    int column = get_group_id(1) * COLUMNS;
    float sums[COLUMNS];

#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
        sums[j] = 0;
    for (int first = 0; first < k; first += DEPTH) {
        tile[y][x] = bt[(first + y) * n + column + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float element = a[(first + i) * m + row];
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                sums[j] += element * tile[i][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        int index = (column + j) * m + row;
        c[index] = alpha * sums[j] + beta * c[index];
    }
}
