/* Shortest paths from one vertex by relaxation, a vertex a work-item: a product of a sparse matrix
 * and a vector in which + is the minimum and * is +. The largest number stands for "no way". */

__kernel void sssp_init(__global uint *now, __global uint *next, uint source, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices)
        now[v] = next[v] = v == source ? 0 : UINT_MAX;
}

__kernel void sssp_assign(__global uint *now, __global const uint *next, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices)
        now[v] = next[v];
}

/* The rows hold the edges that come in. */
__kernel void sssp_relax(__global const uint *row, __global const uint *column,
                         __global const uint *weight, __global const uint *now,
                         __global uint *next, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        uint least = now[v];
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++)
            least = min(least, add_sat(now[column[i]], weight[i]));
        next[v] = least;
    }
}

__kernel void sssp_compare(__global const uint *now, __global const uint *next,
                           __global uint *changed, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && now[v] != next[v])
        *changed = 1;
}
