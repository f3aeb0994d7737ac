/* Shortest paths between all pairs of vertices (Floyd, Warshall): one launch for each vertex that
 * they may lead through. */
#include "workload/graph_input.h"

#define NO_WAY ((uint32_t)1 << 30) /* the sum of two fits 32 bits */
#define NONE UINT32_MAX            /* a path without a vertex in between */

typedef struct floyd {
    const ww_graph_source *graph;
    uint64_t vertices, edges, steps, group;
    ww_array *distance, *via;
    uint32_t *start; /* the distances at the beginning */
} floyd;

static void allocate(ww_host *host, void *state)
{
    floyd *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_OUT, &s->vertices, &s->edges);
    s->steps = ww_host_number(host, "steps");
    s->group = ww_host_number(host, "group");
    if (s->steps == 0 || s->steps > s->vertices)
        s->steps = s->vertices;
    if (s->vertices > UINT16_MAX)
        ww_host_refuse(host, "a matrix for %llu vertices (at most 65535)",
                       (unsigned long long)s->vertices);
    uint64_t cells = ww_host_ok(host) ? s->vertices * s->vertices : 1;
    s->distance = ww_host_array(host, "distance", WW_INOUT, sizeof(uint32_t), cells);
    s->via = ww_host_array(host, "via", WW_INOUT, sizeof(uint32_t), cells);
}

/* The lightest of several edges counts. */
static void fill(ww_host *host, void *state)
{
    floyd *s = state;
    uint64_t n = s->vertices;
    uint32_t *row = ww_host_alloc(host, n + 1, sizeof(*row));
    uint32_t *column = ww_host_alloc(host, s->edges, sizeof(*column));
    uint32_t *weight = ww_host_alloc(host, s->edges, sizeof(*weight));
    s->start = ww_host_alloc(host, n * n, sizeof(*s->start));
    ww_graph_fill(s->graph, row, column, weight);
    for (uint64_t i = 0; i < n * n; i++) {
        s->start[i] = i % (n + 1) ? NO_WAY : 0;
        ((uint32_t *)s->via->host)[i] = NONE;
    }
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t i = row[v]; i < row[v + 1]; i++)
            if (weight[i] < s->start[v * n + column[i]])
                s->start[v * n + column[i]] = weight[i];
    memcpy(s->distance->host, s->start, n * n * sizeof(*s->start));
}

static void run(ww_host *host, void *state)
{
    floyd *s = state;
    ww_range range = ww_range2(s->vertices, s->vertices, s->group, s->group);
    for (uint64_t middle = 0; middle < s->steps && ww_host_ok(host); middle++)
        ww_host_launch(host, "floyd", range, ww_mem(s->distance), ww_mem(s->via),
                       ww_u32(s->vertices), ww_u32(middle));
}

static void verify(ww_host *host, void *state)
{
    floyd *s = state;
    uint64_t n = s->vertices;
    uint32_t *distance = s->start, *via = ww_host_alloc(host, n * n, sizeof(*via));
    memset(via, 0xff, n * n * sizeof(*via));
    for (uint64_t middle = 0; middle < s->steps; middle++) {
        for (uint64_t i = 0; i < n * n; i++) {
            uint32_t way = distance[i / n * n + middle] + distance[middle * n + i % n];
            if (way < distance[i]) {
                distance[i] = way;
                via[i] = (uint32_t)middle;
            }
        }
    }
    for (uint64_t i = 0; i < n * n; i++) {
        ww_expect_u32(s->distance, i, distance[i]);
        ww_expect_u32(s->via, i, via[i]);
    }
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "8", "64", "16", "16"),
    WW_NUMBER_PARAMETER("steps", "0", 0, UINT16_MAX, "vertices that paths lead through; 0: all"),
    WW_NUMBER_PARAMETER("group", "16", 1, 32, "rows, and columns, of a work-group"),
};

static const ww_named_size sizes[] = {
    {"tiny", "vertices=40,edgefactor=8", 40, 0},
    {"small", "vertices=1032,edgefactor=64,steps=2", 2, 0},
    {"ctrlc", "scale=8,edgefactor=64", 256, 0},
};

WW_WORKLOAD(floyd) = {
    .name = "floyd",
    .suite = "Pannotia",
    .doc = "shortest paths between all vertices (Floyd, Warshall), one launch for each",
    .papers = "ctrlc",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(floyd),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
