/* q = A p and s = A^T r, A of `rows` x `columns`, row-major. As in Polybench's GPU version, partial
 * sums are kept in global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One row a work-item: neighbouring work-items read a whole row apart. */
__kernel void bicg_rows(__global const float *a, __global const float *p, __global float *q,
                        int rows, int columns)
{
    int i = get_global_id(0);
    if (i < rows) {
        q[i] = 0.0f;
        for (int j = 0; j < columns; j++)
            q[i] += a[(long)i * columns + j] * p[j];
    }
}

/* One column a work-item: neighbouring work-items read neighbouring elements. */
__kernel void bicg_columns(__global const float *a, __global const float *r, __global float *s,
                           int rows, int columns)
{
    int j = get_global_id(0);
    if (j < columns) {
        s[j] = 0.0f;
        for (int i = 0; i < rows; i++)
            s[j] += a[(long)i * columns + j] * r[i];
    }
}
