/* Single-source shortest paths: Bellman and Ford's rounds, until nothing changes. */
#include "workload/graph_input.h"

typedef struct sssp {
    const ww_graph_source *graph;
    uint64_t vertices, edges, source, group;
    uint64_t most_rounds; /* 0: no limit */
    uint64_t rounds;      /* that were made */
    ww_array *row, *column, *weight, *now, *next, *changed;
} sssp;

static void allocate(ww_host *host, void *state)
{
    sssp *s = state;
    bool directed = ww_host_number(host, "directed");
    s->graph = ww_host_graph(host, directed ? WW_ROWS_IN : WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->source = ww_host_source(host, s->vertices);
    s->group = ww_host_number(host, "group");
    s->most_rounds = ww_host_number(host, "rounds");
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->weight = ww_host_array(host, "weight", WW_INPUT, sizeof(uint32_t), s->edges);
    s->now = ww_host_array(host, "now", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->next = ww_host_array(host, "next", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->changed = ww_host_array(host, "changed", WW_SCRATCH, sizeof(uint32_t), 1);
}

static void fill(ww_host *host, void *state)
{
    sssp *s = state;
    (void)host;
    ww_graph_fill(s->graph, s->row->host, s->column->host, s->weight->host);
}

static void run(ww_host *host, void *state)
{
    sssp *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    uint32_t changed = 1;
    ww_host_launch(host, "sssp_init", range, ww_mem(s->now), ww_mem(s->next), ww_u32(s->source),
                   ww_u32(s->vertices));
    for (s->rounds = 0; changed && (!s->most_rounds || s->rounds < s->most_rounds); s->rounds++) {
        ww_host_write_u32(host, s->changed, 0, 0);
        ww_host_launch(host, "sssp_assign", range, ww_mem(s->now), ww_mem(s->next),
                       ww_u32(s->vertices));
        ww_host_launch(host, "sssp_relax", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->weight), ww_mem(s->now), ww_mem(s->next), ww_u32(s->vertices));
        ww_host_launch(host, "sssp_compare", range, ww_mem(s->now), ww_mem(s->next),
                       ww_mem(s->changed), ww_u32(s->vertices));
        changed = ww_host_read_u32(host, s->changed, 0);
    }
}

static uint32_t add_sat(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* One round: `next` from `now`; true when they differ. */
static bool relax(const sssp *s, const uint32_t *now, uint32_t *next)
{
    const uint32_t *row = s->row->host, *column = s->column->host, *weight = s->weight->host;
    bool changed = false;
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint32_t least = now[v];
        for (uint64_t i = row[v]; i < row[v + 1]; i++) {
            uint32_t way = add_sat(now[column[i]], weight[i]);
            least = way < least ? way : least;
        }
        next[v] = least;
        changed |= least != now[v];
    }
    return changed;
}

static void verify(ww_host *host, void *state)
{
    sssp *s = state;
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
    WW_NUMBER_PARAMETER("rounds", "0", 0, UINT32_MAX, "at most so many; 0: until nothing changes"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=20,height=20", 130, 0},
    {"small", "width=520,height=520,rounds=2", 7, 0},
    {"isca18", "width=1850,height=1850,rounds=20", 61, 104.32},
    {"ctrlc", "width=514,height=514,tile=20,rounds=10", 31, 0},
};

WW_WORKLOAD(sssp) = {
    .name = "sssp",
    .suite = "Pannotia",
    .doc = "shortest paths from one vertex: every edge in every round",
    .papers = "isca18 micro18 ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(sssp),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
