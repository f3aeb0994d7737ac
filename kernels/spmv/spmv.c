/* Sparse matrix times vector, y = A x. */
#include "workload/fused.h"
#include "workload/graph_input.h"

#define LANES 32u /* work-items of a row, format=vector; as in kernel.cl */

enum { SCALAR, VECTOR };

typedef struct spmv {
    const ww_graph_source *graph;
    uint64_t rows, entries, format, group;
    ww_array *row, *column, *value, *x, *y;
} spmv;

static void allocate(ww_host *host, void *state)
{
    spmv *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_OUT, &s->rows, &s->entries);
    s->format = ww_host_number(host, "format");
    s->group = ww_host_number(host, "group");
    if (s->format == VECTOR && s->group % LANES)
        ww_host_refuse(host, "group is %u (format=vector needs a multiple of %u)",
                       (unsigned)s->group, LANES);
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->rows + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->entries);
    s->value = ww_host_array(host, "value", WW_INPUT, sizeof(float), s->entries);
    s->x = ww_host_array(host, "x", WW_INPUT, sizeof(float), s->rows);
    s->y = ww_host_array(host, "y", WW_OUTPUT, sizeof(float), s->rows);
}

static void fill(ww_host *host, void *state)
{
    spmv *s = state;
    (void)host;
    ww_graph_fill(s->graph, s->row->host, s->column->host, NULL);
    ww_host_fill_f32(s->value, 0, 1);
    ww_host_fill_f32(s->x, 0, 1);
}

static void run(ww_host *host, void *state)
{
    spmv *s = state;
    if (s->format == SCALAR)
        ww_host_launch(host, "spmv_scalar", ww_range1(s->rows, s->group), ww_mem(s->row),
                       ww_mem(s->column), ww_mem(s->value), ww_mem(s->x), ww_mem(s->y),
                       ww_u32(s->rows));
    else
        ww_host_launch(host, "spmv_vector", ww_range1(s->rows * LANES, s->group), ww_mem(s->row),
                       ww_mem(s->column), ww_mem(s->value), ww_mem(s->x), ww_mem(s->y),
                       ww_local(s->group * sizeof(float)), ww_u32(s->rows));
}

/* A row times x: one sum, or LANES sums of every LANES-th product, added up in pairs. */
WW_FUSED static float multiply_row(const spmv *s, uint64_t first, uint64_t end)
{
    const uint32_t *column = s->column->host;
    const float *value = s->value->host, *x = s->x->host;
    uint64_t lanes = s->format == SCALAR ? 1 : LANES;
    float part[LANES] = {0};
    for (uint64_t i = first; i < end; i++) {
        uint64_t lane = (i - first) % lanes;
        part[lane] = fmaf(value[i], x[column[i]], part[lane]);
    }
    for (uint64_t reach = lanes / 2; reach > 0; reach /= 2)
        for (uint64_t lane = 0; lane < reach; lane++)
            part[lane] += part[lane + reach];
    return part[0];
}

static void verify(ww_host *host, void *state)
{
    spmv *s = state;
    const uint32_t *row = s->row->host;
    (void)host;
    for (uint64_t r = 0; r < s->rows; r++)
        ww_expect_f32(s->y, r, (double)multiply_row(s, row[r], row[r + 1]), 0);
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "14", "164", "128", "128"),
    WW_CHOICE_PARAMETER("format", "scalar", "scalar|vector", "work-items of a row: 1 or 32"),
    WW_GROUP_PARAMETER("128"),
};

/* hpca16: rows and elements of Parboil's large matrix (Dubcova3: 146689 rows, 3.6 million
 * elements) at random columns, multiplied once; Parboil repeats its product 50 times. */
static const ww_named_size sizes[] = {
    {"tiny", "scale=11,edgefactor=20", 1, 0},
    {"small", "scale=14,edgefactor=164", 1, 0},
    {"cuptw", "vertices=680448,edgefactor=68", 1, 360},
    {"hpca16", "vertices=146689,edgefactor=25", 1, 0},
};

WW_WORKLOAD(spmv) = {
    .name = "spmv",
    .suite = "SHOC",
    .doc = "sparse matrix times vector, y = A x",
    .papers = "cuptw hpca16",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(spmv),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
