/* Colours a graph so that neighbours differ, a vertex a work-item, one colour a round. No two
 * vertices have the same rank. */
#define NONE (-1)

/* The largest rank among the neighbours without a colour. */
__kernel void color_largest(__global const uint *row, __global const uint *column,
                            __global const uint *rank, __global const int *color,
                            __global uint *largest, __global uint *more, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && color[v] == NONE) {
        uint found = 0;
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++) {
            uint to = column[i];
            if (color[to] == NONE) {
                *more = 1;
                if (rank[to] > found)
                    found = rank[to];
            }
        }
        largest[v] = found;
    }
}

/* A vertex whose rank is above that gets this round's colour. */
__kernel void color_assign(__global const uint *rank, __global const uint *largest,
                           __global int *color, int round, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && color[v] == NONE && rank[v] >= largest[v])
        color[v] = round;
}
