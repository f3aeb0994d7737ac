/* The cheapest ways through a grid from its first row: each row's cost is the cell's own plus the
 * least of the three neighbours above. A work-group has BLOCK columns in local memory and makes
 * `steps` rows with them: each row makes the part that is right one column smaller on each side,
 * so that groups overlap by `steps` columns and keep BLOCK - 2 steps. */

#define BLOCK 256

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
pathfinder(__global const int *wall, __global const int *from, __global int *to, int columns,
           int first, int steps)
{
    __local int now[BLOCK];
    __local int next[BLOCK];
    int x = get_local_id(0);
    int column = (BLOCK - 2 * steps) * (int)get_group_id(0) - steps + x;
    bool inside = column >= 0 && column < columns;

    if (inside)
        now[x] = from[column];
    barrier(CLK_LOCAL_MEM_FENCE);

    /* At the edge of the grid a column is its own neighbour. */
    int west = column == 0 ? x : x - 1, east = column == columns - 1 ? x : x + 1;
    bool right = false;
    for (int step = 1; step <= steps; step++) {
        right = inside && x >= step && x < BLOCK - step;
        if (right) {
            int least = min(now[x], min(now[west], now[east]));
            next[x] = least + wall[(first + step - 1) * columns + column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step < steps && right)
            now[x] = next[x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (right)
        to[column] = next[x];
}
