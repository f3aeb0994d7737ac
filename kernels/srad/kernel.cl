/* Speckle-reducing anisotropic diffusion of an image of `rows` x `columns` pixels, one column
 * after another in memory: each step moves brightness between neighbours, less across what looks
 * like an edge compared with the speckle of the whole image. One pixel a work-item. */

#pragma OPENCL FP_CONTRACT OFF

/* From 0..255 to the logarithm's inverse. In double precision, so that all 256 brightnesses come
 * out correctly rounded. */
__kernel void srad_extract(__global float *image, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels)
        image[i] = (float)exp((double)(image[i] / 255.0f));
}

__kernel void srad_prepare(__global const float *image, __global float *sums,
                           __global float *squares, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels) {
        sums[i] = image[i];
        squares[i] = image[i] * image[i];
    }
}

/* Adds up `count` values that are `stride` apart, a work-group's into the place of its first one,
 * by a tree in local memory; the work-group's size is a power of two. */
__kernel void srad_reduce(__global float *sums, __global float *squares, int count, int stride,
                          __local float *part, __local float *part_squares)
{
    int item = get_local_id(0), size = get_local_size(0);
    long first = (long)get_group_id(0) * size * stride;
    bool has_one = get_global_id(0) < count;
    part[item] = has_one ? sums[first + (long)item * stride] : 0;
    part_squares[item] = has_one ? squares[first + (long)item * stride] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 2; step <= size; step *= 2) {
        if ((item + 1) % step == 0) {
            part[item] += part[item - step / 2];
            part_squares[item] += part_squares[item - step / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == size - 1) {
        sums[first] = part[item];
        squares[first] = part_squares[item];
    }
}

/* The differences to the four neighbours and the diffusion coefficient, 0..1, of each pixel. Only
 * the upper limit is ever in force: `gradient` is at least a quarter of the squared laplacian (the
 * inequality of Cauchy and Schwarz), so that `variation` is not negative and `relative` not below
 * -1. The lower one is the original's. The
 * neighbours' rows and columns come from tables, in which an edge pixel is its own neighbour. */
__kernel void srad_coefficients(__global const float *image, __global const int *north,
                                __global const int *south, __global const int *west,
                                __global const int *east, __global float *to_north,
                                __global float *to_south, __global float *to_west,
                                __global float *to_east, __global float *coefficient, int rows,
                                int pixels, float speckle)
{
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    int row = i % rows, column = i / rows;
    float here = image[i];
    float n = image[north[row] + rows * column] - here;
    float s = image[south[row] + rows * column] - here;
    float w = image[row + rows * west[column]] - here;
    float e = image[row + rows * east[column]] - here;

    float gradient = (n * n + s * s + w * w + e * e) / (here * here);
    float laplacian = (n + s + w + e) / here;
    float numerator = 0.5f * gradient - 1.0f / 16.0f * (laplacian * laplacian);
    float denominator = 1.0f + 0.25f * laplacian;
    float variation = numerator / (denominator * denominator);
    float relative = (variation - speckle) / (speckle * (1.0f + speckle));
    float c = 1.0f / (1.0f + relative);

    to_north[i] = n;
    to_south[i] = s;
    to_west[i] = w;
    to_east[i] = e;
    coefficient[i] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

/* Adds a part `rate` of the divergence: coefficients of the pixel itself (towards north and west)
 * and of its southern and eastern neighbours. */
__kernel void srad_update(__global float *image, __global const int *south,
                          __global const int *east, __global const float *to_north,
                          __global const float *to_south, __global const float *to_west,
                          __global const float *to_east, __global const float *coefficient,
                          int rows, int pixels, float rate)
{
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    int row = i % rows, column = i / rows;
    float here = coefficient[i];
    float below = coefficient[south[row] + rows * column];
    float right = coefficient[row + rows * east[column]];
    float divergence = here * to_north[i] + below * to_south[i] + here * to_west[i] +
                       right * to_east[i];
    image[i] = image[i] + 0.25f * rate * divergence;
}

__kernel void srad_compress(__global float *image, int pixels)
{
    int i = get_global_id(0);
    if (i < pixels)
        image[i] = log(image[i]) * 255.0f;
}
