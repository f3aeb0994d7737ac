/* CNS: the compressible Navier-Stokes equations with differences of eighth order.
 *
 * The proxy of the combustion co-design centre (BoxLib's CNS without species), in double precision:
 * in each of the three stages of a Runge-Kutta step, fill ghosts, make primitive of conserved
 * quantities, derive, add up diffusive and hyperbolic terms, update. Box and steps are the user's
 * choice in the original, and the paper does not give them. hpca16 has 64^3 cells and one step. */
#include "workload/workload.h"

#include <inttypes.h>

#define GHOSTS 4u /* as in kernel.cl, also below */
#define STATES 5u
#define FLOWS 6u
#define GRADIENTS 9u
#define GAMMA 1.4
#define VISCOSITY 1e-4
#define CONDUCTIVITY 1.5e-4
#define COURANT 0.1 /* time step over the length of a cell; sound has a speed of about 1.2 */

typedef struct cns {
    uint64_t nx, ny, nz, steps, group;
    uint64_t wide, plane, volume; /* with ghosts: a row, a plane, all */
    uint64_t cells;               /* without */
    double by_dx, time;
    ww_array *state[2], *flow, *gradient, *diffusion, *convection;
} cns;

static void allocate(ww_host *host, void *state)
{
    cns *s = state;
    s->nx = ww_host_number(host, "nx");
    s->ny = ww_host_number(host, "ny");
    s->nz = ww_host_number(host, "nz");
    s->steps = ww_host_number(host, "steps");
    s->group = ww_host_number(host, "group");
    s->wide = s->nx + 2 * GHOSTS;
    s->plane = s->wide * (s->ny + 2 * GHOSTS);
    s->volume = s->plane * (s->nz + 2 * GHOSTS);
    s->cells = s->nx * s->ny * s->nz;
    s->by_dx = (double)s->nx;
    s->time = COURANT / s->by_dx;
    if (s->volume * GRADIENTS > INT32_MAX)
        ww_host_refuse(host, "the box has %" PRIu64 " cells with ghosts (at most %u)", s->volume,
                       INT32_MAX / GRADIENTS);
    s->state[0] = ww_host_array(host, "state", WW_INOUT, sizeof(double), STATES * s->volume);
    s->state[1] = ww_host_array(host, "state_next", WW_OUTPUT, sizeof(double), STATES * s->volume);
    s->flow = ww_host_array(host, "flow", WW_OUTPUT, sizeof(double), FLOWS * s->volume);
    s->gradient = ww_host_array(host, "gradient", WW_OUTPUT, sizeof(double), GRADIENTS * s->volume);
    s->diffusion = ww_host_array(host, "diffusion", WW_OUTPUT, sizeof(double), STATES * s->cells);
    s->convection = ww_host_array(host, "convection", WW_OUTPUT, sizeof(double), STATES * s->cells);
}

/* ---- the box ---- */

static uint64_t index_of(const cns *s, uint64_t x, uint64_t y, uint64_t z)
{
    return (z + GHOSTS) * s->plane + (y + GHOSTS) * s->wide + x + GHOSTS;
}

/* The index, in a field with ghosts, of a cell of those without. */
static uint64_t inner_index(const cns *s, uint64_t cell)
{
    return index_of(s, cell % s->nx, cell / s->nx % s->ny, cell / s->nx / s->ny);
}

/* Waves of sound, and noise. */
static void fill_state(const cns *s, double *state)
{
    for (uint64_t cell = 0; cell < s->cells; cell++) {
        double *here = state + inner_index(s, cell), noise[STATES];
        for (uint64_t i = 0; i < STATES; i++)
            noise[i] = ww_random_f64(s->state[0], cell * STATES + i, -0.01, 0.01);
        double part = (double)(cell % s->nx) / (double)s->nx;
        double density = 1 + 0.4 * part * (1 - part) + noise[0];
        double u = 0.1 + noise[1], v = noise[2], w = noise[3], pressure = 1 + noise[4];
        here[0] = density;
        here[s->volume] = density * u;
        here[2 * s->volume] = density * v;
        here[3 * s->volume] = density * w;
        here[4 * s->volume] = pressure / (GAMMA - 1) + 0.5 * density * (u * u + v * v + w * w);
    }
}

static void fill(ww_host *host, void *state)
{
    cns *s = state;
    (void)host;
    fill_state(s, s->state[0]->host);
}

/* A stage makes the state `to` = a state 0 + b (state `from` + time (its change)). */
typedef struct rk_stage {
    int from, to;
    double a, b;
} rk_stage;

#define STAGES 3
static const rk_stage stages[STAGES] = {{0, 1, 0, 1}, {1, 1, 0.75, 0.25}, {1, 0, 1.0 / 3, 2.0 / 3}};

static void run_stage(ww_host *host, cns *s, const rk_stage *stage)
{
    ww_range all = ww_range1(s->volume, s->group), inner = ww_range1(s->cells, s->group);
    ww_arg nx = ww_u32(s->nx), ny = ww_u32(s->ny), nz = ww_u32(s->nz), by_dx = ww_f64(s->by_dx);
    const ww_array *from = s->state[stage->from];
    ww_host_launch(host, "cns_ghosts", all, ww_mem(from), nx, ny, nz);
    ww_host_launch(host, "cns_primitive", all, ww_mem(from), ww_mem(s->flow), nx, ny, nz);
    ww_host_launch(host, "cns_gradients", all, ww_mem(s->flow), ww_mem(s->gradient), nx, ny, nz,
                   by_dx);
    ww_host_launch(host, "cns_diffusion", inner, ww_mem(s->flow), ww_mem(s->gradient),
                   ww_mem(s->diffusion), nx, ny, nz, by_dx, ww_f64(VISCOSITY),
                   ww_f64(CONDUCTIVITY));
    ww_host_launch(host, "cns_convection", inner, ww_mem(from), ww_mem(s->flow),
                   ww_mem(s->convection), nx, ny, nz, by_dx);
    ww_host_launch(host, "cns_update", inner, ww_mem(s->state[0]), ww_mem(from),
                   ww_mem(s->diffusion), ww_mem(s->convection), ww_mem(s->state[stage->to]), nx, ny,
                   nz, ww_f64(stage->a), ww_f64(stage->b), ww_f64(s->time));
}

static void run(ww_host *host, void *state)
{
    cns *s = state;
    for (uint64_t step = 0; step < s->steps; step++)
        for (int i = 0; i < STAGES; i++)
            run_stage(host, s, &stages[i]);
}

/* ---- the reference: the same operations in the same order ---- */

typedef struct fields {
    double *state[2], *flow, *gradient, *diffusion, *convection;
} fields;

static const double first_weights[] = {0.8, -0.2, 4.0 / 105.0, -1.0 / 280.0};
static const double second_weights[] = {1.6, -0.2, 8.0 / 315.0, -1.0 / 560.0};

static double first(const double *f, uint64_t step)
{
    double sum = first_weights[0] * (f[step] - *(f - step));
    for (uint64_t i = 2; i <= 4; i++)
        sum += first_weights[i - 1] * (f[i * step] - *(f - i * step));
    return sum;
}

static double second(const double *f, uint64_t step)
{
    double sum = -205.0 / 72.0 * f[0];
    for (uint64_t i = 1; i <= 4; i++)
        sum += second_weights[i - 1] * (f[i * step] + *(f - i * step));
    return sum;
}

static double first_of_product(const double *f, const double *u, uint64_t step)
{
    double sum = first_weights[0] * (f[step] * u[step] - *(f - step) * *(u - step));
    for (uint64_t i = 2; i <= 4; i++)
        sum +=
            first_weights[i - 1] * (f[i * step] * u[i * step] - *(f - i * step) * *(u - i * step));
    return sum;
}

static void fill_ghosts(const cns *s, double *state)
{
    for (uint64_t index = 0; index < s->volume; index++) {
        uint64_t x = (index % s->wide + s->nx * GHOSTS - GHOSTS) % s->nx;
        uint64_t y = (index % s->plane / s->wide + s->ny * GHOSTS - GHOSTS) % s->ny;
        uint64_t z = (index / s->plane + s->nz * GHOSTS - GHOSTS) % s->nz;
        for (uint64_t i = 0; i < STATES; i++)
            state[i * s->volume + index] = state[i * s->volume + index_of(s, x, y, z)];
    }
}

static void make_primitive(const cns *s, const double *state, double *flow)
{
    for (uint64_t i = 0; i < s->volume; i++) {
        double inverse = 1 / state[i], velocity[3], square = 0;
        for (uint64_t axis = 0; axis < 3; axis++) {
            velocity[axis] = state[(1 + axis) * s->volume + i] * inverse;
            square += velocity[axis] * velocity[axis];
            flow[(1 + axis) * s->volume + i] = velocity[axis];
        }
        double inner = state[4 * s->volume + i] * inverse - 0.5 * square;
        flow[i] = state[i];
        flow[4 * s->volume + i] = (GAMMA - 1) * state[i] * inner;
        flow[5 * s->volume + i] = inner;
    }
}

static void derive(const cns *s, const double *flow, double *gradient)
{
    for (uint64_t index = 0; index < s->volume; index++) {
        uint64_t at[3] = {index % s->wide, index % s->plane / s->wide, index / s->plane};
        uint64_t sides[3] = {s->nx, s->ny, s->nz}, steps[3] = {1, s->wide, s->plane};
        for (uint64_t i = 0; i < GRADIENTS; i++) {
            uint64_t axis = i % 3;
            if (at[axis] >= GHOSTS && at[axis] < sides[axis] + GHOSTS)
                gradient[i * s->volume + index] =
                    first(flow + (1 + i / 3) * s->volume + index, steps[axis]) * s->by_dx;
        }
    }
}

/* Viscous force along an axis; `flow` and `gradient` are those of the cell. */
static double push(const cns *s, const double *flow, const double *gradient, uint64_t axis)
{
    const uint64_t steps[3] = {1, s->wide, s->plane};
    double third = 1.0 / 3.0, straight = 0, mixed = 0;
    for (uint64_t i = 0; i < 3; i++) {
        double part = second(flow + (1 + axis) * s->volume, steps[i]);
        straight += i == axis ? 4 * third * part : part;
        if (i != axis)
            mixed += first(gradient + 4 * i * s->volume, steps[axis]);
    }
    return VISCOSITY * (straight * (s->by_dx * s->by_dx) + third * (mixed * s->by_dx));
}

/* What friction makes of motion. */
static double friction(const cns *s, const double *gradient)
{
    double g[3][3], spread = 0, heat = 0;
    for (uint64_t i = 0; i < GRADIENTS; i++)
        g[i / 3][i % 3] = gradient[i * s->volume];
    spread = 2 * (1.0 / 3.0) * (g[0][0] + g[1][1] + g[2][2]);
    for (int i = 0; i < 3; i++)
        heat += (2 * g[i][i] - spread) * g[i][i];
    double xy = g[0][1] + g[1][0], xz = g[0][2] + g[2][0], yz = g[1][2] + g[2][1];
    return heat + (xy * xy + xz * xz + yz * yz);
}

static void diffuse(const cns *s, const double *flow, const double *gradient, double *diffusion)
{
    const uint64_t steps[3] = {1, s->wide, s->plane};
    for (uint64_t cell = 0; cell < s->cells; cell++) {
        uint64_t index = inner_index(s, cell);
        double conducted = 0, work = 0;
        for (uint64_t axis = 0; axis < 3; axis++) {
            double force = push(s, flow + index, gradient + index, axis);
            conducted += second(flow + 5 * s->volume + index, steps[axis]);
            work += force * flow[(1 + axis) * s->volume + index];
            diffusion[(1 + axis) * s->cells + cell] = force;
        }
        diffusion[cell] = 0;
        diffusion[4 * s->cells + cell] = CONDUCTIVITY * conducted * (s->by_dx * s->by_dx) +
                                         VISCOSITY * friction(s, gradient + index) + work;
    }
}

static void convect(const cns *s, const double *state, const double *flow, double *convection)
{
    const uint64_t steps[3] = {1, s->wide, s->plane};
    for (uint64_t cell = 0; cell < s->cells; cell++) {
        const double *here = state + inner_index(s, cell), *now = flow + inner_index(s, cell);
        const double *pressure = now + 4 * s->volume;
        double sums[STATES] = {0};
        for (uint64_t axis = 0; axis < 3; axis++) {
            const double *u = now + (1 + axis) * s->volume;
            sums[0] += first(here + (1 + axis) * s->volume, steps[axis]);
            for (uint64_t i = 1; i < 4; i++) {
                sums[i] += first_of_product(here + i * s->volume, u, steps[axis]);
                if (i == 1 + axis)
                    sums[i] += first(pressure, steps[axis]);
            }
            sums[4] += first_of_product(here + 4 * s->volume, u, steps[axis]) +
                       first_of_product(pressure, u, steps[axis]);
        }
        for (uint64_t i = 0; i < STATES; i++)
            convection[i * s->cells + cell] = -sums[i] * s->by_dx;
    }
}

static void make_stage(const cns *s, fields *f, const rk_stage *stage)
{
    double *from = f->state[stage->from], *to = f->state[stage->to];
    fill_ghosts(s, from);
    make_primitive(s, from, f->flow);
    derive(s, f->flow, f->gradient);
    diffuse(s, f->flow, f->gradient, f->diffusion);
    convect(s, from, f->flow, f->convection);
    for (uint64_t i = 0; i < STATES * s->cells; i++) {
        uint64_t index = i / s->cells * s->volume + inner_index(s, i % s->cells);
        double change = f->diffusion[i] + f->convection[i];
        to[index] = stage->a * f->state[0][index] + stage->b * (from[index] + s->time * change);
    }
}

static void expect_field(ww_array *array, const double *want)
{
    for (uint64_t i = 0; i < array->buffer->size / sizeof(double); i++)
        ww_expect_f64(array, i, want[i], 0);
}

static void verify(ww_host *host, void *state)
{
    cns *s = state;
    fields f = {.state = {ww_host_alloc(host, STATES * s->volume, sizeof(double)),
                          ww_host_alloc(host, STATES * s->volume, sizeof(double))},
                .flow = ww_host_alloc(host, FLOWS * s->volume, sizeof(double)),
                .gradient = ww_host_alloc(host, GRADIENTS * s->volume, sizeof(double)),
                .diffusion = ww_host_alloc(host, STATES * s->cells, sizeof(double)),
                .convection = ww_host_alloc(host, STATES * s->cells, sizeof(double))};
    fill_state(s, f.state[0]);
    for (uint64_t step = 0; step < s->steps; step++)
        for (int i = 0; i < STAGES; i++)
            make_stage(s, &f, &stages[i]);
    expect_field(s->state[0], f.state[0]);
    expect_field(s->state[1], f.state[1]);
    expect_field(s->flow, f.flow);
    expect_field(s->gradient, f.gradient);
    expect_field(s->diffusion, f.diffusion);
    expect_field(s->convection, f.convection);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("nx", "22", 4, 1024, "cells along x"),
    WW_NUMBER_PARAMETER("ny", "22", 4, 1024, "cells along y"),
    WW_NUMBER_PARAMETER("nz", "24", 4, 1024, "cells along z"),
    WW_NUMBER_PARAMETER("steps", "1", 1, 100000, "time steps of three stages"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "nx=4,ny=4,nz=4,group=64", 18, 0},
    {"small", "nx=22,ny=22,nz=24", 18, 0},
    {"hpca16", "nx=64,ny=64,nz=64", 18, 0},
};

WW_WORKLOAD(cns) = {
    .name = "cns",
    .suite = "ExaCT",
    .doc = "compressible Navier-Stokes with differences of eighth order, Runge-Kutta steps",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(cns),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
