/* Training of a network with one hidden layer: `inputs` input units, HIDDEN hidden ones. Weights
 * are kept as (inputs + 1) rows of HIDDEN + 1, with a row and a column for the bias. A work-group
 * of HIDDEN x HEIGHT work-items has the weights of HEIGHT input units. What is rounded once is
 * written as fma(). */

#pragma OPENCL FP_CONTRACT OFF

#define HIDDEN 16
#define HEIGHT 16
#define ROW (HIDDEN + 1)
#define RATE 0.3f
#define MOMENTUM 0.3f

static int weight_index(int column)
{
    int unit = HEIGHT * get_group_id(1) + get_local_id(1) + 1;
    return ROW * unit + column;
}

/* partial_sum[group][hidden unit]: the group's part of the sum over the inputs, by a tree in local
 * memory. As in the original the products take the place of the weights in global memory; the host
 * copies the weights in again before they are adjusted. */
__kernel __attribute__((reqd_work_group_size(HIDDEN, HEIGHT, 1))) void
layer_forward(__global const float *input, __global float *weights, __global float *partial_sum)
{
    __local float node[HEIGHT];
    __local float product[HEIGHT][HIDDEN];
    int x = get_local_id(0), y = get_local_id(1);
    int group = get_group_id(1);
    int index = weight_index(x + 1);

    if (x == 0)
        node[y] = input[HEIGHT * group + y + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[y][x] = weights[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[y][x] = product[y][x] * node[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 2; step <= HEIGHT; step *= 2) {
        if (y % step == 0)
            product[y][x] += product[y + step / 2][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[index] = product[y][x];
    if (x == 0)
        partial_sum[group * HIDDEN + y] = product[0][y];
}

/* Each weight moves by what its hidden unit's error and its input ask for, plus a part of its last
 * move. Group 0 also adjusts the row of the bias. */
__kernel __attribute__((reqd_work_group_size(HIDDEN, HEIGHT, 1))) void
adjust_weights(__global const float *delta, __global const float *input, __global float *weights,
               __global float *moves)
{
    int x = get_local_id(0) + 1, y = get_local_id(1);
    int group = get_group_id(1);
    int index = weight_index(x);
    float move =
        fma(RATE * delta[x], input[HEIGHT * group + y + 1], MOMENTUM * moves[index]);
    weights[index] += move;
    moves[index] = move;
    if (y == 0 && group == 0) {
        float bias_move = fma(RATE, delta[x], MOMENTUM * moves[x]);
        weights[x] += bias_move;
        moves[x] = bias_move;
    }
}
