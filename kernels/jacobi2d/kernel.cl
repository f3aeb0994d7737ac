/* One time step of a Jacobi solver on a grid of n x n points, whose border keeps its values. */

/* One point a work-item: the mean of it and its four neighbours. */
__kernel void jacobi2d_step(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(1);
    int j = get_global_id(0);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
                               a[(i + 1) * n + j] + a[(i - 1) * n + j]);
}

/* The result becomes the next step's input. */
__kernel void jacobi2d_copy(__global float *a, __global const float *b, int n)
{
    int i = get_global_id(1);
    int j = get_global_id(0);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        a[i * n + j] = b[i * n + j];
}
