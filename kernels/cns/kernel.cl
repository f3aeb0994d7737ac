/* Compressible Navier-Stokes in a periodic box, with differences of eighth order.
 *
 * field    an array of nx x ny x nz cells with GHOSTS more on each side, which repeat the cells of
 *          the other side; several of them one after another, `volume` cells apart. What is only
 *          needed inside has no ghosts.
 * state    density, momentum along x, y and z, energy
 * flow     density, velocity along x, y and z, pressure, temperature
 *
 * A work-item has one cell. */

#pragma OPENCL FP_CONTRACT OFF

#define GHOSTS 4
#define STATES 5
#define GAMMA 1.4

/* First derivative of f at distances of one to four cells, and second derivative. */
#define A1 0.8
#define A2 -0.2
#define A3 (4.0 / 105.0)
#define A4 (-1.0 / 280.0)
#define B0 (-205.0 / 72.0)
#define B1 1.6
#define B2 -0.2
#define B3 (8.0 / 315.0)
#define B4 (-1.0 / 560.0)

typedef struct cell {
    int x, y, z; /* without ghosts: negative in those before the first */
    int index;   /* in a field with ghosts */
    bool inside; /* of the launch's cells */
} cell;

/* The work-item's cell among all with ghosts. */
static cell any_cell(int nx, int ny, int nz)
{
    int item = get_global_id(0);
    int wide = nx + 2 * GHOSTS, high = ny + 2 * GHOSTS, deep = nz + 2 * GHOSTS;
    cell c = {item % wide - GHOSTS, item / wide % high - GHOSTS, item / wide / high - GHOSTS, item,
              item < wide * high * deep};
    return c;
}

/* The work-item's cell among those without ghosts. */
static cell inner_cell(int nx, int ny, int nz)
{
    int item = get_global_id(0), x = item % nx, y = item / nx % ny, z = item / nx / ny;
    int wide = nx + 2 * GHOSTS, high = ny + 2 * GHOSTS;
    int index = ((z + GHOSTS) * high + y + GHOSTS) * wide + x + GHOSTS;
    cell c = {x, y, z, index, item < nx * ny * nz};
    return c;
}

static int volume_of(int nx, int ny, int nz)
{
    return (nx + 2 * GHOSTS) * (ny + 2 * GHOSTS) * (nz + 2 * GHOSTS);
}

/* Over the length of a cell; `s` is the distance to the next one. */
static double first(__global const double *f, int s)
{
    return A1 * (f[s] - f[-s]) + A2 * (f[2 * s] - f[-2 * s]) + A3 * (f[3 * s] - f[-3 * s]) +
           A4 * (f[4 * s] - f[-4 * s]);
}

static double second(__global const double *f, int s)
{
    return B0 * f[0] + B1 * (f[s] + f[-s]) + B2 * (f[2 * s] + f[-2 * s]) +
           B3 * (f[3 * s] + f[-3 * s]) + B4 * (f[4 * s] + f[-4 * s]);
}

/* The first derivative of f u. */
static double first_of_product(__global const double *f, __global const double *u, int s)
{
    return A1 * (f[s] * u[s] - f[-s] * u[-s]) + A2 * (f[2 * s] * u[2 * s] - f[-2 * s] * u[-2 * s]) +
           A3 * (f[3 * s] * u[3 * s] - f[-3 * s] * u[-3 * s]) +
           A4 * (f[4 * s] * u[4 * s] - f[-4 * s] * u[-4 * s]);
}

/* Fills the ghosts of the state. */
__kernel void cns_ghosts(__global double *state, int nx, int ny, int nz)
{
    cell c = any_cell(nx, ny, nz);
    if (!c.inside)
        return;
    int x = (c.x + nx) % nx, y = (c.y + ny) % ny, z = (c.z + nz) % nz;
    int wide = nx + 2 * GHOSTS, high = ny + 2 * GHOSTS, volume = volume_of(nx, ny, nz);
    int from = ((z + GHOSTS) * high + y + GHOSTS) * wide + x + GHOSTS;
    if (from != c.index)
        for (int i = 0; i < STATES; i++)
            state[i * volume + c.index] = state[i * volume + from];
}

/* From conserved to primitive quantities. */
__kernel void cns_primitive(__global const double *state, __global double *flow, int nx, int ny,
                            int nz)
{
    cell c = any_cell(nx, ny, nz);
    int volume = volume_of(nx, ny, nz);
    if (!c.inside)
        return;
    state += c.index;
    flow += c.index;
    double density = state[0], inverse = 1 / density;
    double u = state[volume] * inverse, v = state[2 * volume] * inverse;
    double w = state[3 * volume] * inverse;
    double inner = state[4 * volume] * inverse - 0.5 * (u * u + v * v + w * w);
    flow[0] = density;
    flow[volume] = u;
    flow[2 * volume] = v;
    flow[3 * volume] = w;
    flow[4 * volume] = (GAMMA - 1) * density * inner;
    flow[5 * volume] = inner;
}

/* First derivatives of the velocities, three for each; in ghosts only those along a face. */
__kernel void cns_gradients(__global const double *flow, __global double *gradient, int nx, int ny,
                            int nz, double by_dx)
{
    cell c = any_cell(nx, ny, nz);
    int wide = nx + 2 * GHOSTS, high = ny + 2 * GHOSTS, volume = volume_of(nx, ny, nz);
    if (!c.inside)
        return;
    for (int i = 0; i < 3; i++) {
        __global const double *f = flow + (1 + i) * volume + c.index;
        __global double *g = gradient + 3 * i * volume + c.index;
        if (c.x >= 0 && c.x < nx)
            g[0] = first(f, 1) * by_dx;
        if (c.y >= 0 && c.y < ny)
            g[volume] = first(f, wide) * by_dx;
        if (c.z >= 0 && c.z < nz)
            g[2 * volume] = first(f, wide * high) * by_dx;
    }
}

/* Viscosity and conduction of heat. */
__kernel void cns_diffusion(__global const double *flow, __global const double *gradient,
                            __global double *diffusion, int nx, int ny, int nz, double by_dx,
                            double viscosity, double conductivity)
{
    cell c = inner_cell(nx, ny, nz);
    int sy = nx + 2 * GHOSTS, sz = sy * (ny + 2 * GHOSTS), volume = volume_of(nx, ny, nz);
    if (!c.inside)
        return;
    __global const double *u = flow + volume + c.index, *v = u + volume, *w = v + volume;
    __global const double *t = w + 2 * volume;
    __global const double *ux = gradient + c.index, *uy = ux + volume, *uz = uy + volume;
    __global const double *vx = uz + volume, *vy = vx + volume, *vz = vy + volume;
    __global const double *wx = vz + volume, *wy = wx + volume, *wz = wy + volume;
    double square = by_dx * by_dx, third = 1.0 / 3.0;

    double mixed_x = (first(vy, 1) + first(wz, 1)) * by_dx;
    double mixed_y = (first(ux, sy) + first(wz, sy)) * by_dx;
    double mixed_z = (first(ux, sz) + first(vy, sz)) * by_dx;
    double push_x = viscosity * ((4 * third * second(u, 1) + second(u, sy) + second(u, sz)) * square +
                                 third * mixed_x);
    double push_y = viscosity * ((second(v, 1) + 4 * third * second(v, sy) + second(v, sz)) * square +
                                 third * mixed_y);
    double push_z = viscosity * ((second(w, 1) + second(w, sy) + 4 * third * second(w, sz)) * square +
                                 third * mixed_z);
    double spread = 2 * third * (*ux + *vy + *wz);
    double xy = *uy + *vx, xz = *uz + *wx, yz = *vz + *wy;
    double heat = (2 * *ux - spread) * *ux + (2 * *vy - spread) * *vy + (2 * *wz - spread) * *wz +
                  (xy * xy + xz * xz + yz * yz);
    double conducted = conductivity * (second(t, 1) + second(t, sy) + second(t, sz)) * square;

    int cells = nx * ny * nz;
    diffusion += get_global_id(0);
    diffusion[0] = 0;
    diffusion[cells] = push_x;
    diffusion[2 * cells] = push_y;
    diffusion[3 * cells] = push_z;
    diffusion[4 * cells] =
        conducted + viscosity * heat + (push_x * *u + push_y * *v + push_z * *w);
}

/* What flows in and out along the three axes. */
__kernel void cns_convection(__global const double *state, __global const double *flow,
                             __global double *convection, int nx, int ny, int nz, double by_dx)
{
    cell c = inner_cell(nx, ny, nz);
    int volume = volume_of(nx, ny, nz), cells = nx * ny * nz;
    if (!c.inside)
        return;
    double sums[STATES] = {0, 0, 0, 0, 0};
    __global const double *p = flow + 4 * volume + c.index, *energy = state + 4 * volume + c.index;
#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
        int s = axis == 0 ? 1 : axis == 1 ? nx + 2 * GHOSTS : (nx + 2 * GHOSTS) * (ny + 2 * GHOSTS);
        __global const double *u = flow + (1 + axis) * volume + c.index;
        sums[0] += first(state + (1 + axis) * volume + c.index, s);
#pragma unroll
        for (int i = 1; i < 4; i++) {
            sums[i] += first_of_product(state + i * volume + c.index, u, s);
            if (i == 1 + axis)
                sums[i] += first(p, s);
        }
        sums[4] += first_of_product(energy, u, s) + first_of_product(p, u, s);
    }
    convection += get_global_id(0);
#pragma unroll
    for (int i = 0; i < STATES; i++)
        convection[i * cells] = -sums[i] * by_dx;
}

/* to = a old + b (from + time (diffusion + convection)); `to` may be one of the states. */
__kernel void cns_update(__global const double *old, __global const double *from,
                         __global const double *diffusion, __global const double *convection,
                         __global double *to, int nx, int ny, int nz, double a, double b,
                         double time)
{
    cell c = inner_cell(nx, ny, nz);
    int volume = volume_of(nx, ny, nz), cells = nx * ny * nz, item = get_global_id(0);
    if (!c.inside)
        return;
    for (int i = 0; i < STATES; i++) {
        int index = i * volume + c.index;
        double change = diffusion[i * cells + item] + convection[i * cells + item];
        to[index] = a * old[index] + b * (from[index] + time * change);
    }
}
