/* Graph colouring: neighbours get different colours. */
#include "workload/graph_input.h"

#define NONE (-1)

typedef struct color {
    const ww_graph_source *graph;
    uint64_t vertices, edges, group;
    ww_array *row, *column, *rank, *color, *largest, *more;
} color;

static void allocate(ww_host *host, void *state)
{
    color *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->group = ww_host_number(host, "group");
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->rank = ww_host_array(host, "rank", WW_INPUT, sizeof(uint32_t), s->vertices);
    s->color = ww_host_array(host, "color", WW_INOUT, sizeof(int32_t), s->vertices);
    s->largest = ww_host_array(host, "largest", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->more = ww_host_array(host, "more", WW_SCRATCH, sizeof(uint32_t), 1);
}

static void fill(ww_host *host, void *state)
{
    color *s = state;
    uint32_t *rank = s->rank->host;
    int32_t *colors = s->color->host;
    ww_graph_fill(s->graph, s->row->host, s->column->host, NULL);
    for (uint64_t v = 0; v < s->vertices; v++) {
        rank[v] = ww_graph_rank(ww_host_seed(host), (uint32_t)v);
        colors[v] = NONE;
    }
}

static void run(ww_host *host, void *state)
{
    color *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    uint64_t round = 0;
    do {
        ww_host_write_u32(host, s->more, 0, 0);
        ww_host_launch(host, "color_largest", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->rank), ww_mem(s->color), ww_mem(s->largest), ww_mem(s->more),
                       ww_u32(s->vertices));
        ww_host_launch(host, "color_assign", range, ww_mem(s->rank), ww_mem(s->largest),
                       ww_mem(s->color), ww_u32(round), ww_u32(s->vertices));
        round++;
    } while (ww_host_read_u32(host, s->more, 0));
}

/* ---- the same rounds on the host ---- */

/* `largest` of the vertices without a colour; false when none of them has such a neighbour. */
static bool find_largest(const color *s, const int32_t *colors, uint32_t *largest)
{
    const uint32_t *row = s->row->host, *column = s->column->host, *rank = s->rank->host;
    bool more = false;
    for (uint64_t v = 0; v < s->vertices; v++) {
        if (colors[v] != NONE)
            continue;
        largest[v] = 0;
        for (uint64_t i = row[v]; i < row[v + 1]; i++) {
            if (colors[column[i]] != NONE)
                continue;
            more = true;
            if (rank[column[i]] > largest[v])
                largest[v] = rank[column[i]];
        }
    }
    return more;
}

static void check_colors(ww_host *host, const color *s)
{
    const uint32_t *row = s->row->host, *column = s->column->host;
    const int32_t *colors = s->color->host;
    for (uint64_t v = 0; v < s->vertices; v++) {
        for (uint64_t i = row[v]; i < row[v + 1]; i++) {
            if (colors[v] != colors[column[i]])
                continue;
            ww_expect(host, false, "vertices %llu and %u are neighbours of colour %d",
                      (unsigned long long)v, column[i], colors[v]);
            return;
        }
    }
}

static void verify(ww_host *host, void *state)
{
    color *s = state;
    const uint32_t *rank = s->rank->host;
    int32_t *colors = ww_host_alloc(host, s->vertices, sizeof(*colors));
    uint32_t *largest = ww_host_alloc(host, s->vertices, sizeof(*largest));
    bool more = true;
    memset(colors, NONE, s->vertices * sizeof(*colors));
    for (int32_t round = 0; more; round++) {
        more = find_largest(s, colors, largest);
        for (uint64_t v = 0; v < s->vertices; v++)
            if (colors[v] == NONE && rank[v] >= largest[v])
                colors[v] = round;
    }
    for (uint64_t v = 0; v < s->vertices; v++) {
        ww_expect_i32(s->color, v, colors[v]);
        ww_expect_u32(s->largest, v, largest[v]);
    }
    check_colors(host, s);
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("mesh", "10", "8", "64", "64"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=40,height=40", 22, 0},
    {"small", "width=280,height=280", 28, 0},
    {"isca18", "width=935,height=935", 28, 26.68},
    {"ctrlc", "width=1000,height=1000,group=256", 32, 0},
};

WW_WORKLOAD(color) = {
    .name = "color",
    .suite = "Pannotia",
    .doc = "graph colouring, one colour a round, by random ranks",
    .papers = "isca18 micro18 ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(color),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
