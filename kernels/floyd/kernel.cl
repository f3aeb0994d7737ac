/* Floyd and Warshall's all shortest paths, one intermediate vertex a launch. Work-items of a warp
 * are in different rows of the matrices, as in the original. */
__kernel void floyd(__global uint *distance, __global uint *via, uint vertices, uint middle)
{
    uint from = get_global_id(0);
    uint to = get_global_id(1);
    if (from < vertices && to < vertices) {
        uint way = distance[from * vertices + middle] + distance[middle * vertices + to];
        if (way < distance[from * vertices + to]) {
            distance[from * vertices + to] = way;
            via[from * vertices + to] = middle;
        }
    }
}
