/* C = alpha A B^T + alpha B A^T + beta C, A and B of `rows` x `columns`, C of `rows` x `rows`,
 * row-major. As in Polybench's GPU version, all of C is computed, and partial sums are kept in
 * global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One element of C a work-item. Neighbours along dimension 0 share rows i of A and B and read rows
 * j, a whole row apart. */
__kernel void syr2k(__global const float *a, __global const float *b, __global float *c,
                    float alpha, float beta, int rows, int columns)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < rows && j < rows) {
        c[(long)i * rows + j] *= beta;
        for (int k = 0; k < columns; k++) {
            c[(long)i * rows + j] += alpha * a[(long)i * columns + k] * b[(long)j * columns + k];
            c[(long)i * rows + j] += alpha * b[(long)i * columns + k] * a[(long)j * columns + k];
        }
    }
}
