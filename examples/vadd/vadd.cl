/* c = a + b for n elements, WIDTH of them in a work-item; and a count of the wrong ones. */
#ifndef WIDTH
#define WIDTH 1
#endif

kernel void vadd(global const float *a, global const float *b, global float *c, uint n)
{
    size_t stride = get_global_size(0);
    size_t i = get_global_id(0);
    for (int k = 0; k < WIDTH && i < n; k++, i += stride)
        c[i] = a[i] + b[i];
}

kernel void count_wrong(global const float *a, global const float *b, global const float *c,
                        global uint *wrong)
{
    size_t i = get_global_id(0);
    if (c[i] != a[i] + b[i])
        atomic_inc(wrong);
}
