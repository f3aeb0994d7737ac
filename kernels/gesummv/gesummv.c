/* GESUMMV: y = alpha A x + beta B x. */
#include "workload/fused.h"
#include "workload/workload.h"

#define ALPHA 1.5f
#define BETA 1.2f

typedef struct gesummv {
    uint64_t rows, columns, group;
    ww_array *a, *b, *x, *y, *tmp;
} gesummv;

static void allocate(ww_host *host, void *state)
{
    gesummv *s = state;
    s->rows = ww_host_number(host, "rows");
    s->columns = ww_host_number(host, "columns");
    s->group = ww_host_number(host, "group");
    s->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->b = ww_host_array(host, "B", WW_INPUT, sizeof(float), s->rows * s->columns);
    s->x = ww_host_array(host, "x", WW_INPUT, sizeof(float), s->columns);
    s->y = ww_host_array(host, "y", WW_INOUT, sizeof(float), s->rows);
    s->tmp = ww_host_array(host, "tmp", WW_INOUT, sizeof(float), s->rows);
}

static void fill(ww_host *host, void *state)
{
    gesummv *s = state;
    (void)host;
    ww_host_fill_f32(s->a, 0, 1);
    ww_host_fill_f32(s->b, 0, 1);
    ww_host_fill_f32(s->x, 0, 1);
}

static void run(ww_host *host, void *state)
{
    gesummv *s = state;
    ww_host_launch(host, "gesummv", ww_range1(s->rows, s->group), ww_mem(s->a), ww_mem(s->b),
                   ww_mem(s->x), ww_mem(s->y), ww_mem(s->tmp), ww_f32(ALPHA), ww_f32(BETA),
                   ww_u32(s->rows), ww_u32(s->columns));
}

WW_FUSED static float dot_product(const float *a, const float *x, uint64_t columns)
{
    float sum = 0;
    for (uint64_t j = 0; j < columns; j++)
        sum = fmaf(a[j], x[j], sum);
    return sum;
}

static void verify(ww_host *host, void *state)
{
    gesummv *s = state;
    const float *a = s->a->host, *b = s->b->host, *x = s->x->host;
    (void)host;
    for (uint64_t i = 0; i < s->rows; i++) {
        float ax = dot_product(a + i * s->columns, x, s->columns);
        float bx = dot_product(b + i * s->columns, x, s->columns);
        ww_expect_f32(s->tmp, i, (double)ax, 0);
        ww_expect_f32(s->y, i, (double)fmaf(ALPHA, ax, BETA * bx), 0);
    }
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "4096", 1, 65536, "rows of the matrices"),
    WW_NUMBER_PARAMETER("columns", "4096", 1, 65536, "columns of the matrices"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=256,columns=256,group=64", 1, 0},
    {"small", "rows=4096,columns=1024,group=64", 1, 0},
    {"isca18", "rows=4096,columns=4096,group=256", 1, 128.06},
};

WW_WORKLOAD(gesummv) = {
    .name = "gesummv",
    .suite = "Polybench",
    .doc = "sum of two matrix-vector products, y = alpha A x + beta B x",
    .papers = "isca18 micro18",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(gesummv),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
