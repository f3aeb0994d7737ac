/* Breadth-first search from one vertex: how many edges away is each of the others? */
#include "workload/graph_input.h"

typedef struct bfs {
    const ww_graph_source *graph;
    uint64_t vertices, edges, source, group;
    uint32_t *row;
    ww_array *node, *edge, *frontier, *next, *visited, *cost, *more;
} bfs;

typedef struct node {
    uint32_t first, count;
} node;

static void allocate(ww_host *host, void *state)
{
    bfs *s = state;
    bool directed = ww_host_number(host, "directed");
    s->graph =
        ww_host_graph(host, directed ? WW_ROWS_OUT : WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->source = ww_host_source(host, s->vertices);
    s->group = ww_host_number(host, "group");
    s->node = ww_host_array(host, "node", WW_INPUT, sizeof(node), s->vertices);
    s->edge = ww_host_array(host, "edge", WW_INPUT, sizeof(uint32_t), s->edges);
    s->frontier = ww_host_array(host, "frontier", WW_INOUT, 1, s->vertices);
    s->next = ww_host_array(host, "next", WW_INOUT, 1, s->vertices);
    s->visited = ww_host_array(host, "visited", WW_INOUT, 1, s->vertices);
    s->cost = ww_host_array(host, "cost", WW_INOUT, sizeof(int32_t), s->vertices);
    s->more = ww_host_array(host, "more", WW_SCRATCH, sizeof(uint32_t), 1);
}

static void fill(ww_host *host, void *state)
{
    bfs *s = state;
    node *nodes = s->node->host;
    int32_t *cost = s->cost->host;
    s->row = ww_host_alloc(host, s->vertices + 1, sizeof(*s->row));
    ww_graph_fill(s->graph, s->row, s->edge->host, NULL);
    for (uint64_t v = 0; v < s->vertices; v++) {
        nodes[v] = (node){s->row[v], s->row[v + 1] - s->row[v]};
        cost[v] = -1;
    }
    cost[s->source] = 0;
    ((uint8_t *)s->frontier->host)[s->source] = 1;
    ((uint8_t *)s->visited->host)[s->source] = 1;
}

static void run(ww_host *host, void *state)
{
    bfs *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    do {
        ww_host_write_u32(host, s->more, 0, 0);
        ww_host_launch(host, "bfs_expand", range, ww_mem(s->node), ww_mem(s->edge),
                       ww_mem(s->frontier), ww_mem(s->next), ww_mem(s->visited), ww_mem(s->cost),
                       ww_u32(s->vertices));
        ww_host_launch(host, "bfs_update", range, ww_mem(s->frontier), ww_mem(s->next),
                       ww_mem(s->visited), ww_mem(s->more), ww_u32(s->vertices));
    } while (ww_host_read_u32(host, s->more, 0));
}

/* With a queue. */
static void search(const bfs *s, int32_t *cost, uint32_t *queue)
{
    const uint32_t *edge = s->edge->host;
    uint64_t first = 0, count = 1;
    for (uint64_t v = 0; v < s->vertices; v++)
        cost[v] = -1;
    cost[s->source] = 0;
    queue[0] = (uint32_t)s->source;
    for (; first < count; first++) {
        uint32_t v = queue[first];
        for (uint64_t i = s->row[v]; i < s->row[v + 1]; i++) {
            if (cost[edge[i]] >= 0)
                continue;
            cost[edge[i]] = cost[v] + 1;
            queue[count++] = edge[i];
        }
    }
}

static void verify(ww_host *host, void *state)
{
    bfs *s = state;
    int32_t *cost = ww_host_alloc(host, s->vertices, sizeof(*cost));
    search(s, cost, ww_host_alloc(host, s->vertices, sizeof(uint32_t)));
    for (uint64_t v = 0; v < s->vertices; v++) {
        ww_expect_i32(s->cost, v, cost[v]);
        ww_expect_u8(s->visited, v, cost[v] >= 0);
        ww_expect_u8(s->frontier, v, 0);
        ww_expect_u8(s->next, v, 0);
    }
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("uniform", "16", "3", "256", "256"),
    WW_CHOICE_PARAMETER("directed", "no", "no|yes", "follow edges one way only"),
    WW_SOURCE_PARAMETER,
    WW_GROUP_PARAMETER("512"),
};

/* hpca16: as large as Rodinia's graph of a million nodes, with six edges each. */
static const ww_named_size sizes[] = {
    {"tiny", "scale=11,group=64", 14, 0},
    {"small", "vertices=61440,edgefactor=16,group=512", 10, 0},
    {"cuptw", "graph=tree,vertices=3647000,group=512", 30, 80},
    {"cawa", "scale=16,group=512", 20, 0},
    {"ctrlc", "scale=16,group=512", 20, 0},
    {"hpca16", "scale=20,group=512", 22, 0},
    {"latency_tree", "graph=tree,scale=16,group=512", 22, 0},
    {"latency_equal", "scale=16,edgefactor=6,directed=yes,group=512", 24, 0},
    {"latency", "scale=16,group=512", 20, 0},
};

WW_WORKLOAD(bfs) = {
    .name = "bfs",
    .suite = "Rodinia",
    .doc = "breadth-first search, level by level, with a mark for each vertex",
    .papers = "cuptw hpca16 latency cawa ctrlc",
    .irregular = true,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(bfs),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
