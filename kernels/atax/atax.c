/* ATAX: y = A^T (A x). */
#include "workload/fused.h"
#include "workload/workload.h"

typedef struct atax {
    uint64_t rows, columns, group;
    ww_array *a, *x, *tmp, *y;
} atax;

static void allocate(ww_host *host, void *state)
{
    atax *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->group = ww_host_number(host, "group");
    s->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->x = ww_host_array(host, "x", WW_INPUT, sizeof(float), s->columns);
    s->tmp = ww_host_array(host, "tmp", WW_INOUT, sizeof(float), s->rows);
    s->y = ww_host_array(host, "y", WW_INOUT, sizeof(float), s->columns);
}

static void fill(ww_host *host, void *state)
{
    atax *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->x, 0, 1);
}

static void run(ww_host *host, void *state)
{
    atax *s = state;
    ww_host_launch(host, "atax_rows", ww_range1(s->rows, s->group), ww_mem(s->a), ww_mem(s->x),
                   ww_mem(s->tmp), ww_u32(s->rows), ww_u32(s->columns));
    ww_host_launch(host, "atax_columns", ww_range1(s->columns, s->group), ww_mem(s->a),
                   ww_mem(s->tmp), ww_mem(s->y), ww_u32(s->rows), ww_u32(s->columns));
}

/* One element of tmp from a row of A, and what it adds to y. */
WW_FUSED static float multiply_row(const float *a, const float *x, float *y, uint64_t columns)
{
    float tmp = 0;
    for (uint64_t j = 0; j < columns; j++)
        tmp = fmaf(a[j], x[j], tmp);
    for (uint64_t j = 0; j < columns; j++)
        y[j] = fmaf(a[j], tmp, y[j]);
    return tmp;
}

static void verify(ww_host *host, void *state)
{
    atax *s = state;
    const float *a = s->a->host;
    float *y = ww_host_alloc(host, s->columns, sizeof(*y));
    for (uint64_t i = 0; i < s->rows; i++) {
        float tmp = multiply_row(a + i * s->columns, s->x->host, y, s->columns);
        ww_expect_f32(s->tmp, i, (double)tmp, 0);
    }
    for (uint64_t j = 0; j < s->columns; j++)
        ww_expect_f32(s->y, j, (double)y[j], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "4096", 1, 65536, "rows of the matrix"),
    WW_NUMBER_PARAMETER("columns", "4096", 1, 65536, "columns of the matrix"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=256,columns=256,group=64", 2, 0},
    {"small", "rows=4096,columns=1024,group=64", 2, 0},
    {"isca18", "rows=4096,columns=4096,group=256", 2, 64.06},
    {"cuptw", "rows=4096,columns=4096,group=64", 2, 64},
};

WW_WORKLOAD(atax) = {
    .name = "atax",
    .suite = "Polybench",
    .doc = "matrix transpose times vector, y = A^T (A x)",
    .papers = "isca18 micro18 cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(atax),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
