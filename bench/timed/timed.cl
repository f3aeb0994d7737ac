/* What simulation with time is measured with. */

__kernel void vecadd(__global float *c, __global const float *a, __global const float *b)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}

uint scatter(uint i)
{
    i = i * 2654435761u;
    i ^= i >> 15;
    i *= 0x2c1b3c6du;
    return i ^ i >> 12;
}

/* Every work-item reads two words of a table, anywhere. */
__kernel void gather(__global uint *out, __global const uint *table, uint mask)
{
    uint i = get_global_id(0);
    out[i] = table[scatter(2 * i) & mask] + table[scatter(2 * i + 1) & mask];
}

/* Every work-item changes two words of a table, anywhere. */
__kernel void update(__global ulong *table, uint mask)
{
    uint i = get_global_id(0);
    table[scatter(2 * i) & mask] ^= i;
    table[scatter(2 * i + 1) & mask] ^= i;
}

/* Each operation needs the result of the one before. */
__kernel void fma_chain(__global float *out, int rounds)
{
    size_t i = get_global_id(0);
    float a = i;
    for (int n = 0; n < rounds; n++) {
        a = fma(a, 0.5f, 1.0f);
        a = fma(a, 0.25f, 1.0f);
        a = fma(a, 0.125f, 1.0f);
        a = fma(a, 0.0625f, 1.0f);
        a = fma(a, 0.5f, 2.0f);
        a = fma(a, 0.25f, 2.0f);
        a = fma(a, 0.125f, 2.0f);
        a = fma(a, 0.0625f, 2.0f);
    }
    out[i] = a;
}

/* Every load of a warp reads one word each of as many pages of 4 KiB as it has lanes; `mask` + 1 bytes are a power of two. */
__kernel void divergent(__global uint *out, __global const char *table, uint mask, uint rounds)
{
    uint i = get_global_id(0), sum = 0, offset = i * (2654435761u << 12) + (i % 64 << 6);
    for (uint n = 0; n < rounds; n++) {
        sum += *(__global const uint *)(table + (offset & mask));
        offset += 40503 * 4096 + 64;
    }
    out[i] = sum;
}
