/* K-means clustering of `n` points with `features` coordinates each. Points come one after another
 * (layout "row"); the other layout has all first coordinates, then all second ones ("column"). */

/* One point a work-item: reads a whole point apart, writes next to its neighbours. */
__kernel void kmeans_swap(__global const float *points, __global float *swapped, int n,
                          int features)
{
    int point = get_global_id(0);
    if (point < n)
        for (int i = 0; i < features; i++)
            swapped[(long)i * n + point] = points[(long)point * features + i];
}

/* The nearest of the clusters' centres; the first of those at the same distance. `fma` is written
 * out so that the distances are the same everywhere, to the bit. */
static int nearest(__global const float *points, long first, long stride,
                   __global const float *centres, int clusters, int features)
{
    float least = FLT_MAX;
    int best = 0;
    for (int cluster = 0; cluster < clusters; cluster++) {
        float distance = 0;
        for (int i = 0; i < features; i++) {
            float difference = points[first + i * stride] - centres[cluster * features + i];
            distance = fma(difference, difference, distance);
        }
        if (distance < least) {
            least = distance;
            best = cluster;
        }
    }
    return best;
}

/* Neighbouring work-items read neighbouring coordinates. */
__kernel void kmeans_assign_column(__global const float *swapped, __global const float *centres,
                                   __global int *membership, int n, int clusters, int features)
{
    int point = get_global_id(0);
    if (point < n)
        membership[point] = nearest(swapped, point, n, centres, clusters, features);
}

/* Neighbouring work-items read a whole point apart. */
__kernel void kmeans_assign_row(__global const float *points, __global const float *centres,
                                __global int *membership, int n, int clusters, int features)
{
    int point = get_global_id(0);
    if (point < n)
        membership[point] =
            nearest(points, (long)point * features, 1, centres, clusters, features);
}
