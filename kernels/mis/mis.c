/* Maximal independent set: vertices without an edge between them, and none can be added. */
#include "workload/graph_input.h"

enum { UNDECIDED = -1, OUT = -2, IN = 2 };

typedef struct mis {
    const ww_graph_source *graph;
    uint64_t vertices, edges, group;
    uint64_t rounds; /* that were made; the last finds nothing to do */
    ww_array *row, *column, *rank, *state, *next, *member, *least, *more;
} mis;

static void allocate(ww_host *host, void *state)
{
    mis *s = state;
    s->graph = ww_host_graph(host, WW_ROWS_BOTH, &s->vertices, &s->edges);
    s->group = ww_host_number(host, "group");
    s->row = ww_host_array(host, "row", WW_INPUT, sizeof(uint32_t), s->vertices + 1);
    s->column = ww_host_array(host, "column", WW_INPUT, sizeof(uint32_t), s->edges);
    s->rank = ww_host_array(host, "rank", WW_INPUT, sizeof(uint32_t), s->vertices);
    s->state = ww_host_array(host, "state", WW_OUTPUT, sizeof(int32_t), s->vertices);
    s->next = ww_host_array(host, "next", WW_OUTPUT, sizeof(int32_t), s->vertices);
    s->member = ww_host_array(host, "member", WW_OUTPUT, sizeof(int32_t), s->vertices);
    s->least = ww_host_array(host, "least", WW_OUTPUT, sizeof(uint32_t), s->vertices);
    s->more = ww_host_array(host, "more", WW_SCRATCH, sizeof(uint32_t), 1);
}

static void fill(ww_host *host, void *state)
{
    mis *s = state;
    uint32_t *rank = s->rank->host;
    ww_graph_fill(s->graph, s->row->host, s->column->host, NULL);
    for (uint64_t v = 0; v < s->vertices; v++)
        rank[v] = ww_graph_rank(ww_host_seed(host), (uint32_t)v);
}

static void run(ww_host *host, void *state)
{
    mis *s = state;
    ww_range range = ww_range1(s->vertices, s->group);
    ww_host_launch(host, "mis_init", range, ww_mem(s->state), ww_mem(s->next), ww_mem(s->member),
                   ww_u32(s->vertices));
    s->rounds = 0;
    do {
        ww_host_write_u32(host, s->more, 0, 0);
        ww_host_launch(host, "mis_least", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->rank), ww_mem(s->state), ww_mem(s->least), ww_mem(s->more),
                       ww_u32(s->vertices));
        ww_host_launch(host, "mis_select", range, ww_mem(s->row), ww_mem(s->column),
                       ww_mem(s->rank), ww_mem(s->least), ww_mem(s->state), ww_mem(s->next),
                       ww_mem(s->member), ww_u32(s->vertices));
        ww_host_launch(host, "mis_exclude", range, ww_mem(s->state), ww_mem(s->next),
                       ww_u32(s->vertices));
        s->rounds++;
    } while (ww_host_read_u32(host, s->more, 0));
}

/* ---- the same rounds on the host ---- */

static uint32_t least_undecided(const mis *s, const int8_t *decided, uint64_t v)
{
    const uint32_t *row = s->row->host, *column = s->column->host, *rank = s->rank->host;
    uint32_t least = UINT32_MAX;
    for (uint64_t i = row[v]; i < row[v + 1]; i++)
        if (decided[column[i]] == UNDECIDED && rank[column[i]] < least)
            least = rank[column[i]];
    return least;
}

/* Members of this round are found before any is decided; false when all are decided already. */
static bool decide(const mis *s, int8_t *decided, uint32_t *least)
{
    const uint32_t *row = s->row->host, *column = s->column->host, *rank = s->rank->host;
    bool more = false;
    for (uint64_t v = 0; v < s->vertices; v++) {
        if (decided[v] == UNDECIDED) {
            least[v] = least_undecided(s, decided, v);
            more = true;
        }
    }
    for (uint64_t v = 0; v < s->vertices; v++) {
        if (decided[v] != UNDECIDED || rank[v] > least[v])
            continue;
        decided[v] = IN;
        for (uint64_t i = row[v]; i < row[v + 1]; i++)
            decided[column[i]] = OUT;
    }
    return more;
}

/* Independent and maximal: a member has no neighbour in the set, every other vertex has one. */
static void check_set(ww_host *host, const mis *s)
{
    const uint32_t *row = s->row->host, *column = s->column->host;
    const int32_t *member = s->member->host;
    for (uint64_t v = 0; v < s->vertices && ww_host_ok(host); v++) {
        uint64_t neighbours = 0;
        for (uint64_t i = row[v]; i < row[v + 1]; i++)
            neighbours += member[column[i]] != 0;
        if ((neighbours > 0) != (member[v] == 0)) {
            ww_expect(host, false, "vertex %llu is %s the set and has %llu neighbours in it",
                      (unsigned long long)v, member[v] ? "in" : "not in",
                      (unsigned long long)neighbours);
            return;
        }
    }
}

static void verify(ww_host *host, void *state)
{
    mis *s = state;
    int8_t *decided = ww_host_alloc(host, s->vertices, sizeof(*decided));
    uint32_t *least = ww_host_alloc(host, s->vertices, sizeof(*least));
    uint64_t rounds = 1;
    memset(decided, UNDECIDED, s->vertices);
    while (decide(s, decided, least))
        rounds++;
    ww_expect(host, rounds == s->rounds, "%llu rounds instead of %llu",
              (unsigned long long)s->rounds, (unsigned long long)rounds);
    for (uint64_t v = 0; v < s->vertices; v++) {
        ww_expect_i32(s->state, v, decided[v]);
        ww_expect_i32(s->next, v, decided[v] == OUT ? OUT : UNDECIDED);
        ww_expect_i32(s->member, v, decided[v] == IN);
        ww_expect_u32(s->least, v, least[v]);
    }
    check_set(host, s);
}

static const ww_parameter parameters[] = {
    WW_GRAPH_PARAMETERS("mesh", "10", "8", "64", "64"),
    WW_GROUP_PARAMETER("64"),
};

static const ww_named_size sizes[] = {
    {"tiny", "width=40,height=40", 16, 0},
    {"small", "width=340,height=340", 19, 0},
    {"isca18", "width=1377,height=1377", 22, 72.38},
    {"ctrlc", "width=1000,height=1000,group=128", 22, 0},
};

WW_WORKLOAD(mis) = {
    .name = "mis",
    .suite = "Pannotia",
    .doc = "maximal independent set, by random ranks",
    .papers = "isca18 ctrlc",
    .irregular = false,
    .parameters = parameters,
    .parameter_count = WW_COUNT_OF(parameters),
    .sizes = sizes,
    .size_count = WW_COUNT_OF(sizes),
    .state_size = sizeof(mis),
    .allocate = allocate,
    .fill = fill,
    .run = run,
    .verify = verify,
};
