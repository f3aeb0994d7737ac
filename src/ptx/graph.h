/* Directed graphs: the part of control-flow analysis that does not depend on instructions.
 *
 * node         0 .. node_count-1
 * order        a depth-first search: numbers in order of first visit, and of last
 * dominator    idom of n: the nearest other node on every path from the root to n
 * loop         a strongly connected part, named by its header: the node first visited; loops nest
 * irreducible  a loop that can be entered elsewhere than at its header
 * All functions run in linear or nearly linear time and use no deep C stack. */
#ifndef WW_PTX_GRAPH_H
#define WW_PTX_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define WW_NO_NODE UINT32_MAX

typedef struct ww_edge {
    uint32_t from;
    uint32_t to;
} ww_edge;

/* Successors of n: next[next_at[n] .. next_at[n+1]), in the order their edges were given;
 * predecessors likewise in `before`. */
typedef struct ww_graph {
    uint32_t node_count;
    uint32_t edge_count;
    uint32_t *next_at;
    uint32_t *next;
    uint32_t *before_at;
    uint32_t *before;
} ww_graph;

ww_graph *ww_graph_create(uint32_t node_count, const ww_edge *edges, uint32_t edge_count);
void ww_graph_destroy(ww_graph *graph);
/* The same graph with every edge reversed; it shares the arrays, so it must not be destroyed. */
ww_graph ww_graph_reversed(const ww_graph *graph);

/* Depth-first search from a root; with `everywhere` also from each node not yet visited, in order.
 * Visit numbers index `node`, `parent` (a visit number; its own for a root) and `last` (the
 * greatest visit number in its subtree). `finished` lists nodes in order of completion. */
typedef struct ww_dfs {
    uint32_t count;   /* nodes visited */
    uint32_t *number; /* by node: visit number, or WW_NO_NODE */
    uint32_t *node;   /* by visit number */
    uint32_t *parent;
    uint32_t *last;
    uint32_t *finished;
} ww_dfs;

ww_dfs *ww_dfs_create(const ww_graph *graph, uint32_t root, bool everywhere);
void ww_dfs_destroy(ww_dfs *dfs);

/* Immediate dominators by Semi-NCA (Georgiadis 2005). idom[root] and unreachable: WW_NO_NODE. */
void ww_graph_dominators(const ww_graph *graph, uint32_t root, uint32_t *idom);

typedef struct ww_loops {
    uint32_t *header;    /* by node: of the innermost loop it belongs to, itself for a header */
    uint32_t *outer;     /* by header: of the loop around it; WW_NO_NODE at the top and elsewhere */
    uint32_t *outermost; /* by node: header of the outermost loop it belongs to */
    uint32_t *depth;     /* by node: loops it is in */
    bool *irreducible;   /* by header */
    uint32_t loop_count;
    uint32_t entries; /* edges that enter a loop elsewhere than at its header, in the part
                         that the first root reaches */
} ww_loops;

/* Loop nesting after Tarjan, Havlak and Ramalingam (1999) over a search `everywhere`. */
ww_loops *ww_loops_create(const ww_graph *graph, const ww_dfs *dfs);
void ww_loops_destroy(ww_loops *loops);

#endif
