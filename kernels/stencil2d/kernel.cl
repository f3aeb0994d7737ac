/* One step of a nine-point stencil, in tiles of TILE_ROWS rows and as many columns as a group has
 * work-items. The grid has a border of one point, so that tile (0, 0) starts at point (1, 1). */

/* A product and its sum in one expression are rounded once. */
#pragma OPENCL FP_CONTRACT ON

#define TILE_ROWS 16

/* One column of a tile a work-item. Dimension 0 counts tiles down the grid, dimension 1 columns
 * across it. `tile` holds the tile and one more point on each side. */
__kernel void stencil2d(__global const float *data, __global float *new_data, int pitch,
                        float centre, float cardinal, float diagonal, __local float *tile)
{
    int width = get_local_size(1);
    int local_pitch = width + 2;
    int across = get_local_id(1) + 1;
    int first_row = get_group_id(0) * TILE_ROWS;
    int column = get_global_id(1) + 1;

    for (int i = 0; i < TILE_ROWS + 2; i++)
        tile[i * local_pitch + across] = data[(first_row + i) * pitch + column];
    if (across == 1)
        for (int i = 0; i < TILE_ROWS + 2; i++)
            tile[i * local_pitch] = data[(first_row + i) * pitch + column - 1];
    if (across == width)
        for (int i = 0; i < TILE_ROWS + 2; i++)
            tile[i * local_pitch + width + 1] = data[(first_row + i) * pitch + column + 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 1; i <= TILE_ROWS; i++) {
        __local const float *here = tile + i * local_pitch + across;
        __local const float *above = here - local_pitch;
        __local const float *below = here + local_pitch;
        float beside = above[0] + below[0] + here[-1] + here[1];
        float corners = above[-1] + above[1] + below[-1] + below[1];
        float inner = centre * here[0];
        inner += cardinal * beside;
        new_data[(first_row + i) * pitch + column] = inner + diagonal * corners;
    }
}
