/* PageRank: rank = 0.15 / n + 0.85 M rank, M[v][u] = 1 / edges of u, by a product and an update. */
#include "workload/fused.h"
#include "workload/graph_input.h"

typedef struct pagerank_spmv {
    const ww_graph_source *graph;
    uint64_t vertices, edges, iterations, group;
    ww_array *row, *column, *degree, *value, *rank, *sum;
} pagerank_spmv;

static void allocate(ww_host *host, void *state)
{
    pagerank_spmv *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->iterations = ww_host_number(host, "iterations");
    s->group = ww_host_number(host, "group");
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->degree = ww_host_array(host, "degree", WW_INPUT, sizeof(uint32_t), s->vertices);
    s->value = ww_host_array(host, "value", WW_OUTPUT, sizeof(float), s->edges);
    s->rank = ww_host_array(host, "rank", WW_OUTPUT, sizeof(float), s->vertices);
    s->sum = ww_host_array(host, "sum", WW_INOUT, sizeof(float), s->vertices);
}

/* Sums are not zero before they are cleared. */
static void fill(ww_host *host, void *state)
{
    pagerank_spmv *s = state;
    uint32_t *row = s->row->host, *degree = s->degree->host;
    (void)host;
    ww_graph_fill(s->graph, row, s->column->host, NULL);
    ww_host_fill_f32(s->sum, 1, 2);
    for (uint64_t v = 0; v < s->vertices; v++)
        degree[v] = row[v + 1] - row[v];
}

static void run(ww_host *host, void *state)
{
    pagerank_spmv *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    ww_host_launch(host, "pagerank_init", range, ww_mem(s->rank), ww_mem(s->sum),
                   ww_u32(s->vertices));
    ww_host_launch(host, "pagerank_values", range, ww_mem(s->row), ww_mem(s->column),
                   ww_mem(s->degree), ww_mem(s->value), ww_u32(s->vertices));
    for (uint64_t i = 0; i < s->iterations && ww_host_ok(host); i++) {
        ww_host_launch(host, "pagerank_spmv", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->value), ww_mem(s->rank), ww_mem(s->sum), ww_u32(s->vertices));
        ww_host_launch(host, "pagerank_update", range, ww_mem(s->rank), ww_mem(s->sum),
                       ww_u32(s->vertices));
    }
}

/* ---- the same on the host, with the same roundings ---- */

WW_FUSED static void iterate(const pagerank_spmv *s, const float *rank, float *next)
{
    const uint32_t *row = s->row->host, *column = s->column->host, *degree = s->degree->host;
    float base = 0.15f / (float)s->vertices;
    for (uint64_t v = 0; v < s->vertices; v++) {
        float found = 0;
        for (uint64_t i = row[v]; i < row[v + 1]; i++)
            found = fmaf(1 / (float)degree[column[i]], rank[column[i]], found);
        next[v] = fmaf(0.85f, found, base);
    }
}

static void verify(ww_host *host, void *state)
{
    pagerank_spmv *s = state;
    const uint32_t *column = s->column->host, *degree = s->degree->host;
    float *rank = ww_host_alloc(host, s->vertices, sizeof(*rank));
    float *next = ww_host_alloc(host, s->vertices, sizeof(*next));
    for (uint64_t v = 0; v < s->vertices; v++)
        rank[v] = 1 / (float)s->vertices;
    for (uint64_t i = 0; i < s->iterations; i++) {
        float *old = rank;
        iterate(s, rank, next);
        rank = next;
        next = old;
    }
    for (uint64_t i = 0; i < s->edges; i++)
        ww_expect_f32(s->value, i, (double)(1 / (float)degree[column[i]]), 0);
    for (uint64_t v = 0; v < s->vertices; v++) {
        ww_expect_f32(s->rank, v, (double)rank[v], 0);
        ww_expect_f32(s->sum, v, 0, 0);
    }
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("power", "10", "3", "64", "64"),
    WW_NUMBER_PARAMETER("iterations", "20", 1, 10000, "products and updates"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "scale=10,iterations=3", 8, 0},
    {"small", "vertices=120000,iterations=1", 4, 0},
    {"ctrlc", "vertices=299067,iterations=4", 10, 0},
};

WW_WORKLOAD(pagerank_spmv) = {
    .name = "pagerank_spmv",
    .suite = "Pannotia",
    .doc = "PageRank by products of a sparse matrix and a vector, a work-item a vertex",
    .papers = "ctrlc",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(pagerank_spmv),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
