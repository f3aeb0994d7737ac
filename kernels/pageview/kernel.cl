/* Pages by the number of their views: records of a count and of where the page's line is in a file,
 * sorted, the most viewed first (kernels/mars.h). */
#include "../mars.h"

static int mars_compare(__global const char *a, __global const char *b)
{
    int views = *(__global const int *)a, others = *(__global const int *)b;
    return (views < others) - (views > others);
}

#include "../mars_group.h"

__kernel void pageview_count(__global const char *keys, __global const char *values,
                             __global const int4 *index, __global int *key_sizes,
                             __global int *value_sizes, __global int *counts, int records)
{
    int task = get_global_id(0);
    if (task < records)
        mars_count(task, sizeof(int), sizeof(int), key_sizes, value_sizes, counts);
}

/* A copy through local memory. */
__kernel void pageview_map(__global const char *keys, __global const char *values,
                           __global const int4 *index, MARS_OUTPUT, __local int *buffers,
                           int records)
{
    int task = get_global_id(0);
    if (task >= records)
        return;
    int4 entry = index[task];
    mars_task t = MARS_TASK(task);
    __local int *buffer = buffers + 5 * get_local_id(0);
    buffer[0] = *(__global const int *)(keys + entry.x);
    buffer[1] = *(__global const int *)(values + entry.z);
    mars_emit(&t, buffer, buffer + 1, sizeof(int), sizeof(int));
}
