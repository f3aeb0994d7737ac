/* C = alpha A A^T + beta C, A of `rows` x `columns`, C of `rows` x `rows`, row-major. As in
 * Polybench's GPU version, all of C is computed, and partial sums are kept in global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One element of C a work-item. Neighbours along dimension 0 share row i of A and read rows j, a
 * whole row apart. */
__kernel void syrk(__global const float *a, __global float *c, float alpha, float beta, int rows,
                   int columns)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < rows && j < rows) {
        c[(long)i * rows + j] *= beta;
        for (int k = 0; k < columns; k++)
            c[(long)i * rows + j] += alpha * a[(long)i * columns + k] * a[(long)j * columns + k];
    }
}
