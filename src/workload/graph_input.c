#include "workload/graph_input.h"

#include "workload/host_parts.h"

#include <inttypes.h>
#include <unistd.h>

static const char *const kinds[] = {
    [WW_GRAPH_RMAT] = "rmat",
    [WW_GRAPH_ROAD] = "road",
    [WW_GRAPH_MESH] = "mesh",
    [WW_GRAPH_UNIFORM] = "uniform",
};

/* Words that are no kind are files. */
static ww_graph_kind kind_of(const char *word)
{
    for (size_t i = 0; i < WW_COUNT_OF(kinds); i++)
        if (strcmp(kinds[i], word) == 0)
            return (ww_graph_kind)i;
    return WW_GRAPH_FILE;
}

/* A word without a dot or a slash was hardly meant as a file. */
static bool looks_misspelt(const char *word)
{
    return !strchr(word, '.') && !strchr(word, '/') && access(word, F_OK) != 0;
}

const ww_graph_source *ww_host_graph(ww_host *host, ww_graph_rows rows, uint64_t *vertices,
                                     uint64_t *edges)
{
    const char *word = ww_host_word(host, "graph");
    ww_graph_spec spec = {.kind = kind_of(word),
                          .file = word,
                          .scale = (unsigned)ww_host_number(host, "scale"),
                          .vertices = ww_host_number(host, "vertices"),
                          .edge_factor = (unsigned)ww_host_number(host, "edgefactor"),
                          .width = ww_host_number(host, "width"),
                          .height = ww_host_number(host, "height"),
                          .symmetric = rows == WW_ROWS_BOTH,
                          .reversed = rows == WW_ROWS_IN,
                          .seed = ww_host_seed(host)};
    *vertices = *edges = 0;
    if (spec.kind == WW_GRAPH_FILE && looks_misspelt(word)) {
        ww_host_refuse(host, "graph is '%.60s' (rmat, road, mesh, uniform, or a file is needed)",
                       word);
        return NULL;
    }
    ww_graph_source *graph = ww_graph_open(&spec, host->errors);
    if (!graph) {
        ww_host_fail(host, ww_errors_status(host->errors));
        return NULL;
    }
    ww_vec_push(&host->graphs, graph);
    *vertices = ww_graph_vertices(graph);
    *edges = ww_graph_edges(graph);
    return graph;
}

uint64_t ww_host_source(ww_host *host, uint64_t vertices)
{
    uint64_t source = ww_host_number(host, "source");
    if (ww_host_ok(host) && source >= vertices)
        ww_host_refuse(host, "source is %" PRIu64 " (a vertex from 0 to %" PRIu64 " is needed)",
                       source, vertices - 1);
    return source;
}

/* Steps that can be undone, each of which mixes all bits below into those above or the reverse. */
uint32_t ww_graph_rank(uint64_t seed, uint32_t vertex)
{
    uint64_t key = ww_mix64(seed);
    uint32_t value = vertex + (uint32_t)key;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * ((uint32_t)(key >> 32) | 1);
    value = (value ^ value >> 16) * 0xc2b2ae35u;
    return value ^ value >> 15;
}
