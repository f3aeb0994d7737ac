/* Similarity of documents: for each pair of feature vectors the cosine of the angle between them,
 * then all pairs sorted by it, the most similar first (kernels/mars.h). */
#include "../mars.h"

static int mars_compare(__global const char *a, __global const char *b)
{
    float score = *(__global const float *)a, other = *(__global const float *)b;
    return (score < other) - (score > other);
}

#include "../mars_group.h"

typedef struct key {
    ulong documents; /* the address of the first one's features */
} key;

typedef struct value {
    float score; /* not used */
    int first, second, features;
} value;

__kernel void similarity_count(__global const char *keys, __global const char *values,
                               __global const int4 *index, __global int *key_sizes,
                               __global int *value_sizes, __global int *counts, int records)
{
    int task = get_global_id(0);
    if (task < records)
        mars_count(task, sizeof(float), sizeof(int2), key_sizes, value_sizes, counts);
}

/* Features four at a time, each vector by each work-item on its own. */
__kernel void similarity_map(__global const char *keys, __global const char *values,
                             __global const int4 *index, MARS_OUTPUT, __local int *buffers,
                             int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    __global const key *k = (__global const key *)(keys + entry.x);
    __global const value *v = (__global const value *)(values + entry.z);
    __global const float4 *documents = (__global const float4 *)k->documents;
    int quarter = v->features / 4;
    __global const float4 *a = documents + v->first * quarter;
    __global const float4 *b = documents + v->second * quarter;
    float product = 0, a_square = 0, b_square = 0;
    for (int i = 0; i < quarter; i++) {
        float4 from_a = a[i], from_b = b[i];
        product += dot(from_a, from_b);
        a_square += dot(from_a, from_a);
        b_square += dot(from_b, from_b);
    }

    mars_task t = MARS_TASK(task);
    __local int *buffer = buffers + 5 * get_local_id(0);
    buffer[0] = as_int(product / (sqrt(a_square) * sqrt(b_square)));
    buffer[1] = v->first;
    buffer[2] = v->second;
    mars_emit(&t, buffer, buffer + 1, sizeof(float), sizeof(int2));
}
