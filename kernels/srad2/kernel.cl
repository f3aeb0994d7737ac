/* Speckle-reducing anisotropic diffusion of an image, in tiles of TILE x TILE pixels in local
 * memory. A tile has four more tiles for what lies beyond its edges: every work-item loads the pixel
 * beyond the north edge in its column, beyond the west edge in its row, and so on, so that all rows
 * of the northern tile are the same, and all columns of the western one. At the edge of the image
 * the edge pixel is its own neighbour. */

#pragma OPENCL FP_CONTRACT OFF

#define TILE 16

/* The differences to the four neighbours and the diffusion coefficient, 0..1, of each pixel. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
srad2_coefficients(__global float *to_east, __global float *to_west, __global float *to_north,
                   __global float *to_south, __global const float *image,
                   __global float *coefficient, int columns, int rows, float speckle)
{
    __local float tile[TILE][TILE], result[TILE][TILE];
    __local float north[TILE][TILE], south[TILE][TILE], east[TILE][TILE], west[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    int first_row = row - y, first_column = column - x;
    int above = max(first_row - 1, 0), below = min(first_row + TILE, rows - 1);
    int left = max(first_column - 1, 0), right = min(first_column + TILE, columns - 1);
    int index = row * columns + column;

    north[y][x] = image[above * columns + column];
    south[y][x] = image[below * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    west[y][x] = image[row * columns + left];
    east[y][x] = image[row * columns + right];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = image[index];
    barrier(CLK_LOCAL_MEM_FENCE);

    float here = tile[y][x], n, s, w, e;
    if (y == 0)
        n = north[y][x] - here;
    else
        n = tile[y - 1][x] - here;
    if (y == TILE - 1)
        s = south[y][x] - here;
    else
        s = tile[y + 1][x] - here;
    if (x == 0)
        w = west[y][x] - here;
    else
        w = tile[y][x - 1] - here;
    if (x == TILE - 1)
        e = east[y][x] - here;
    else
        e = tile[y][x + 1] - here;

    float gradient = (n * n + s * s + w * w + e * e) / (here * here);
    float laplacian = (n + s + w + e) / here;
    float numerator = 0.5f * gradient - 1.0f / 16.0f * (laplacian * laplacian);
    float denominator = 1.0f + 0.25f * laplacian;
    float variation = numerator / (denominator * denominator);
    float c = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
    if (c < 0.0f)
        result[y][x] = 0.0f;
    else if (c > 1.0f)
        result[y][x] = 1.0f;
    else
        result[y][x] = c;
    barrier(CLK_LOCAL_MEM_FENCE);

    coefficient[index] = result[y][x];
    to_east[index] = e;
    to_west[index] = w;
    to_south[index] = s;
    to_north[index] = n;
}

/* Adds a part `rate` of the divergence: coefficients of the pixel itself (towards north and west)
 * and of its southern and eastern neighbours. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
srad2_update(__global const float *to_east, __global const float *to_west,
             __global const float *to_north, __global const float *to_south, __global float *image,
             __global const float *coefficient, int columns, int rows, float rate)
{
    __local float tile[TILE][TILE], coefficients[TILE][TILE], result[TILE][TILE];
    __local float south[TILE][TILE], east[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    int below = min(row - y + TILE, rows - 1), right = min(column - x + TILE, columns - 1);
    int index = row * columns + column;

    tile[y][x] = image[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    south[y][x] = coefficient[below * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    east[y][x] = coefficient[row * columns + right];
    barrier(CLK_LOCAL_MEM_FENCE);
    coefficients[y][x] = coefficient[index];
    barrier(CLK_LOCAL_MEM_FENCE);

    float here = coefficients[y][x], s, e;
    if (y == TILE - 1)
        s = south[y][x];
    else
        s = coefficients[y + 1][x];
    if (x == TILE - 1)
        e = east[y][x];
    else
        e = coefficients[y][x + 1];
    float divergence = here * to_north[index] + s * to_south[index] + here * to_west[index] +
                       e * to_east[index];
    result[y][x] = tile[y][x] + 0.25f * rate * divergence;
    barrier(CLK_LOCAL_MEM_FENCE);
    image[index] = result[y][x];
}
