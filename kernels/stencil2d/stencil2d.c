/* Stencil2D: nine points of a grid, through tiles in local memory, several times. */
#include "workload/fused.h"
#include "workload/stencil.h"
#include "workload/workload.h"

#include <inttypes.h>

#define TILE_ROWS 16 /* as in the kernel */
#define ALIGNMENT 16 /* elements; a row of the grid starts at a multiple of it */
#define CENTRE 0.25f
#define CARDINAL 0.15f
#define DIAGONAL 0.05f

typedef struct stencil2d {
    uint64_t rows, columns, steps, group; /* rows and columns without the border */
    uint64_t pitch;
    ww_array *data[2];
} stencil2d;

static void allocate(ww_host *host, void *state)
{
    stencil2d *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->steps = ww_host_number(host, "steps");
    s->group = ww_host_number(host, "group");
    s->pitch = (s->columns + 2 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (s->rows % TILE_ROWS != 0)
        ww_host_refuse(host, "rows is %" PRIu64 " (a multiple of %d, a tile's rows, is needed)",
                       s->rows, TILE_ROWS);
    if (s->columns % s->group != 0)
        ww_host_refuse(host, "columns is %" PRIu64 " (a multiple of group, %" PRIu64 ", is needed)",
                       s->columns, s->group);
    uint64_t points = (s->rows + 2) * s->pitch;
    s->data[0] = ww_host_array(host, "data1", WW_INOUT, sizeof(float), points);
    s->data[1] = ww_host_array(host, "data2", WW_INOUT, sizeof(float), points);
}

/* Both buffers get the same grid: a step does not write the border. */
static void fill(ww_host *host, void *state)
{
    stencil2d *s = state;
    (void)host;
    ww_host_fill_f32(s->data[0], 0, 1);
    memcpy(s->data[1]->host, s->data[0]->host, s->data[0]->buffer->size);
}

static void run(ww_host *host, void *state)
{
    stencil2d *s = state;
    uint64_t local_bytes = (TILE_ROWS + 2) * (s->group + 2) * sizeof(float);
    for (uint64_t step = 0; step < s->steps; step++)
        ww_host_launch(host, "stencil2d", ww_range2(s->rows / TILE_ROWS, s->columns, 1, s->group),
                       ww_mem(s->data[step % 2]), ww_mem(s->data[(step + 1) % 2]),
                       ww_u32(s->pitch), ww_f32(CENTRE), ww_f32(CARDINAL), ww_f32(DIAGONAL),
                       ww_local(local_bytes));
}

static float initial(const stencil2d *s, uint64_t index)
{
    return ww_random_f32(s->data[0], index, 0, 1);
}

static void initial_row(void *context, uint64_t row, float *values)
{
    const stencil2d *s = context;
    for (uint64_t j = 0; j < s->columns + 2; j++)
        values[j] = initial(s, row * s->pitch + j);
}

/* As the kernel, in its order of operations. */
WW_FUSED static void step_row(const float *above, const float *here, const float *below,
                              float *made, uint64_t columns)
{
    for (uint64_t j = 1; j + 1 < columns; j++) {
        float beside = above[j] + below[j] + here[j - 1] + here[j + 1];
        float corners = above[j - 1] + above[j + 1] + below[j - 1] + below[j + 1];
        made[j] = fmaf(DIAGONAL, corners, fmaf(CARDINAL, beside, CENTRE * here[j]));
    }
}

/* A row of the buffer that holds the grid after `step` steps; columns after the border are as they
 * were. */
static void expect_buffer_row(const stencil2d *s, uint64_t step, uint64_t row, const float *want)
{
    for (uint64_t j = 0; j < s->pitch; j++) {
        uint64_t i = row * s->pitch + j;
        bool inside = row > 0 && row <= s->rows && j > 0 && j <= s->columns;
        ww_expect_f32(s->data[step % 2], i, (double)(inside ? want[j] : initial(s, i)), 0);
    }
}

static void expect_row(void *context, uint64_t step, uint64_t row, const float *want)
{
    const stencil2d *s = context;
    if (step + 1 >= s->steps)
        expect_buffer_row(s, step, row, want);
}

/* One buffer has the result, the other what it was one step before. */
static void verify(ww_host *host, void *state)
{
    stencil2d *s = state;
    ww_stencil stencil = {.rows = s->rows + 2,
                          .columns = s->columns + 2,
                          .steps = s->steps,
                          .rule = step_row,
                          .initial = initial_row,
                          .made = expect_row,
                          .context = s};
    (void)host;
    ww_stencil_run(&stencil);
    if (s->steps == 1)
        for (uint64_t i = 0; i < (s->rows + 2) * s->pitch; i++)
            ww_expect_f32(s->data[0], i, (double)initial(s, i), 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "4096", 1, 32768, "rows of the grid, without its border"),
    WW_NUMBER_PARAMETER("columns", "4096", 1, 32768, "columns of the grid, without its border"),
    WW_NUMBER_PARAMETER("steps", "5", 1, 1000, "time steps"),
    WW_NUMBER_PARAMETER("group", "64", 1, 512, "work-items in a work-group, and a tile's columns"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=64,columns=128,steps=5", 5, 0},
    {"small", "rows=1024,columns=1024,steps=1", 1, 0},
    {"cuptw", "rows=8192,columns=8192,steps=5", 5, 512},
};

WW_WORKLOAD(stencil2d) = {
    .name = "stencil2d",
    .suite = "SHOC",
    .doc = "nine-point stencil on a grid, tiles with a halo in local memory",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(stencil2d),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
