/* Jacobi 2-D: the mean of five points of a grid, several times. */
#include "workload/stencil.h"
#include "workload/workload.h"

#include <inttypes.h>

typedef struct jacobi2d {
    uint64_t n, steps, group, group_width;
    ww_array *a, *b;
} jacobi2d;

static void allocate(ww_host *host, void *state)
{
    jacobi2d *s = state;
    s->n = ww_host_number(host, "n");
    s->steps = ww_host_number(host, "steps");
    s->group = ww_host_number(host, "group");
    s->group_width = ww_host_number(host, "group_width");
    if (s->group % s->group_width != 0)
        ww_host_refuse(host, "group is %" PRIu64 " (a multiple of group_width, %" PRIu64 ", is needed)",
                       s->group, s->group_width);
    s->a = ww_host_array(host, "A", WW_INOUT, sizeof(float), s->n * s->n);
    s->b = ww_host_array(host, "B", WW_INOUT, sizeof(float), s->n * s->n);
}

static void fill(ww_host *host, void *state)
{
    jacobi2d *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->b, 0, 1);
}

static void run(ww_host *host, void *state)
{
    jacobi2d *s = state;
    ww_range points = ww_range2(s->n, s->n, s->group_width, s->group / s->group_width);
    for (uint64_t step = 0; step < s->steps; step++) {
        ww_host_launch(host, "jacobi2d_step", points, ww_mem(s->a), ww_mem(s->b), ww_u32(s->n));
        ww_host_launch(host, "jacobi2d_copy", points, ww_mem(s->a), ww_mem(s->b), ww_u32(s->n));
    }
}

static void initial_row(void *context, uint64_t row, float *values)
{
    const jacobi2d *s = context;
    for (uint64_t j = 0; j < s->n; j++)
        values[j] = ww_random_f32(s->a, row * s->n + j, 0, 1);
}

/* As the kernel, in its order of additions. */
static void step_row(const float *above, const float *here, const float *below, float *made,
                     uint64_t columns)
{
    for (uint64_t j = 1; j + 1 < columns; j++)
        made[j] = 0.2f * (here[j] + here[j - 1] + here[j + 1] + below[j] + above[j]);
}

/* B keeps its own border. */
static void expect_row(void *context, uint64_t step, uint64_t row, const float *want)
{
    const jacobi2d *s = context;
    if (step != s->steps)
        return;
    for (uint64_t j = 0; j < s->n; j++) {
        uint64_t i = row * s->n + j;
        bool inside = row > 0 && row + 1 < s->n && j > 0 && j + 1 < s->n;
        ww_expect_f32(s->a, i, (double)want[j], 0);
        ww_expect_f32(s->b, i, (double)(inside ? want[j] : ww_random_f32(s->b, i, 0, 1)), 0);
    }
}

static void verify(ww_host *host, void *state)
{
    jacobi2d *s = state;
    ww_stencil stencil = {.rows = s->n,
                          .columns = s->n,
                          .steps = s->steps,
                          .rule = step_row,
                          .initial = initial_row,
                          .made = expect_row,
                          .context = s};
    (void)host;
    ww_stencil_run(&stencil);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("n", "1024", 1, 32768, "points on a side of the grid"),
    WW_NUMBER_PARAMETER("steps", "2", 1, 1000, "time steps"),
    WW_GROUP_PARAMETER("256"),
    WW_NUMBER_PARAMETER("group_width", "32", 1, 1024, "of them, work-items along a row"),
};

static const ww_named_size sizes[] = {
    {"tiny", "n=100,steps=3,group=64", 6, 0},
    {"small", "n=1032,steps=1,group=64", 2, 0},
    {"cuptw", "n=16384,steps=2,group=256", 4, 2048},
};

WW_WORKLOAD(jacobi2d) = {
    .name = "jacobi2d",
    .suite = "Polybench",
    .doc = "Jacobi solver on a grid: means of 5 points, and a copy back",
    .papers = "cuptw",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(jacobi2d),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
