/* Graphs as parameters of a workload: every graph workload has the same ones.
 *
 *     static const ww_parameter parameters[] = {WW_GRAPH_PARAMETERS("rmat", "10", "8", "64", "64"),
 *                                               WW_GROUP_PARAMETER("256")};
 *     s->graph = ww_host_graph(host, WW_ROWS_OUT, &s->vertices, &s->edges);   in allocate
 *     ww_graph_fill(s->graph, s->row->host, s->column->host, NULL);           in fill */
#ifndef WW_WORKLOAD_GRAPH_INPUT_H
#define WW_WORKLOAD_GRAPH_INPUT_H

#include "workload/graph.h"
#include "workload/workload.h"

#define WW_GRAPH_PARAMETERS(kind, scale, edgefactor, width, height)                             \
    WW_WORD_PARAMETER("graph", (kind),                                                          \
                      "rmat, road, mesh, uniform, power, tree, or a file (docs/graphs.md)"),    \
        WW_NUMBER_PARAMETER("scale", (scale), 1, 31,                                            \
                            "rmat, uniform, power, tree: 2^scale vertices"),                    \
        WW_NUMBER_PARAMETER("vertices", "0", 0, (uint64_t)1 << 31,                              \
                            "uniform, power, tree: this many vertices, unless 0"),              \
        WW_NUMBER_PARAMETER("edgefactor", (edgefactor), 1, 65536,                               \
                            "rmat, uniform, power: edges for each vertex; tree: its children"), \
        WW_NUMBER_PARAMETER("width", (width), 2, 65536, "road, mesh: vertices in a row"),       \
        WW_NUMBER_PARAMETER("height", (height), 2, 65536, "road, mesh: rows"),                  \
        WW_NUMBER_PARAMETER("tile", "0", 0, 65536,                                              \
                            "road: numbered at random within tiles of so many rows and "        \
                            "columns; 0: row by row")

/* What a vertex' row holds: the edges that go out, those that come in (of a file's graph; a
 * generated one is random anyway), or both, each edge then being in two rows. */
typedef enum ww_graph_rows { WW_ROWS_OUT, WW_ROWS_IN, WW_ROWS_BOTH } ww_graph_rows;

/* The graph that the parameters describe, and its size; the host closes it at the end of the run.
 * After a failure the sizes are 0. */
const ww_graph_source *ww_host_graph(ww_host *host, ww_graph_rows rows, uint64_t *vertices,
                                     uint64_t *edges);
/* The parameter `source`: a vertex to start from; refused when there is no such vertex. */
uint64_t ww_host_source(ww_host *host, uint64_t vertices);
#define WW_SOURCE_PARAMETER \
    WW_NUMBER_PARAMETER("source", "0", 0, ((uint64_t)1 << 31) - 1, "vertex to start from")

/* A random number for each vertex, no two the same. */
uint32_t ww_graph_rank(uint64_t seed, uint32_t vertex);

#endif
