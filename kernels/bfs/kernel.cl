/* Breadth-first search, one level in two kernels; every vertex is a work-item of both. Marks are
 * bytes, as in Rodinia. */

/* Vertices of the frontier give their unvisited neighbours a cost; neighbours that several of them
 * share get the same one from each. node[v] is where v's edges start, and how many there are. */
__kernel void bfs_expand(__global const uint2 *node, __global const uint *edge,
                         __global uchar *frontier, __global uchar *next,
                         __global const uchar *visited, __global int *cost, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && frontier[v]) {
        frontier[v] = 0;
        uint end = node[v].x + node[v].y;
        for (uint i = node[v].x; i < end; i++) {
            uint to = edge[i];
            if (!visited[to]) {
                cost[to] = cost[v] + 1;
                next[to] = 1;
            }
        }
    }
}

/* Those neighbours become the frontier; `more` says that there are any. */
__kernel void bfs_update(__global uchar *frontier, __global uchar *next, __global uchar *visited,
                         __global uint *more, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && next[v]) {
        frontier[v] = 1;
        visited[v] = 1;
        *more = 1;
        next[v] = 0;
    }
}
