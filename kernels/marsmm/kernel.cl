/* Product of two matrices, an element a work-item, from records that say where its row and its
 * column are (kernels/mars.h). The second matrix is transposed: its columns are rows. */
#include "../mars.h"

typedef struct key {
    ulong a, b; /* the addresses of both matrices */
} key;

typedef struct value {
    int row, column, rows, columns;
} value;

__kernel void marsmm_count(__global const char *keys, __global const char *values,
                           __global const int4 *index, __global int *key_sizes,
                           __global int *value_sizes, __global int *counts, int records)
{
    int task = get_global_id(0);
    if (task < records)
        mars_count(task, sizeof(float), sizeof(int2), key_sizes, value_sizes, counts);
}

__kernel void marsmm_map(__global const char *keys, __global const char *values,
                         __global const int4 *index, MARS_OUTPUT, __local int *buffers, int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    int quarter = v->columns / 4;
    __global const float4 *a = (__global const float4 *)k->a + v->row * quarter;
    __global const float4 *b = (__global const float4 *)k->b + v->column * quarter;
    float sum = 0;
    for (int i = 0; i < quarter; i++) {
        float4 from_a = a[i], from_b = b[i];
        sum = fma(from_a.x, from_b.x, sum);
        sum = fma(from_a.y, from_b.y, sum);
        sum = fma(from_a.z, from_b.z, sum);
        sum = fma(from_a.w, from_b.w, sum);
    }

    mars_task t = MARS_TASK(task);
    __local int *buffer = buffers + 5 * get_local_id(0);
    buffer[0] = as_int(sum);
    buffer[1] = v->row;
    buffer[2] = v->column;
    mars_emit(&t, buffer, buffer + 1, sizeof(float), sizeof(int2));
}
