/* The motion gradient vector flow of cells in a frame of video: a diffusion of the strengths of
 * edges, which goes on until it hardly changes. A work-group has the small image of one cell in
 * local memory and goes through it GROUP pixels at a time. */

#pragma OPENCL FP_CONTRACT OFF

#define GROUP 320
#define LARGEST 3321 /* pixels of an image: 41 x 81 */
#define TREE 256     /* the largest power of two below GROUP */

/* The polynomial of Abramowitz and Stegun, 4.4.49, below 1; above it the complement of the
 * reciprocal. */
static float arctangent(float x)
{
    float size = fabs(x);
    float z = size > 1.0f ? 1.0f / size : size;
    float square = z * z;
    float sum = 0.0028662257f;
    sum = fma(sum, square, -0.0161657367f);
    sum = fma(sum, square, 0.0429096138f);
    sum = fma(sum, square, -0.0752896400f);
    sum = fma(sum, square, 0.1065626393f);
    sum = fma(sum, square, -0.1420889944f);
    sum = fma(sum, square, 0.1999355085f);
    sum = fma(sum, square, -0.3333314528f);
    sum = fma(sum * square, z, z);
    return copysign(size > 1.0f ? 1.57079633f - sum : sum, x);
}

/* What a neighbour with the difference `d` adds: a smooth step of it, times the difference. */
static float flow(float d, float direction, float sharpness)
{
    return (arctangent(d * direction * sharpness) * 0.318309886f + 0.5f) * d;
}

/* The next value of the pixel at (i, j) of a field of `m` x `n`. */
static float next_value(__local const float *field, float edge, int m, int n, int i, int j,
                        float vx, float vy, float sharpness)
{
    int up = i == 0 ? 0 : i - 1, down = i == m - 1 ? m - 1 : i + 1;
    int left = j == 0 ? 0 : j - 1, right = j == n - 1 ? n - 1 : j + 1;
    float here = field[i * n + j];
    float sum = flow(field[up * n + j] - here, -vy, sharpness);
    sum += flow(field[down * n + j] - here, vy, sharpness);
    sum += flow(field[i * n + left] - here, -vx, sharpness);
    sum += flow(field[i * n + right] - here, vx, sharpness);
    sum += flow(field[up * n + right] - here, vx - vy, sharpness);
    sum += flow(field[down * n + right] - here, vx + vy, sharpness);
    sum += flow(field[up * n + left] - here, -vx - vy, sharpness);
    sum += flow(field[down * n + left] - here, vy - vx, sharpness);
    float value = here + 0.1f * sum;
    return value - 0.2f * edge * (value - edge);
}

/* The sum of one value of each work-item, in changes[0]. */
static void add_up(__local float *changes, int item)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= TREE)
        changes[item - TREE] += changes[item];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int count = TREE / 2; count > 0; count /= 2) {
        if (item < count)
            changes[item] += changes[item + count];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* New values of one round of pixels wait in `pending` until the next round, which needs the old
 * ones, has been computed. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
leukocyte_track(__global float *fields, __global const float *edges, __global const int *first,
                __global const int *heights, __global const int *widths, float vx, float vy,
                float sharpness, int iterations, float cutoff)
{
    __local float field[LARGEST];
    __local float pending[GROUP];
    __local int converged;
    int item = get_local_id(0), cell = get_group_id(0);
    int m = heights[cell], n = widths[cell], pixels = m * n;
    int rounds = (pixels + GROUP - 1) / GROUP;
    __global float *whole = fields + first[cell];
    __global const float *edge = edges + first[cell];

    for (int at = item; at < pixels; at += GROUP)
        field[at] = whole[at];
    if (item == 0)
        converged = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int iteration = 0; iteration < iterations && !converged; iteration++) {
        float change = 0.0f;
        for (int round = 0; round < rounds; round++) {
            int at = round * GROUP + item;
            float value = 0.0f;
            if (at < pixels) {
                value = next_value(field, edge[at], m, n, at / n, at % n, vx, vy, sharpness);
                change += fabs(value - field[at]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (round > 0)
                field[at - GROUP] = pending[item];
            if (round < rounds - 1)
                pending[item] = value;
            else if (at < pixels)
                field[at] = value;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        pending[item] = change;
        add_up(pending, item);
        if (item == 0 && pending[0] / (float)pixels < cutoff)
            converged = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int at = item; at < pixels; at += GROUP)
        whole[at] = field[at];
}
