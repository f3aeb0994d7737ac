/* y = alpha A x + beta B x, A and B of `rows` x `columns`, row-major. As in Polybench's GPU version,
 * partial sums are kept in global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One row of both matrices a work-item: neighbouring work-items read a whole row apart. */
__kernel void gesummv(__global const float *a, __global const float *b, __global const float *x,
                      __global float *y, __global float *tmp, float alpha, float beta, int rows,
                      int columns)
{
    int i = get_global_id(0);
    if (i < rows) {
        for (int j = 0; j < columns; j++) {
            tmp[i] += a[(long)i * columns + j] * x[j];
            y[i] += b[(long)i * columns + j] * x[j];
        }
        y[i] = fma(alpha, tmp[i], beta * y[i]);
    }
}
