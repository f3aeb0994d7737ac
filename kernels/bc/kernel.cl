/* Betweenness centrality, one source at a time, a vertex a work-item in every launch. depth is the
 * number of edges from the source, -1 where it is not known yet. */

/* OpenCL 1.2 has no sums of floats in memory: compare and swap, until no other came between. */
static void add_to(__global float *sum, float value)
{
    uint old = as_uint(*sum);
    uint seen = atomic_cmpxchg((__global uint *)sum, old, as_uint(as_float(old) + value));
    while (seen != old) {
        old = seen;
        seen = atomic_cmpxchg((__global uint *)sum, old, as_uint(as_float(old) + value));
    }
}

__kernel void bc_clear(__global float *centrality, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices)
        centrality[v] = 0;
}

__kernel void bc_clear_marks(__global uint *mark, uint marks)
{
    uint i = get_global_id(0);
    if (i < marks)
        mark[i] = 0;
}

__kernel void bc_start(__global int *depth, __global float *paths, __global float *dependency,
                       uint source, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices) {
        depth[v] = v == source ? 0 : -1;
        paths[v] = v == source ? 1 : 0;
        dependency[v] = 0;
    }
}

/* One level of the search: every shortest path to v is one to each neighbour of the next level. */
__kernel void bc_forward(__global const uint *row, __global const uint *column,
                         __global int *depth, __global float *paths, __global uint *more,
                         int level, uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && depth[v] == level) {
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++) {
            uint to = column[i];
            if (depth[to] < 0) {
                *more = 1;
                depth[to] = level + 1;
            }
            if (depth[to] == level + 1)
                add_to(&paths[to], paths[v]);
        }
    }
}

/* One level on the way back; the rows hold the edges that come in. A vertex passes what depends on
 * it to those before it, in proportion to their paths. */
__kernel void bc_backward(__global const uint *row, __global const uint *column,
                          __global const int *depth, __global const float *paths,
                          __global float *dependency, __global float *centrality, int level,
                          uint vertices)
{
    uint v = get_global_id(0);
    if (v < vertices && depth[v] == level) {
        uint end = row[v + 1];
        for (uint i = row[v]; i < end; i++) {
            uint from = column[i];
            if (depth[from] == level - 1)
                add_to(&dependency[from], paths[from] / paths[v] * (1 + dependency[v]));
        }
        if (level > 0)
            centrality[v] += dependency[v];
    }
}
