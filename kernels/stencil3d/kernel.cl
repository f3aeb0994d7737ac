/* A point of a grid becomes the sum of its six neighbours and itself, with a weight each; points on
 * the border keep their values. A work-item has one column of points and goes through it from plane
 * to plane: the points below, here and above stay in registers, and those beside it come from the
 * group's tile in local memory, or from global memory where they are a neighbour group's. */

#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 32
#define HEIGHT 4
#define OWN (1.0f / 6.0f)
#define OTHERS (1.0f / 36.0f)

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void
stencil3d(__global const float *from, __global float *to, int nx, int ny, int nz)
{
    __local float tile[HEIGHT][WIDTH];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    bool inside = x < nx && y < ny;
    bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    int index = y * nx + x, plane = nx * ny;
    float below = inside ? from[index] : 0, here = inside ? from[index + plane] : 0;

    for (int z = 1; z < nz - 1; z++) {
        index += plane;
        tile[ty][tx] = here;
        barrier(CLK_LOCAL_MEM_FENCE);
        float above = inside ? from[index + plane] : 0;
        if (inner) {
            float west = tx > 0 ? tile[ty][tx - 1] : from[index - 1];
            float east = tx < WIDTH - 1 ? tile[ty][tx + 1] : from[index + 1];
            float north = ty > 0 ? tile[ty - 1][tx] : from[index - nx];
            float south = ty < HEIGHT - 1 ? tile[ty + 1][tx] : from[index + nx];
            to[index] = (above + below + north + south + west + east) * OTHERS - here * OWN;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        below = here;
        here = above;
    }
}
