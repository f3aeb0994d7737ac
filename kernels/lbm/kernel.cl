/* Lattice Boltzmann, 19 directions in three dimensions (D3Q19): in a step each cell gathers what
 * its neighbours send towards it, and relaxes it towards equilibrium. An obstacle sends everything
 * back; an accelerated cell has the lid's velocity.
 *
 * Each direction has an array of its own, `stride` cells long, and so have the flags, behind them.
 * A row of cells is a work-group. Around the grid there are MARGIN planes of cells that are only
 * read. */

#pragma OPENCL FP_CONTRACT OFF

#define MARGIN 2
#define OBSTACLE 1u
#define ACCELERATED 2u
#define OMEGA 1.95f

/* Directions: the one at rest, then six along the axes and twelve diagonals, each before its
 * opposite. */
#define DIRECTIONS 19
#define WEIGHT0 (1.0f / 3.0f)
#define WEIGHT1 (1.0f / 18.0f)
#define WEIGHT2 (1.0f / 36.0f)
#define AXES(D)     \
    D(1, 1, 0, 0)   \
    D(3, 0, 1, 0)   \
    D(5, 0, 0, 1)
#define DIAGONALS(D) \
    D(7, 1, 1, 0)    \
    D(9, 1, -1, 0)   \
    D(11, 1, 0, 1)   \
    D(13, 1, 0, -1)  \
    D(15, 0, 1, 1)   \
    D(17, 0, 1, -1)

#define GATHER(i, x, y, z)                                            \
    int step##i = (x) + ((y) + (z) * ny) * nx;                        \
    float f##i = from[(i) * stride + cell - step##i];                 \
    float g##i = from[((i) + 1) * stride + cell + step##i];
#define SEND_BACK(i, x, y, z)              \
    to[(i) * stride + cell] = g##i;        \
    to[((i) + 1) * stride + cell] = f##i;
#define ADD_DENSITY(i, x, y, z) density += f##i + g##i;
#define ADD_FLOW(i, x, y, z)                \
    flow_x += (float)(x) * (f##i - g##i);   \
    flow_y += (float)(y) * (f##i - g##i);   \
    flow_z += (float)(z) * (f##i - g##i);
#define RELAX(i, x, y, z, weight)                                                           \
    {                                                                                       \
        float along = (float)(x) * ux + (float)(y) * uy + (float)(z) * uz;                  \
        float even = along * (4.5f * along) - square;                                       \
        float part = OMEGA * (weight) * density;                                            \
        to[(i) * stride + cell] = (1.0f - OMEGA) * f##i + part * (1.0f + 3.0f * along + even); \
        to[((i) + 1) * stride + cell] =                                                     \
            (1.0f - OMEGA) * g##i + part * (1.0f - 3.0f * along + even);                    \
    }
#define RELAX_AXIS(i, x, y, z) RELAX(i, x, y, z, WEIGHT1)
#define RELAX_DIAGONAL(i, x, y, z) RELAX(i, x, y, z, WEIGHT2)

__kernel void lbm(__global const float *from, __global float *to, int nx, int ny, int nz)
{
    int x = get_local_id(0), y = get_group_id(0), z = get_group_id(1);
    int cell = ((z + MARGIN) * ny + y) * nx + x;
    int stride = (nz + 2 * MARGIN) * ny * nx;
    uint flags = as_uint(from[DIRECTIONS * stride + cell]);

    float f0 = from[cell];
    AXES(GATHER)
    DIAGONALS(GATHER)
    if (flags & OBSTACLE) {
        to[cell] = f0;
        AXES(SEND_BACK)
        DIAGONALS(SEND_BACK)
        return;
    }
    float density = f0, flow_x = 0, flow_y = 0, flow_z = 0;
    AXES(ADD_DENSITY)
    DIAGONALS(ADD_DENSITY)
    AXES(ADD_FLOW)
    DIAGONALS(ADD_FLOW)
    bool accelerated = flags & ACCELERATED;
    float ux = accelerated ? 0.005f : flow_x / density;
    float uy = accelerated ? 0.002f : flow_y / density;
    float uz = accelerated ? 0.0f : flow_z / density;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz);
    to[cell] = (1.0f - OMEGA) * f0 + OMEGA * WEIGHT0 * density * (1.0f - square);
    AXES(RELAX_AXIS)
    DIAGONALS(RELAX_DIAGONAL)
}
