/* A particle filter follows an object in a video. A particle is a guess of its place; in every frame
 * particles move, are weighed by how much their place looks like the object, and are drawn anew by
 * their weights. One work-item a particle, in double precision. */

#pragma OPENCL FP_CONTRACT OFF

#define PI 3.1415926535897932

/* Uniform in (0, 1], from the particle's own generator. */
static double uniform(__global uint *seeds, int i)
{
    seeds[i] = (1103515245u * seeds[i] + 12345u) % 2147483647u;
    return (seeds[i] + 1) / 2147483648.0;
}

/* By the method of Box and Muller. */
static double normal(__global uint *seeds, int i)
{
    double u = uniform(seeds, i), v = uniform(seeds, i);
    return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

static int to_nearest(double value)
{
    int whole = (int)value;
    return value - whole < 0.5 ? whole : whole + 1;
}

/* Where in the video the pixels of an object at (x, y) are, and how much more they look like the
 * object (228) than like its surroundings (100), per pixel. Frames lie pixel by pixel. */
static double likeness(__global const uchar *video, __global const int *object, int pixels,
                       __global int *index, double x, double y, int height, int frames, int frame,
                       int size)
{
    for (int i = 0; i < pixels; i++) {
        int column = to_nearest(x) + object[2 * i + 1], row = to_nearest(y) + object[2 * i];
        index[i] = abs((column * height + row) * frames + frame);
        if (index[i] >= size)
            index[i] = 0;
    }
    double sum = 0;
    for (int i = 0; i < pixels; i++) {
        int value = video[index[i]];
        sum += ((value - 100) * (value - 100) - (value - 228) * (value - 228)) / 50.0;
    }
    return sum / pixels;
}

/* Moves and weighs the particles; partial[group] is the sum of a work-group's weights, by a tree in
 * local memory. The size of a work-group is a power of two. */
__kernel void particlefilter_weigh(__global double *x, __global double *y,
                                   __global const double *drawn_x, __global const double *drawn_y,
                                   __global double *weights, __global uint *seeds,
                                   __global int *indices, __global const int *object, int pixels,
                                   __global const uchar *video, int height, int frames, int frame,
                                   int size, int particles, __global double *partial,
                                   __local double *buffer)
{
    int i = get_global_id(0), item = get_local_id(0);
    buffer[item] = 0;
    if (i < particles) {
        x[i] = drawn_x[i] + 1 + 5 * normal(seeds, i);
        y[i] = drawn_y[i] - 2 + 2 * normal(seeds, i);
        double likelihood = likeness(video, object, pixels, indices + i * pixels, x[i], y[i],
                                     height, frames, frame, size);
        weights[i] = 1.0 / particles * exp(likelihood);
        buffer[item] = weights[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (item < step)
            buffer[item] += buffer[item + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        partial[get_group_id(0)] = buffer[0];
}

/* One work-item adds up what the groups have. */
__kernel void particlefilter_sum(__global double *partial, int groups)
{
    if (get_global_id(0) == 0) {
        double sum = 0;
        for (int i = 0; i < groups; i++)
            sum += partial[i];
        partial[0] = sum;
    }
}

__kernel void particlefilter_normalise(__global double *weights, __global const double *partial,
                                       int particles)
{
    __local double sum;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        sum = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < particles)
        weights[i] = weights[i] / sum;
}

/* The running sum of the weights, by one work-item, and where in it particles are drawn: at equal
 * distances from a random start. A single work-group. */
__kernel void particlefilter_cumulate(__global const double *weights, __global double *running,
                                      __global double *draws, __global uint *seeds, int particles)
{
    __local double start;
    if (get_local_id(0) == 0) {
        running[0] = weights[0];
        for (int i = 1; i < particles; i++)
            running[i] = weights[i] + running[i - 1];
        start = 1.0 / particles * uniform(seeds, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < particles; i += get_local_size(0))
        draws[i] = start + i / (double)particles;
}

/* Looks, from the beginning, for the first particle whose running sum is not below the draw. */
__kernel void particlefilter_draw(__global const double *x, __global const double *y,
                                  __global const double *running, __global const double *draws,
                                  __global double *drawn_x, __global double *drawn_y,
                                  int particles)
{
    int i = get_global_id(0);
    if (i >= particles)
        return;
    int chosen = particles - 1;
    for (int j = 0; j < particles; j++)
        if (running[j] >= draws[i]) {
            chosen = j;
            break;
        }
    drawn_x[i] = x[chosen];
    drawn_y[i] = y[chosen];
}
