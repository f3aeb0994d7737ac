/* Gaussian elimination without pivoting, one column after another: the column's multipliers, then
 * all rows below minus a multiple of the column's own row. The matrix lies row after row. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One row a work-item: neighbours read and write a whole row apart. */
__kernel void gaussian_multipliers(__global float *multipliers, __global const float *matrix, int n,
                                   int column)
{
    int row = column + 1 + (int)get_global_id(0);
    if (row < n)
        multipliers[row * n + column] = matrix[row * n + column] / matrix[column * n + column];
}

/* One element a work-item. The first index goes down the rows, so that neighbours are a row apart;
 * the work-items of the first column also change the right-hand side. */
__kernel void gaussian_subtract(__global const float *multipliers, __global float *matrix,
                                __global float *right, int n, int column)
{
    int row = column + 1 + (int)get_global_id(0);
    int at = column + (int)get_global_id(1);
    if (row >= n || at >= n)
        return;
    matrix[row * n + at] -= multipliers[row * n + column] * matrix[column * n + at];
    if (at == column)
        right[row] -= multipliers[row * n + column] * right[column];
}
