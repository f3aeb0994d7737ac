/* What functional execution is measured with. */

/* Only arithmetic: four chains of fused multiply-adds. */
__kernel void arithmetic(__global float *out, int rounds)
{
    size_t i = get_global_id(0);
    float a = i, b = a + 1, c = a + 2, d = a + 3;
    for (int n = 0; n < rounds; n++) {
        a = fma(a, 0.5f, 1.0f);
        b = fma(b, 0.25f, a);
        c = fma(c, 0.125f, b);
        d = fma(d, 0.0625f, c);
        a = fma(a, 0.5f, d);
        b = fma(b, 0.25f, 1.0f);
        c = fma(c, 0.125f, a);
        d = fma(d, 0.0625f, b);
    }
    out[i] = a + b + c + d;
}

/* Neighbouring lanes read and write neighbouring words. */
__kernel void coalesced(__global float *out, __global const float *in, int rounds)
{
    size_t i = get_global_id(0), all = get_global_size(0);
    for (int n = 0; n < rounds; n++)
        out[n * all + i] = in[n * all + i] + 1.0f;
}

/* Every lane reads a line of its own, in an order that no two lanes share. */
__kernel void gather(__global uint *out, __global const uint *table, uint mask, int rounds)
{
    uint i = get_global_id(0), at = i * 2654435761u, sum = 0;
    for (int n = 0; n < rounds; n++) {
        at = at * 1664525u + 1013904223u;
        sum += table[(at >> 8) & mask];
    }
    out[i] = sum;
}
