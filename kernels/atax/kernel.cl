/* y = A^T (A x), A of `rows` x `columns`, row-major. As in Polybench's GPU version, partial sums are
 * kept in global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One row a work-item: neighbouring work-items read a whole row apart. */
__kernel void atax_rows(__global const float *a, __global const float *x, __global float *tmp,
                        int rows, int columns)
{
    int i = get_global_id(0);
    if (i < rows)
        for (int j = 0; j < columns; j++)
            tmp[i] += a[(long)i * columns + j] * x[j];
}

/* One column a work-item: neighbouring work-items read neighbouring elements. */
__kernel void atax_columns(__global const float *a, __global const float *tmp, __global float *y,
                           int rows, int columns)
{
    int j = get_global_id(0);
    if (j < columns)
        for (int i = 0; i < rows; i++)
            y[j] += a[(long)i * columns + j] * tmp[i];
}
