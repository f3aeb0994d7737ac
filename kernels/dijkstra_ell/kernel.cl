/* Shortest paths from one vertex by relaxation, a vertex a work-item, on a matrix in ELL format: all
 * rows have as many entries, and entry i of all rows is together. The largest number stands for
 * "no way". */

__kernel void dijkstra_init(__global uint *now, __global uint *next, uint source, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices)
        now[v] = next[v] = v == source ? 0 : UINT_MAX;
}

__kernel void dijkstra_assign(__global uint *now, __global const uint *next, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices)
        now[v] = next[v];
}

/* The rows hold the edges that come in; entries that stand for none have the largest weight. */
__kernel void dijkstra_relax(__global const uint *column, __global const uint *weight,
                             __global const uint *now, __global uint *next, uint entries,
                             uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        uint least = now[v];
        uint at = v;
        for (uint i = 0; i < entries; i++) {
            least = min(least, add_sat(now[column[at]], weight[at]));
            at += vertices;
        }
        next[v] = least;
    }
}

__kernel void dijkstra_compare(__global const uint *now, __global const uint *next,
                               __global uint *changed, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && now[v] != next[v])
        *changed = 1;
}
