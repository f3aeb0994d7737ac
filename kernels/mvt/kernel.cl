/* x1 += A y1 and x2 += A^T y2, A of `rows` x `columns`, row-major. As in Polybench's GPU version,
 * partial sums are kept in global memory. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

/* One row a work-item: neighbouring work-items read a whole row apart. */
#define MVT_ROWS(real)                                                                          \
    __kernel void mvt_rows_##real(__global const real *a, __global real *x1,                    \
                                  __global const real *y1, int rows, int columns)               \
    {                                                                                           \
        int i = get_global_id(0);                                                               \
        if (i < rows)                                                                           \
            for (int j = 0; j < columns; j++)                                                   \
                x1[i] += a[(long)i * columns + j] * y1[j];                                      \
    }

/* One column a work-item: neighbouring work-items read neighbouring elements. */
#define MVT_COLUMNS(real)                                                                       \
    __kernel void mvt_columns_##real(__global const real *a, __global real *x2,                 \
                                     __global const real *y2, int rows, int columns)            \
    {                                                                                           \
        int j = get_global_id(0);                                                               \
        if (j < columns)                                                                        \
            for (int i = 0; i < rows; i++)                                                      \
                x2[j] += a[(long)i * columns + j] * y2[i];                                      \
    }

MVT_ROWS(float)
MVT_COLUMNS(float)
MVT_ROWS(double)
MVT_COLUMNS(double)
