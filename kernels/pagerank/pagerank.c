/* PageRank by power iteration: next = (1 - d) / n + d M rank, M[v][u] = 1 / edges out of u. */
#include "workload/fused.h"
#include "workload/graph_input.h"

#define DAMPING 0.85

typedef struct pagerank {
    const ww_graph_source *graph;
    uint64_t vertices, edges, iterations, group;
    float base, start;
    ww_array *row, *column, *value;
    ww_array *rank[2]; /* iteration i reads i % 2 and writes the other */
} pagerank;

static void allocate(ww_host *host, void *state)
{
    pagerank *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_IN, &s->vertices, &s->edges);
    s->iterations = ww_host_number(host, "iterations");
    s->group = ww_host_number(host, "group");
    if (s->group & (s->group - 1))
        ww_host_refuse(host, "group is %u (a power of 2 is needed)", (unsigned)s->group);
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->value = ww_host_array(host, "value", WW_INPUT, sizeof(float), s->edges);
    s->rank[0] = ww_host_array(host, "rank", WW_INOUT, sizeof(float), s->vertices);
    s->rank[1] = ww_host_array(host, "next", WW_OUTPUT, sizeof(float), s->vertices);
}

static void fill(ww_host *host, void *state)
{
    pagerank *s = state;
    uint32_t *column = s->column->host, *out = ww_host_alloc(host, s->vertices, sizeof(*out));
    float *value = s->value->host, *rank = s->rank[0]->host;
    s->base = (float)((1 - DAMPING) / (double)s->vertices);
    s->start = (float)(1 / (double)s->vertices);
    ww_graph_fill(s->graph, s->row->host, column, NULL);
    for (uint64_t i = 0; i < s->edges; i++)
        out[column[i]]++;
    for (uint64_t i = 0; i < s->edges; i++)
        value[i] = (float)(DAMPING / out[column[i]]);
    for (uint64_t v = 0; v < s->vertices; v++)
        rank[v] = s->start;
}

static void run(ww_host *host, void *state)
{
    pagerank *s = state;
    ww_range range = ww_range1(s->vertices * s->group, s->group);
    for (uint64_t i = 0; i < s->iterations && ww_host_ok(host); i++)
        ww_host_launch(host, "pagerank", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->value), ww_mem(s->rank[i % 2]), ww_mem(s->rank[(i + 1) % 2]),
                       ww_local(s->group * sizeof(float)), ww_f32(s->base));
}

/* ---- the same on the host: as many sums as a work-group has work-items, added up in pairs ---- */

WW_FUSED static float incoming(const pagerank *s, const float *rank, uint64_t v, float *part)
{
    const uint32_t *row = s->row->host, *column = s->column->host;
    const float *value = s->value->host;
    memset(part, 0, s->group * sizeof(*part));
    for (uint64_t i = row[v], lane = 0; i < row[v + 1]; i++) {
        part[lane] = fmaf(value[i], rank[column[i]], part[lane]);
        lane = lane + 1 < s->group ? lane + 1 : 0;
    }
    for (uint64_t reach = s->group / 2; reach > 0; reach /= 2)
        for (uint64_t lane = 0; lane < reach; lane++)
            part[lane] += part[lane + reach];
    return s->base + part[0];
}

static void expect_ranks(const pagerank *s, ww_array *array, const float *want)
{
    for (uint64_t v = 0; v < s->vertices; v++)
        ww_expect_f32(array, v, (double)want[v], 0);
}

/* The array that the last iteration read has the ranks before it. */
static void verify(ww_host *host, void *state)
{
    pagerank *s = state;
    float *rank = ww_host_alloc(host, s->vertices, sizeof(*rank));
    float *next = ww_host_alloc(host, s->vertices, sizeof(*next));
    float *part = ww_host_alloc(host, s->group, sizeof(*part));
    for (uint64_t v = 0; v < s->vertices; v++)
        rank[v] = s->start;
    for (uint64_t i = 0; i < s->iterations; i++) {
        float *old = rank;
        if (i + 1 == s->iterations)
            expect_ranks(s, s->rank[i % 2], rank);
        for (uint64_t v = 0; v < s->vertices; v++)
            next[v] = incoming(s, rank, v, part);
        rank = next;
        next = old;
    }
    expect_ranks(s, s->rank[s->iterations % 2], rank);
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "12", "256", "64", "64"),
    WW_NUMBER_PARAMETER("iterations", "4", 1, 10000, "steps; each reads what the last one wrote"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "scale=7,edgefactor=80,iterations=2", 2, 0},
    {"small", "scale=12,edgefactor=256,iterations=2", 2, 0},
    {"cuptw", "vertices=16384,edgefactor=8192,iterations=4", 4, 1024},
};

WW_WORKLOAD(pagerank) = {
    .name = "pagerank",
    .suite = "Hetero-Mark",
    .doc = "PageRank by power iteration, a work-group a vertex",
    .papers = "cuptw",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(pagerank),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
