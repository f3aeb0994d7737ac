/* The discrete cosine transform of an image in blocks of 8 x 8 pixels, and back: the product of each
 * block with a matrix of cosines from both sides. A work-group has one block, a work-item one
 * pixel. */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

#define BLOCK 8

/* One frequency a row, times the square root of 1/8, or of 2/8 from the second row on. */
__constant float cosines[BLOCK][BLOCK] = {
#define A 0.35355339059f
#define B 0.49039264020f
#define C 0.46193976626f
#define D 0.41573480615f
#define E 0.27778511651f
#define F 0.19134171618f
#define G 0.09754516101f
    {A, A, A, A, A, A, A, A},     {B, D, E, G, -G, -E, -D, -B}, {C, F, -F, -C, -C, -F, F, C},
    {D, -G, -B, -E, E, B, G, -D}, {A, -A, -A, A, A, -A, -A, A}, {E, -B, G, D, -D, -G, B, -E},
    {F, -C, C, -F, -F, C, -C, F}, {G, -E, D, -B, B, -D, E, -G},
};

/* Coefficients: cosines times pixels times cosines transposed. */
__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void
dct_forward(__global float *to, __global const float *from, int columns)
{
    __local float first[BLOCK][BLOCK];
    __local float second[BLOCK][BLOCK];
    int x = get_local_id(0), y = get_local_id(1);
    int index = (int)get_global_id(1) * columns + (int)get_global_id(0);
    first[y][x] = from[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += cosines[y][i] * first[i][x];
    second[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += second[y][i] * cosines[x][i];
    to[index] = sum;
}

/* Pixels: cosines transposed times coefficients times cosines. */
__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void
dct_inverse(__global float *to, __global const float *from, int columns)
{
    __local float first[BLOCK][BLOCK];
    __local float second[BLOCK][BLOCK];
    int x = get_local_id(0), y = get_local_id(1);
    int index = (int)get_global_id(1) * columns + (int)get_global_id(0);
    first[y][x] = from[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += cosines[i][y] * first[i][x];
    second[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += second[y][i] * cosines[i][x];
    to[index] = sum;
}

/* Each coefficient becomes a multiple of its quantum: the larger, the higher the frequency. */
__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void
dct_quantize(__global float *coefficients, __global const int *quanta, int columns)
{
    int x = get_local_id(0), y = get_local_id(1);
    int index = (int)get_global_id(1) * columns + (int)get_global_id(0);
    float quantum = (float)quanta[y * BLOCK + x];
    coefficients[index] = rint(coefficients[index] / quantum) * quantum;
}
