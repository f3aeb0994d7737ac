/* Betweenness centrality (Brandes): on how many shortest paths between others does a vertex lie?
 * A search from each source counts the paths; on the way back, dependencies add up. */
#include "workload/graph_input.h"

#define UNIT 0x1p-24 /* largest relative error of a rounded float */

typedef struct bc {
    const ww_graph_source *graph;
    uint64_t vertices, edges, sources, group;
    bool marked; /* the original's matrix of marks is cleared */
    ww_array *row, *column, *row_in, *column_in;
    ww_array *depth, *paths, *dependency, *centrality, *marks, *more;
} bc;

static void allocate(ww_host *host, void *state)
{
    bc *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_OUT, &s->vertices, &s->edges);
    s->sources = ww_host_number(host, "sources");
    s->group = ww_host_number(host, "group");
    s->marked = ww_host_number(host, "marks");
    if (s->sources == 0 || s->sources > s->vertices)
        s->sources = s->vertices;
    if (s->marked && s->vertices > UINT16_MAX)
        ww_host_refuse(host, "marks=yes with %llu vertices (at most 65535)",
                       (unsigned long long)s->vertices);
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->row_in = ww_host_array(host, "row_in", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column_in = ww_host_array(host, "column_in", WW_INPUT, sizeof(uint32_t), s->edges);
    s->depth = ww_host_array(host, "depth", WW_OUTPUT, sizeof(int32_t), s->vertices);
    s->paths = ww_host_array(host, "paths", WW_OUTPUT, sizeof(float), s->vertices);
    s->dependency = ww_host_array(host, "dependency", WW_OUTPUT, sizeof(float), s->vertices);
    s->centrality = ww_host_array(host, "centrality", WW_INOUT, sizeof(float), s->vertices);
    s->marks = ww_host_array(host, "marks", WW_INOUT, sizeof(uint32_t),
                             s->marked ? s->vertices * s->vertices : 1);
    s->more = ww_host_array(host, "more", WW_SCRATCH, sizeof(uint32_t), 1);
}

/* The rows of incoming edges, from those of outgoing ones. */
static void turn_round(ww_host *host, const bc *s)
{
    const uint32_t *row = s->row->host, *column = s->column->host;
    uint32_t *row_in = s->row_in->host, *column_in = s->column_in->host;
    uint32_t *next = ww_host_alloc(host, s->vertices, sizeof(*next));
    for (uint64_t i = 0; i < s->edges; i++)
        row_in[column[i] + 1]++;
    for (uint64_t v = 0; v < s->vertices; v++) {
        row_in[v + 1] += row_in[v];
        next[v] = row_in[v];
    }
    for (uint64_t v = 0; v < s->vertices; v++)
        for (uint64_t i = row[v]; i < row[v + 1]; i++)
            column_in[next[column[i]]++] = (uint32_t)v;
}

/* What has to be cleared is not zero before. */
static void fill(ww_host *host, void *state)
{
    bc *s = state;
    uint32_t *marks = s->marks->host;
    ww_graph_fill(s->graph, s->row->host, s->column->host, NULL);
    turn_round(host, s);
    ww_host_fill_f32(s->centrality, 1, 2);
    for (uint64_t i = 0; s->marked && i < s->vertices * s->vertices; i++)
        marks[i] = 1;
}

/* Levels with a vertex. */
static int search(ww_host *host, bc *s, ww_range range)
{
    int level = 0;
    do {
        ww_host_write_u32(host, s->more, 0, 0);
        ww_host_launch(host, "bc_forward", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->depth), ww_mem(s->paths), ww_mem(s->more), ww_u32((uint32_t)level),
                       ww_u32(s->vertices));
        level++;
    } while (ww_host_read_u32(host, s->more, 0));
    return level;
}

static void run(ww_host *host, void *state)
{
    bc *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    uint64_t marks = s->vertices * s->vertices;
    ww_host_launch(host, "bc_clear", range, ww_mem(s->centrality), ww_u32(s->vertices));
    for (uint64_t source = 0; source < s->sources && ww_host_ok(host); source++) {
        ww_host_launch(host, "bc_start", range, ww_mem(s->depth), ww_mem(s->paths),
                       ww_mem(s->dependency), ww_u32(source), ww_u32(s->vertices));
        if (s->marked)
            ww_host_launch(host, "bc_clear_marks", ww_range1(marks, s->group), ww_mem(s->marks),
                           ww_u32(marks));
        for (int level = search(host, s, range) - 1; level >= 0; level--)
            ww_host_launch(host, "bc_backward", range, ww_mem(s->row_in), ww_mem(s->column_in),
                           ww_mem(s->depth), ww_mem(s->paths), ww_mem(s->dependency),
                           ww_mem(s->centrality), ww_u32((uint32_t)level), ww_u32(s->vertices));
    }
}

/* ---- with a queue, in double precision ---- */

/* Errors are relative, and bounds: all terms are positive, so that a sum's is at most that of its
 * worst term, and a rounding for each addition. */
typedef struct vertex {
    double paths, paths_error, dependency, error;
    int32_t depth;
    uint32_t before; /* edges from the level before */
    uint32_t after;  /* edges to the next level */
} vertex;

/* The vertices in the order in which they were found; their number. */
static uint64_t find_paths(const bc *s, uint64_t source, vertex *at, uint32_t *queue)
{
    const uint32_t *row = s->row->host, *column = s->column->host;
    uint64_t count = 1;
    for (uint64_t v = 0; v < s->vertices; v++)
        at[v] = (vertex){.depth = -1};
    at[source] = (vertex){.paths = 1};
    queue[0] = (uint32_t)source;
    for (uint64_t first = 0; first < count; first++) {
        vertex *from = &at[queue[first]];
        from->paths_error = from->paths < 1 / UNIT ? 0 : from->paths_error + from->before * UNIT;
        for (uint64_t i = row[queue[first]]; i < row[queue[first] + 1]; i++) {
            vertex *to = &at[column[i]];
            if (to->depth < 0) {
                to->depth = from->depth + 1;
                queue[count++] = column[i];
            }
            if (to->depth == from->depth + 1) {
                to->paths += from->paths;
                to->paths_error = fmax(to->paths_error, from->paths_error);
                to->before++;
            }
        }
    }
    return count;
}

static void add_dependencies(const bc *s, vertex *at, const uint32_t *queue, uint64_t count)
{
    const uint32_t *row_in = s->row_in->host, *column_in = s->column_in->host;
    for (uint64_t last = count; last-- > 0;) {
        vertex *to = &at[queue[last]];
        to->error += to->after * UNIT;
        for (uint64_t i = row_in[queue[last]]; i < row_in[queue[last] + 1]; i++) {
            vertex *from = &at[column_in[i]];
            if (from->depth < 0 || from->depth != to->depth - 1)
                continue;
            from->dependency += from->paths / to->paths * (1 + to->dependency);
            from->error =
                fmax(from->error, from->paths_error + to->paths_error + to->error + 4 * UNIT);
            from->after++;
        }
    }
}

static void expect_vertex(const bc *s, const vertex *at, uint64_t v)
{
    ww_expect_i32(s->depth, v, at->depth);
    ww_expect_f32(s->paths, v, at->paths, at->paths * at->paths_error);
    ww_expect_f32(s->dependency, v, at->dependency, at->dependency * at->error);
}

static void verify(ww_host *host, void *state)
{
    bc *s = state;
    vertex *at = ww_host_alloc(host, s->vertices, sizeof(*at));
    uint32_t *queue = ww_host_alloc(host, s->vertices, sizeof(*queue));
    double *sum = ww_host_alloc(host, s->vertices, sizeof(*sum));
    double *slack = ww_host_alloc(host, s->vertices, sizeof(*slack));
    for (uint64_t source = 0; source < s->sources; source++) {
        add_dependencies(s, at, queue, find_paths(s, source, at, queue));
        for (uint64_t v = 0; v < s->vertices; v++) {
            sum[v] += v == source ? 0 : at[v].dependency;
            slack[v] += v == source ? 0 : at[v].dependency * at[v].error;
        }
    }
    for (uint64_t v = 0; v < s->vertices; v++) {
        expect_vertex(s, &at[v], v);
        ww_expect_f32(s->centrality, v, sum[v], slack[v] + ww_sum_slack(s->sources, sum[v]));
    }
    for (uint64_t i = 0; i < (s->marked ? s->vertices * s->vertices : 1); i++)
        ww_expect_u32(s->marks, i, 0);
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "10", "128", "32", "32"),
    WW_NUMBER_PARAMETER("sources", "0", 0, UINT32_MAX, "searches, from vertex 0 on; 0: from all"),
    WW_CHOICE_PARAMETER("marks", "yes", "no|yes", "clear a matrix of marks before each search"),
    WW_GROUP_PARAMETER("128"),
};

static const ww_named_size sizes[] = {
    {"tiny", "scale=7,edgefactor=5,sources=1", 15, 0},
    {"small", "vertices=1440,edgefactor=24,sources=2", 21, 0},
    {"ctrlc", "scale=10,edgefactor=128,sources=20", 161, 0},
};

WW_WORKLOAD(bc) = {
    .name = "bc",
    .suite = "Pannotia",
    .doc = "betweenness centrality: paths counted forwards, dependencies added up backwards",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(bc),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
