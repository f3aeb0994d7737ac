/* Temperatures of a chip: an explicit time step adds to each cell of a grid what its power and the
 * difference to its four neighbours and to the surroundings give. A work-group has a tile of TILE
 * x TILE cells in local memory and makes `steps` steps with it: each step makes the part that is
 * right one cell smaller on each side, so tiles overlap by `steps` cells and keep TILE - 2 steps
 * each way. */

#pragma OPENCL FP_CONTRACT OFF

#define TILE 16
#define AMBIENT 80.0f

/* `capacity` is the time step over the thermal capacity of a cell; the others are the inverse
 * thermal resistances to the neighbours along a row, along a column, and to the surroundings. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
hotspot_steps(__global const float *power, __global const float *from, __global float *to,
              int columns, int rows, int steps, float capacity, float by_row, float by_column,
              float by_air)
{
    __local float now[TILE][TILE];
    __local float heat[TILE][TILE];
    __local float next[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int kept = TILE - 2 * steps;
    int column = kept * (int)get_group_id(0) - steps + x;
    int row = kept * (int)get_group_id(1) - steps + y;
    bool inside = column >= 0 && column < columns && row >= 0 && row < rows;
    int index = columns * row + column;

    if (inside) {
        now[y][x] = from[index];
        heat[y][x] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* At the edge of the grid a cell is its own neighbour. */
    int west = column == 0 ? x : x - 1, east = column == columns - 1 ? x : x + 1;
    int north = row == 0 ? y : y - 1, south = row == rows - 1 ? y : y + 1;
    bool right = false;
    for (int step = 1; step <= steps; step++) {
        right = inside && x >= step && x < TILE - step && y >= step && y < TILE - step;
        if (right) {
            float cell = now[y][x];
            float vertical = (now[south][x] + now[north][x] - 2.0f * cell) * by_column;
            float horizontal = (now[y][east] + now[y][west] - 2.0f * cell) * by_row;
            float gain = heat[y][x] + vertical + horizontal;
            next[y][x] = cell + capacity * (gain + (AMBIENT - cell) * by_air);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step < steps && right)
            now[y][x] = next[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (right)
        to[index] = next[y][x];
}
