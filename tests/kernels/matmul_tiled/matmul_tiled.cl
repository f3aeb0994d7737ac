/* Matrix product by tiles in local memory; sizes that are no multiple of the tile. */
#define TILE 8

kernel void matmul_tiled(global const int *a, global const int *b, global int *c, int m, int n, int k)
{
    local int tile_a[TILE][TILE], tile_b[TILE][TILE + 1];
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    int lx = (int)get_local_id(0), ly = (int)get_local_id(1), sum = 0;
    for (int first = 0; first < k; first += TILE) {
        tile_a[ly][lx] = y < m && first + lx < k ? a[y * k + first + lx] : 0;
        tile_b[ly][lx] = x < n && first + ly < k ? b[(first + ly) * n + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ly][i] * tile_b[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < n && y < m)
        c[y * n + x] = sum;
}
