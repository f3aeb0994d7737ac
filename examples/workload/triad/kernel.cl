/* a[i] = b[i] + factor * c[i] */
__kernel void triad(__global float *a, __global const float *b, __global const float *c,
                    float factor, int n)
{
    int i = get_global_id(0);
    if (i < n)
        a[i] = b[i] + factor * c[i];
}
