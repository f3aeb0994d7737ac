/* Seven-point stencil on a grid of three dimensions, several steps (Jacobi).
 *
 * Parboil's stencil: its CUDA version, with columns of points in registers and a plane's tile in
 * local memory. Parboil's inputs are 128 x 128 x 32 and 512 x 512 x 64 points, both with 100 steps.
 * hpca16 is the former: kernel-bound, as the paper says of this program. The latter has 128 MiB and
 * over a thousand million warp instructions. */
#include "workload/workload.h"

#include <inttypes.h>

#define WIDTH 32u /* of the work-group, as in kernel.cl */
#define HEIGHT 4u
#define OWN (1.0f / 6.0f)
#define OTHERS (1.0f / 36.0f)

typedef struct stencil3d {
    uint64_t nx, ny, nz, steps, points;
    ww_array *grid[2];
} stencil3d;

static void allocate(ww_host *host, void *state)
{
    stencil3d *s = state;
    s->nx = ww_host_number(host, "nx");
    s->ny = ww_host_number(host, "ny");
    s->nz = ww_host_number(host, "nz");
    s->steps = ww_host_number(host, "steps");
    s->points = s->nx * s->ny * s->nz;
    if (s->points > INT32_MAX)
        ww_host_refuse(host, "nx * ny * nz is %" PRIu64 " (at most %d)", s->points, INT32_MAX);
    s->grid[0] = ww_host_array(host, "grid", WW_INOUT, sizeof(float), s->points);
    s->grid[1] = ww_host_array(host, "grid_next", WW_INOUT, sizeof(float), s->points);
}

static float initial(const stencil3d *s, uint64_t index)
{
    return ww_random_f32(s->grid[0], index, 0, 1);
}

/* Both grids have the border. */
static void fill(ww_host *host, void *state)
{
    stencil3d *s = state;
    float *grid = s->grid[0]->host;
    (void)host;
    for (uint64_t i = 0; i < s->points; i++)
        grid[i] = initial(s, i);
    memcpy(s->grid[1]->host, grid, s->points * sizeof(*grid));
}

static void run(ww_host *host, void *state)
{
    stencil3d *s = state;
    for (uint64_t i = 0; i < s->steps; i++)
        ww_host_launch(host, "stencil3d", ww_range2(s->nx, s->ny, WIDTH, HEIGHT),
                       ww_mem(s->grid[i % 2]), ww_mem(s->grid[(i + 1) % 2]), ww_u32(s->nx),
                       ww_u32(s->ny), ww_u32(s->nz));
}

/* A row of inner points in the kernel's order of additions. */
static void step_row(const stencil3d *s, uint64_t y, uint64_t z, const float *now, float *next)
{
    uint64_t plane = s->nx * s->ny, first = z * plane + y * s->nx;
    for (uint64_t i = first + 1; i + 1 < first + s->nx; i++) {
        float sum = now[i + plane] + now[i - plane] + now[i - s->nx] + now[i + s->nx];
        next[i] = (sum + now[i - 1] + now[i + 1]) * OTHERS - now[i] * OWN;
    }
}

static void expect_grid(const stencil3d *s, ww_array *array, const float *want)
{
    for (uint64_t i = 0; i < s->points; i++)
        ww_expect_f32(array, i, (double)want[i], 0);
}

/* The grid that the last launch read is one step behind. */
static void verify(ww_host *host, void *state)
{
    stencil3d *s = state;
    float *now = ww_host_alloc(host, s->points, sizeof(*now));
    float *next = ww_host_alloc(host, s->points, sizeof(*next));
    for (uint64_t i = 0; i < s->points; i++)
        now[i] = next[i] = initial(s, i);
    for (uint64_t i = 0; i < s->steps; i++) {
        for (uint64_t z = 1; z + 1 < s->nz; z++)
            for (uint64_t y = 1; y + 1 < s->ny; y++)
                step_row(s, y, z, now, next);
        float *swap = now;
        now = next;
        next = swap;
    }
    expect_grid(s, s->grid[s->steps % 2], now);
    expect_grid(s, s->grid[(s->steps + 1) % 2], next);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("nx", "128", 3, 8192, "points in a row"),
    WW_NUMBER_PARAMETER("ny", "128", 3, 8192, "rows in a plane"),
    WW_NUMBER_PARAMETER("nz", "100", 3, 8192, "planes"),
    WW_NUMBER_PARAMETER("steps", "1", 1, 100000, "steps, one launch each"),
};

static const ww_named_size sizes[] = {
    {"tiny", "nx=40,ny=18,nz=8,steps=4", 4, 0},
    {"small", "nx=128,ny=128,nz=100,steps=1", 1, 0},
    {"hpca16", "nx=128,ny=128,nz=32,steps=100", 100, 0},
};

WW_WORKLOAD(stencil3d) = {
    .name = "stencil3d",
    .suite = "Parboil",
    .doc = "seven-point stencil on a grid of three dimensions, plane by plane",
    .papers = "hpca16",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(stencil3d),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
