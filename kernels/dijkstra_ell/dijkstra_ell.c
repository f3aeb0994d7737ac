/* Single-source shortest paths in rounds, until nothing changes, with the graph in ELL format. */
#include "workload/graph_input.h"

#define MOST_CELLS ((uint64_t)1 << 31)

typedef struct dijkstra_ell {
    const ww_graph_source *graph;
    uint64_t vertices, edges, source, group;
    uint64_t entries;     /* of each row */
    uint64_t most_rounds; /* 0: no limit */
    uint64_t rounds;      /* that were made */
    uint32_t *row;        /* the same graph in compressed rows */
    uint32_t *edge_column, *edge_weight;
    ww_array *column, *weight, *now, *next, *changed;
} dijkstra_ell;

/* The number of entries depends on the edges, so that they are made before the arrays. */
static uint64_t longest_row(ww_host *host, dijkstra_ell *s)
{
    uint64_t longest = 1;
    s->row = ww_host_alloc(host, s->vertices + 1, sizeof(*s->row));
    s->edge_column = ww_host_alloc(host, s->edges, sizeof(*s->edge_column));
    s->edge_weight = ww_host_alloc(host, s->edges, sizeof(*s->edge_weight));
    if (!ww_host_ok(host))
        return longest;
    ww_graph_fill(s->graph, s->row, s->edge_column, s->edge_weight);
    for (uint64_t v = 0; v < s->vertices; v++)
        if (s->row[v + 1] - s->row[v] > longest)
            longest = s->row[v + 1] - s->row[v];
    return longest;
}

static void allocate(ww_host *host, void *state)
{
    dijkstra_ell *s = state;
    bool directed = ww_host_number(host, "directed");
    s->graph = ww_host_graph(host, directed ? WW_ROWS_IN : WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->source = ww_host_source(host, s->vertices);
    s->group = ww_host_number(host, "group");
    s->most_rounds = ww_host_number(host, "rounds");
    s->entries = ww_host_number(host, "entries");
    uint64_t longest = longest_row(host, s);
    if (s->entries == 0)
        s->entries = longest;
    if (s->entries < longest)
        ww_host_refuse(host, "entries is %llu (the longest row needs %llu)",
                       (unsigned long long)s->entries, (unsigned long long)longest);
    if (s->entries * s->vertices > MOST_CELLS)
        ww_host_refuse(host, "rows of %llu entries for %llu vertices (at most 2^31 in all)",
                       (unsigned long long)s->entries, (unsigned long long)s->vertices);
    uint64_t cells = ww_host_ok(host) ? s->entries * s->vertices : 1;
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), cells);
    s->weight = ww_host_array(host, "weight", WW_INPUT, sizeof(uint32_t), cells);
    s->now = ww_host_array(host, "now", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->next = ww_host_array(host, "next", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->changed = ww_host_array(host, "changed", WW_SCRATCH, sizeof(uint32_t), 1);
}

/* What a row has too many repeats its last column, with a weight that leads nowhere. */
static void fill(ww_host *host, void *state)
{
    dijkstra_ell *s = state;
    uint32_t *column = s->column->host, *weight = s->weight->host;
    (void)host;
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint64_t at = v;
        uint32_t last = 0;
        for (uint64_t i = s->row[v]; i < s->row[v + 1]; i++, at += s->vertices) {
            column[at] = last = s->edge_column[i];
            weight[at] = s->edge_weight[i];
        }
        for (; at < s->entries * s->vertices; at += s->vertices) {
            column[at] = last;
            weight[at] = UINT32_MAX;
        }
    }
}

static void run(ww_host *host, void *state)
{
    dijkstra_ell *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    uint32_t changed = 1;
    ww_host_launch(host, "dijkstra_init", range, ww_mem(s->now), ww_mem(s->next), ww_u32(s->source),
                   ww_u32(s->vertices));
    for (s->rounds = 0; changed && (!s->most_rounds || s->rounds < s->most_rounds); s->rounds++) {
        ww_host_write_u32(host, s->changed, 0, 0);
        ww_host_launch(host, "dijkstra_assign", range, ww_mem(s->now), ww_mem(s->next),
                       ww_u32(s->vertices));
        ww_host_launch(host, "dijkstra_relax", range, ww_mem(s->column), ww_mem(s->weight),
                       ww_mem(s->now), ww_mem(s->next), ww_u32(s->entries), ww_u32(s->vertices));
        ww_host_launch(host, "dijkstra_compare", range, ww_mem(s->now), ww_mem(s->next),
                       ww_mem(s->changed), ww_u32(s->vertices));
        changed = ww_host_read_u32(host, s->changed, 0);
    }
}

static uint32_t add_sat(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* One round over the compressed rows: `next` from `now`; true when they differ. */
static bool relax(const dijkstra_ell *s, const uint32_t *now, uint32_t *next)
{
    bool changed = false;
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint32_t least = now[v];
        for (uint64_t i = s->row[v]; i < s->row[v + 1]; i++) {
            uint32_t way = add_sat(now[s->edge_column[i]], s->edge_weight[i]);
            least = way < least ? way : least;
        }
        next[v] = least;
        changed |= least != now[v];
    }
    return changed;
}

static void verify(ww_host *host, void *state)
{
    dijkstra_ell *s = state;
    uint32_t *now = ww_host_alloc(host, s->vertices, sizeof(*now));
    uint32_t *next = ww_host_alloc(host, s->vertices, sizeof(*next));
    uint64_t rounds = 0;
    bool changed = true;
    memset(next, 0xff, s->vertices * sizeof(*next));
    next[s->source] = 0;
    for (; changed && (!s->most_rounds || rounds < s->most_rounds); rounds++) {
        uint32_t *last = now;
        now = next;
        next = last;
        changed = relax(s, now, next);
    }
    ww_expect(host, rounds == s->rounds, "%llu rounds instead of %llu",
              (unsigned long long)s->rounds, (unsigned long long)rounds);
    for (uint64_t v = 0; v < s->vertices; v++) {
        ww_expect_u32(s->now, v, now[v]);
        ww_expect_u32(s->next, v, next[v]);
    }
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("road", "10", "8", "20", "20"),
    WW_CHOICE_PARAMETER("directed", "yes", "no|yes", "edges can be used one way only"),
    WW_SOURCE_PARAMETER,
    WW_NUMBER_PARAMETER("entries", "0", 0, UINT32_MAX, "of each row; 0: as the longest needs"),
    WW_NUMBER_PARAMETER("rounds", "0", 0, UINT32_MAX, "at most so many; 0: until nothing changes"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=20,height=20", 130, 0},
    {"small", "width=480,height=480,rounds=2", 7, 0},
    {"ctrlc", "width=514,height=514,tile=20,entries=8,rounds=10", 31, 0},
};

WW_WORKLOAD(dijkstra_ell) = {
    .name = "dijkstra_ell",
    .suite = "Pannotia",
    .doc = "shortest paths from one vertex: every edge in every round, rows of one length",
    .papers = "ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(dijkstra_ell),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
