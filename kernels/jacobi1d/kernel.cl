/* One time step of a Jacobi solver on a line of n points, whose ends keep their values. */

/* One point a work-item: the mean of it and its two neighbours. */
__kernel void jacobi1d_step(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i >= 1 && i < n - 1)
        b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}

/* The result becomes the next step's input. */
__kernel void jacobi1d_copy(__global float *a, __global const float *b, int n)
{
    int i = get_global_id(0);
    if (i >= 1 && i < n - 1)
        a[i] = b[i];
}
