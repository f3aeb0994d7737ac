/* Graph inputs: generated from a seed, or read from a file; the same bytes on every machine.
 *
 * rows         the form that kernels read (CSR): column[row[v]] .. column[row[v + 1] - 1] are the
 *              targets of v's edges, ascending; all indices have 32 bits
 * edge         directed; an undirected link is two edges
 * source       an opened graph: its size is known, its rows are made when they are asked for, in
 *              the caller's memory. A generated source holds no edges: the i-th is a function of
 *              the seed and i. That of a file holds 8 bytes per edge, 12 with weights.
 * self-loop    no graph has one: a file's are dropped, a generated one gets another target
 *
 * Two edges between the same vertices (duplicates) can occur in R-MAT, uniform and power graphs,
 * as in their definitions, and in files, where they stay as they are read; only a file made
 * symmetric is without them (see `symmetric`). */
#ifndef WW_WORKLOAD_GRAPH_H
#define WW_WORKLOAD_GRAPH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define WW_GRAPH_MOST_VERTICES ((uint64_t)1 << 31)
#define WW_GRAPH_MOST_EDGES ((uint64_t)UINT32_MAX)

/* RMAT     Chakrabarti, Zhan and Faloutsos (SDM 2004) with the quadrants of Graph500 (0.57, 0.19,
 *          0.19, 0.05): a few vertices have most edges; numbers are scrambled. Exactly
 *          edge_factor << scale edges, twice that when symmetric.
 * ROAD     like a road network: a grid with 5/8 of its links, connected, about 2.5 edges per
 *          vertex, a long way across. Numbers go along the rows, in disorder within 64, or tile by
 *          tile. Always symmetric. Weights like lengths of roads: 1 .. 9999, mostly short.
 * MESH     the grid with 4 neighbours, numbered along its rows; always symmetric
 * UNIFORM  each vertex has exactly edge_factor edges to targets that are all equally likely
 *          (symmetric: and the edges that come back)
 * TREE     each vertex has edge_factor children, numbered by level; edges go to the children
 *          (symmetric: and to the parent)
 * POWER    degrees with a power law (exponent 3), the highest about 50 times the mean, like those
 *          of co-authors; numbers are scrambled. edge_factor edges per vertex on average, twice
 *          that when symmetric.
 * FILE     Matrix Market (coordinate), DIMACS shortest paths (.gr), or lines `u v [weight]` */
typedef enum ww_graph_kind {
    WW_GRAPH_RMAT,
    WW_GRAPH_ROAD,
    WW_GRAPH_MESH,
    WW_GRAPH_UNIFORM,
    WW_GRAPH_FILE,
    WW_GRAPH_TREE,
    WW_GRAPH_POWER,
    WW_GRAPH_KINDS
} ww_graph_kind;

typedef struct ww_graph_spec {
    ww_graph_kind kind;
    const char *file;     /* of FILE; not kept after the graph is open */
    unsigned scale;       /* RMAT, UNIFORM, TREE, POWER: 2^scale vertices */
    uint64_t vertices;    /* UNIFORM, TREE, POWER: this many instead, unless 0 */
    unsigned edge_factor; /* RMAT, UNIFORM, POWER: edges made per vertex; TREE: its children */
    uint64_t width;       /* ROAD, MESH */
    uint64_t height;
    uint64_t tile; /* ROAD: rows and columns in which numbers are at random; 0: row by row */
    /* Every edge both ways, with the same weight. In a file's graph, all edges between two vertices
     * then become one each way, with the least of their weights. */
    bool symmetric;
    bool reversed; /* FILE: the rows hold the edges that come in; column[] is where they start */
    uint64_t seed;
} ww_graph_spec;

/* (ww_graph is a type of the control-flow analysis.) */
typedef struct ww_graph_source ww_graph_source;

/* NULL, with errors of status WW_BAD_INPUT, when the parameters make no graph, or the file is
 * malformed, has no edges, or is too large for 32-bit indices. */
ww_graph_source *ww_graph_open(const ww_graph_spec *spec, ww_errors *errors);
void ww_graph_close(ww_graph_source *source);

uint64_t ww_graph_vertices(const ww_graph_source *source); /* 2 .. WW_GRAPH_MOST_VERTICES */
uint64_t ww_graph_edges(const ww_graph_source *source);    /* exact: 1 .. WW_GRAPH_MOST_EDGES */
/* False for a file without weights. */
bool ww_graph_weighted(const ww_graph_source *source);

/* Writes row[vertices + 1], column[edges] and, unless NULL, weight[edges]; needs no other memory.
 * Weights of a graph without them are made: 1 .. 255, the same both ways. A file's are whole
 * numbers 0 .. 4294967295; the values of a Matrix Market file become their magnitudes, rounded to
 * whole numbers, at least 1. */
void ww_graph_fill(const ww_graph_source *source, uint32_t *row, uint32_t *column,
                   uint32_t *weight);

#endif
