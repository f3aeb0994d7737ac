/* One step of a 5-point stencil: each cell becomes the mean of its neighbours; the border stays. A
 * tile with its halo is loaded into local memory first. */
kernel void step(global const float *from, global float *to, int width, int height,
                 local float *tile)
{
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    int pitch = get_local_size(0) + 2;
    int last_x = get_local_size(0), last_y = get_local_size(1);

    tile[ly * pitch + lx] = from[y * width + x];
    if (lx == 1 && x > 0)
        tile[ly * pitch] = from[y * width + x - 1];
    if (lx == last_x && x < width - 1)
        tile[ly * pitch + lx + 1] = from[y * width + x + 1];
    if (ly == 1 && y > 0)
        tile[lx] = from[(y - 1) * width + x];
    if (ly == last_y && y < height - 1)
        tile[(ly + 1) * pitch + lx] = from[(y + 1) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    float value = tile[ly * pitch + lx];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        value = (tile[ly * pitch + lx - 1] + tile[ly * pitch + lx + 1] +
                 tile[(ly - 1) * pitch + lx] + tile[(ly + 1) * pitch + lx]) / 4;
    to[y * width + x] = value;
}
