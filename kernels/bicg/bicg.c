/* BICG: the two products of the BiCGStab solver, q = A p and s = A^T r. */
#include "workload/fused.h"
#include "workload/workload.h"

typedef struct bicg {
    uint64_t rows, columns, group;
    ww_array *a, *p, *q, *r, *s;
} bicg;

static void allocate(ww_host *host, void *state)
{
    bicg *b = state;
    b->rows = ww_host_number(host, "rows");
    b->columns = ww_host_number(host, "columns");
    b->group = ww_host_number(host, "group");
    b->a = ww_host_array(host, "A", WW_INPUT, sizeof(float), b->rows * b->columns);
    b->p = ww_host_array(host, "p", WW_INPUT, sizeof(float), b->columns);
    b->q = ww_host_array(host, "q", WW_OUTPUT, sizeof(float), b->rows);
    b->r = ww_host_array(host, "r", WW_INPUT, sizeof(float), b->rows);
    b->s = ww_host_array(host, "s", WW_OUTPUT, sizeof(float), b->columns);
}

static void fill(ww_host *host, void *state)
{
    bicg *b = state;
    (void)host;
    ww_host_fill_f32(b->a, 0, 1);
    ww_host_fill_f32(b->p, 0, 1);
    ww_host_fill_f32(b->r, 0, 1);
}

static void run(ww_host *host, void *state)
{
    bicg *b = state;
    ww_host_launch(host, "bicg_rows", ww_range1(b->rows, b->group), ww_mem(b->a), ww_mem(b->p),
                   ww_mem(b->q), ww_u32(b->rows), ww_u32(b->columns));
    ww_host_launch(host, "bicg_columns", ww_range1(b->columns, b->group), ww_mem(b->a),
                   ww_mem(b->r), ww_mem(b->s), ww_u32(b->rows), ww_u32(b->columns));
}

/* One element of q from a row of A, and what the row and an element of r add to s. */
WW_FUSED static float multiply_row(const float *a, const float *p, float r, float *s,
                                   uint64_t columns)
{
    float q = 0;
    for (uint64_t j = 0; j < columns; j++)
        q = fmaf(a[j], p[j], q);
    for (uint64_t j = 0; j < columns; j++)
        s[j] = fmaf(a[j], r, s[j]);
    return q;
}

static void verify(ww_host *host, void *state)
{
    bicg *b = state;
    const float *a = b->a->host, *r = b->r->host;
    float *s = ww_host_alloc(host, b->columns, sizeof(*s));
    for (uint64_t i = 0; i < b->rows; i++) {
        float q = multiply_row(a + i * b->columns, b->p->host, r[i], s, b->columns);
        ww_expect_f32(b->q, i, (double)q, 0);
    }
    for (uint64_t j = 0; j < b->columns; j++)
        ww_expect_f32(b->s, j, (double)s[j], 0);
}

static const ww_parameter parameters[] = {
    WW_NUMBER_PARAMETER("rows", "4096", 1, 65536, "rows of the matrix"),
    WW_NUMBER_PARAMETER("columns", "4096", 1, 65536, "columns of the matrix"),
    WW_GROUP_PARAMETER("256"),
};

static const ww_named_size sizes[] = {
    {"tiny", "rows=256,columns=256,group=64", 2, 0},
    {"small", "rows=4096,columns=1024,group=64", 2, 0},
    {"isca18", "rows=8192,columns=4096,group=256", 2, 128.11},
    {"cuptw", "rows=4096,columns=4096,group=64", 2, 64},
};

WW_WORKLOAD(bicg) = {
    .name = "bicg",
    .suite = "Polybench",
    .doc = "products of the BiCGStab solver, q = A p and s = A^T r",
    .papers = "isca18 micro18 cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(bicg),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
