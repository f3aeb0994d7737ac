/* Parts of the conjugate gradient method. The matrix has WIDTH elements in a row, filled up with
 * zeros (ELL): all first elements, then all second ones, so that neighbouring work-items, a row
 * each, read neighbouring addresses. */

#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 27

/* y = A x */
__kernel void minife_matvec(__global const int *column, __global const double *value,
                            __global const double *x, __global double *y, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    double sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += value[i * rows + row] * x[column[i * rows + row]];
    y[row] = sum;
}

/* w = alpha x + beta y; w may be one of them. */
__kernel void minife_waxpby(double alpha, __global const double *x, double beta,
                            __global const double *y, __global double *w, int rows)
{
    int row = get_global_id(0);
    if (row < rows)
        w[row] = alpha * x[row] + beta * y[row];
}

/* Adds up one number of each work-item, whose count is a power of two. */
static double add_up(double mine, __local double *sums)
{
    int item = get_local_id(0);
    sums[item] = mine;
    for (int reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < reach)
            sums[item] += sums[item + reach];
    }
    return sums[item];
}

/* A sum of x y for each work-group; work-items take products a grid apart. */
__kernel void minife_dot(__global const double *x, __global const double *y,
                         __global double *parts, __local double *sums, int rows)
{
    double sum = 0;
    for (int row = get_global_id(0); row < rows; row += get_global_size(0))
        sum += x[row] * y[row];
    sum = add_up(sum, sums);
    if (get_local_id(0) == 0)
        parts[get_group_id(0)] = sum;
}

/* One work-group adds up the sums of the others. */
__kernel void minife_dot_final(__global const double *parts, __global double *result,
                               __local double *sums, int count)
{
    double sum = 0;
    for (int i = get_local_id(0); i < count; i += get_local_size(0))
        sum += parts[i];
    sum = add_up(sum, sums);
    if (get_local_id(0) == 0)
        *result = sum;
}
