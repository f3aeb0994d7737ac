/* Clustering of a stream: what would change if a centre was opened at one of the points. Distances
 * are squared. One work-item a point. */

#pragma OPENCL FP_CONTRACT OFF

typedef struct point {
    float weight;
    ulong coordinates; /* of the host */
    long centre;       /* the point that is its centre */
    float cost;        /* its weighted distance to the centre */
} point;

/* Coordinates lie dimension after dimension. A point has a row of `stride` floats in `changes`, 0 at
 * first: what it saves when it goes to the new centre is the last of them; what it costs if its old
 * centre closes and it has to go, though it is farther, is that centre's one. */
__kernel void streamcluster(__global const point *points, __global const float *coordinates,
                            __global const int *number_of_centre, __global float *changes,
                            __global uchar *goes, int count, int dimensions, long candidate,
                            int stride)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    float cost = 0;
    for (int d = 0; d < dimensions; d++) {
        float difference = coordinates[d * count + i] - coordinates[d * count + candidate];
        cost += difference * difference;
    }
    cost *= points[i].weight;
    __global float *change = changes + (long)i * stride;
    if (cost < points[i].cost) {
        goes[i] = 1;
        change[stride - 1] += cost - points[i].cost;
    } else {
        change[number_of_centre[points[i].centre]] += points[i].cost - cost;
    }
}
