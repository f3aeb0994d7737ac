/* Lattice Boltzmann in three dimensions with 19 directions: a fluid in a box with moving lids.
 *
 * Parboil's lbm: one kernel a step, an array for each direction, a work-group for each row of
 * cells. Parboil's inputs are 120 x 120 x 150 cells with 100 and 3000 steps: 329 MiB, above the 144
 * MB of the paper's largest program. hpca16 has the same rows and planes, of which there are 14,
 * and a tenth of the short run's steps: 10. */
#include "workload/workload.h"

#include <inttypes.h>

#define MARGIN 2u /* planes around the grid, as in kernel.cl; also below */
#define OBSTACLE 1u
#define ACCELERATED 2u
#define OMEGA 1.95f
#define DIRECTIONS 19u

/* Each before its opposite, as in kernel.cl. */
static const int directions[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

typedef struct lbm {
    uint64_t nx, ny, nz, steps;
    uint64_t stride; /* cells with margins: elements of a direction's array */
    ww_array *cells[2];
} lbm;

static float weight(uint64_t direction)
{
    return direction == 0 ? 1.0f / 3.0f : direction < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

static void allocate(ww_host *host, void *state)
{
    lbm *s = state;
    s->nx = ww_host_number(host, "nx");
    s->ny = ww_host_number(host, "ny");
    s->nz = ww_host_number(host, "nz");
    s->steps = ww_host_number(host, "steps");
    s->stride = s->nx * s->ny * (s->nz + 2 * MARGIN);
    uint64_t elements = s->stride * (DIRECTIONS + 1);
    if (elements > INT32_MAX)
        ww_host_refuse(host, "nx * ny * (nz + %u) * %u is %" PRIu64 " (at most %d)", 2 * MARGIN,
                       DIRECTIONS + 1, elements, INT32_MAX);
    s->cells[0] = ww_host_array(host, "cells", WW_INOUT, sizeof(float), elements);
    s->cells[1] = ww_host_array(host, "cells_next", WW_INOUT, sizeof(float), elements);
}

/* ---- the box ---- */

static bool is_edge(uint64_t i, uint64_t count, uint64_t thickness)
{
    return i < thickness || i + thickness >= count;
}

/* Walls all around; the planes beside the lids are accelerated, except near the other walls. */
static uint32_t flags_of(const lbm *s, uint64_t x, uint64_t y, uint64_t z)
{
    if (is_edge(x, s->nx, 1) || is_edge(y, s->ny, 1) || is_edge(z, s->nz, 1))
        return OBSTACLE;
    bool near_wall = is_edge(x, s->nx, 2) || is_edge(y, s->ny, 2);
    return is_edge(z, s->nz, 2) && !near_wall ? ACCELERATED : 0;
}

/* A fluid at rest whose density differs from cell to cell. */
static void fill_cells(const lbm *s, float *cells)
{
    for (uint64_t cell = 0; cell < s->stride; cell++) {
        float density = ww_random_f32(s->cells[0], cell, 0.99f, 1.01f);
        for (uint64_t i = 0; i < DIRECTIONS; i++)
            cells[i * s->stride + cell] = weight(i) * density;
    }
    uint32_t *flags = (uint32_t *)(void *)cells + DIRECTIONS * s->stride;
    memset(flags, 0, s->stride * sizeof(*flags));
    for (uint64_t z = 0; z < s->nz; z++)
        for (uint64_t y = 0; y < s->ny; y++)
            for (uint64_t x = 0; x < s->nx; x++)
                flags[((z + MARGIN) * s->ny + y) * s->nx + x] = flags_of(s, x, y, z);
}

static void fill(ww_host *host, void *state)
{
    lbm *s = state;
    (void)host;
    fill_cells(s, s->cells[0]->host);
    fill_cells(s, s->cells[1]->host);
}

static void run(ww_host *host, void *state)
{
    lbm *s = state;
    for (uint64_t i = 0; i < s->steps; i++)
        ww_host_launch(host, "lbm", ww_range2(s->nx * s->ny, s->nz, s->nx, 1),
                       ww_mem(s->cells[i % 2]), ww_mem(s->cells[(i + 1) % 2]), ww_u32(s->nx),
                       ww_u32(s->ny), ww_u32(s->nz));
}

/* ---- the reference ---- */

static uint64_t opposite(uint64_t direction)
{
    return direction == 0 ? 0 : direction % 2 ? direction + 1 : direction - 1;
}

/* What comes to a cell from each direction. */
static void gather(const lbm *s, const float *cells, uint64_t cell, float *f)
{
    for (uint64_t i = 0; i < DIRECTIONS; i++) {
        const int *d = directions[i];
        int64_t step = d[0] + (d[1] + d[2] * (int64_t)s->ny) * (int64_t)s->nx;
        f[i] = cells[(int64_t)(i * s->stride + cell) - step];
    }
}

/* Density and velocity, in the kernel's order of additions. */
static float measure(const float *f, uint32_t flags, float *u)
{
    float density = f[0], flow[3] = {0};
    for (uint64_t i = 1; i < DIRECTIONS; i += 2) {
        density += f[i] + f[i + 1];
        for (int axis = 0; axis < 3; axis++)
            flow[axis] += (float)directions[i][axis] * (f[i] - f[i + 1]);
    }
    static const float lid[3] = {0.005f, 0.002f, 0};
    for (int axis = 0; axis < 3; axis++)
        u[axis] = flags & ACCELERATED ? lid[axis] : flow[axis] / density;
    return density;
}

static void relax(const lbm *s, const float *f, uint32_t flags, uint64_t cell, float *next)
{
    float u[3], density = measure(f, flags, u);
    float square = 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    next[cell] = (1.0f - OMEGA) * f[0] + OMEGA * weight(0) * density * (1.0f - square);
    for (uint64_t i = 1; i < DIRECTIONS; i += 2) {
        const int *d = directions[i];
        float along = (float)d[0] * u[0] + (float)d[1] * u[1] + (float)d[2] * u[2];
        float even = along * (4.5f * along) - square, part = OMEGA * weight(i) * density;
        next[i * s->stride + cell] = (1.0f - OMEGA) * f[i] + part * (1.0f + 3.0f * along + even);
        next[(i + 1) * s->stride + cell] =
            (1.0f - OMEGA) * f[i + 1] + part * (1.0f - 3.0f * along + even);
    }
}

static void step_cell(const lbm *s, uint64_t cell, const float *now, float *next)
{
    float f[DIRECTIONS];
    uint32_t flags;
    memcpy(&flags, &now[DIRECTIONS * s->stride + cell], sizeof(flags));
    gather(s, now, cell, f);
    if (!(flags & OBSTACLE)) {
        relax(s, f, flags, cell, next);
        return;
    }
    for (uint64_t i = 0; i < DIRECTIONS; i++)
        next[opposite(i) * s->stride + cell] = f[i];
}

/* Bit by bit, since flags are no numbers. */
static void expect_cells(const lbm *s, ww_array *array, const float *want)
{
    for (uint64_t i = 0; i < s->stride * (DIRECTIONS + 1); i++) {
        uint32_t bits;
        memcpy(&bits, &want[i], sizeof(bits));
        ww_expect_u32(array, i, bits);
    }
}

/* The array that the last launch read is one step behind. */
static void verify(ww_host *host, void *state)
{
    lbm *s = state;
    uint64_t plane = s->nx * s->ny;
    float *now = ww_host_alloc(host, s->stride * (DIRECTIONS + 1), sizeof(*now));
    float *next = ww_host_alloc(host, s->stride * (DIRECTIONS + 1), sizeof(*next));
    fill_cells(s, now);
    fill_cells(s, next);
    for (uint64_t i = 0; i < s->steps; i++) {
        for (uint64_t cell = MARGIN * plane; cell < (MARGIN + s->nz) * plane; cell++)
            step_cell(s, cell, now, next);
        float *swap = now;
        now = next;
        next = swap;
    }
    expect_cells(s, s->cells[s->steps % 2], now);
    expect_cells(s, s->cells[(s->steps + 1) % 2], next);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("nx", "64", 5, 1024, "cells in a row, and work-items in a work-group"),
    WW_NUMBER_PARAMETER("ny", "64", 5, 4096, "rows in a plane"),
    WW_NUMBER_PARAMETER("nz", "12", 5, 4096, "planes"),
    WW_NUMBER_PARAMETER("steps", "2", 1, 100000, "time steps, one launch each"),
};

static const ww_named_size sizes[] = {
    {"tiny", "nx=16,ny=6,nz=8,steps=4", 4, 0},
    {"small", "nx=64,ny=64,nz=12,steps=2", 2, 0},
    {"hpca16", "nx=120,ny=120,nz=14,steps=10", 10, 0},
};

WW_WORKLOAD(lbm) = {
    .name = "lbm",
    .suite = "Parboil",
    .doc = "lattice Boltzmann with 19 directions: a fluid in a box with moving lids",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(lbm),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
