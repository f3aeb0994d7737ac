/* Angles between points of the sky, counted in bins: among the points of a set, and between those of
 * the first set, which was observed, and each of the others, which are random. One work-group a
 * histogram. A point is its direction, a vector of length 1; coordinates lie apart. */

#pragma OPENCL FP_CONTRACT OFF

#define BINS 20
#define SHARE 2 /* work-items that count in one histogram in local memory */

/* Cosines of the bins' limits: 1 minute of arc, and five bins in each power of ten. */
__constant float limits[BINS + 1] = {
    0.99999994f, 0.999999881f, 0.999999762f, 0.999999344f, 0.999998331f, 0.999995768f,
    0.99998939f, 0.999973297f, 0.999932945f, 0.999831557f, 0.999576926f, 0.998937488f,
    0.997331738f, 0.993302107f, 0.983204126f, 0.957989514f, 0.895596206f, 0.744722009f,
    0.401129454f, -0.261507958f, -0.973044872f};

/* The bin of a cosine, by bisection; BINS outside of all. */
static uint bin_of(float cosine)
{
    uint low = 0, high = BINS;
    while (high > low + 1) {
        uint middle = (low + high) / 2;
        if (cosine >= limits[middle])
            high = middle;
        else
            low = middle;
    }
    return cosine < limits[low] && cosine >= limits[high] ? low : BINS;
}

/* Adds all histograms of a work-group into the first, by halves. counts[bin * total + i] */
static void add_histograms(__local uint *counts, int total)
{
    int size = get_local_size(0), item = get_local_id(0);
    int half_total = total / 2, column = item % half_total, row = item / half_total;
    for (int step = half_total; step > 0; step /= 2)
        for (int first = 0; first < BINS; first += size / half_total) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (column < step && first + row < BINS) {
                __local uint *count = counts + (first + row) * total + column;
                *count += count[step];
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Groups 0..sets: a set with itself, each pair once. The groups after them: set 0 with one of the
 * others. `tile` has room for three floats a work-item, `counts` for BINS histograms of
 * size / SHARE. */
__kernel void tpacf(__global ulong *histograms, __global const float *all_x,
                    __global const float *all_y, __global const float *all_z, int sets, int points,
                    __local float *tile, __local uint *counts)
{
    int item = get_local_id(0), size = get_local_size(0), group = get_group_id(0);
    int total = size / SHARE;
    bool alone = group <= sets;
    long left = alone ? (long)group * points : 0;
    long right = (long)(alone ? group : group - sets) * points;
    for (int i = item; i < BINS * total; i += size)
        counts[i] = 0;
    for (int i = 0; i < points; i += size) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i + item < points) {
            tile[3 * item] = all_x[left + i + item];
            tile[3 * item + 1] = all_y[left + i + item];
            tile[3 * item + 2] = all_z[left + i + item];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = alone ? i + 1 : 0; j < points; j += size) {
            int other = j + item;
            float x = 0, y = 0, z = 0;
            if (other < points) {
                x = all_x[right + other];
                y = all_y[right + other];
                z = all_z[right + other];
            }
            for (int k = 0; k < size && i + k < points; k++) {
                float cosine = tile[3 * k] * x + tile[3 * k + 1] * y + tile[3 * k + 2] * z;
                uint bin = bin_of(cosine);
                if (bin < BINS && (!alone || other > i + k) && other < points)
                    atomic_inc(&counts[bin * total + item / SHARE]);
            }
        }
    }
    add_histograms(counts, total);
    for (int bin = item; bin < BINS; bin += size)
        histograms[group * BINS + bin] = counts[bin * total];
}
