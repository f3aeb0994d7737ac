#include "ptx/graph.h"

#include "base/memory.h"

#include <string.h>

static void fill_side(const ww_edge *edges, uint32_t count, uint32_t nodes, bool backwards,
                      uint32_t *at, uint32_t *list)
{
    for (uint32_t e = 0; e < count; e++)
        at[(backwards ? edges[e].to : edges[e].from) + 1]++;
    for (uint32_t n = 0; n < nodes; n++)
        at[n + 1] += at[n];
    uint32_t *fill = ww_calloc(nodes + 1u, sizeof *fill);
    memcpy(fill, at, (nodes + 1u) * sizeof *fill);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t key = backwards ? edges[e].to : edges[e].from;
        list[fill[key]++] = backwards ? edges[e].from : edges[e].to;
    }
    free(fill);
}

ww_graph *ww_graph_create(uint32_t node_count, const ww_edge *edges, uint32_t edge_count)
{
    ww_graph *g = ww_calloc(1, sizeof *g);
    g->node_count = node_count;
    g->edge_count = edge_count;
    g->next_at = ww_calloc(node_count + 1u, sizeof *g->next_at);
    g->before_at = ww_calloc(node_count + 1u, sizeof *g->before_at);
    g->next = ww_calloc(edge_count + 1u, sizeof *g->next);
    g->before = ww_calloc(edge_count + 1u, sizeof *g->before);
    fill_side(edges, edge_count, node_count, false, g->next_at, g->next);
    fill_side(edges, edge_count, node_count, true, g->before_at, g->before);
    return g;
}

void ww_graph_destroy(ww_graph *graph)
{
    if (!graph)
        return;
    free(graph->next_at);
    free(graph->next);
    free(graph->before_at);
    free(graph->before);
    free(graph);
}

ww_graph ww_graph_reversed(const ww_graph *graph)
{
    return (ww_graph){.node_count = graph->node_count,
                      .edge_count = graph->edge_count,
                      .next_at = graph->before_at,
                      .next = graph->before,
                      .before_at = graph->next_at,
                      .before = graph->next};
}

/* Visits all that is reachable from `root` and not yet visited. `stack` holds visit numbers,
 * `edge` the next edge to look at, by node. */
static void search_from(const ww_graph *g, ww_dfs *dfs, uint32_t root, uint32_t *stack,
                        uint32_t *edge, uint32_t *done)
{
    uint32_t depth = 0;
    uint32_t v = dfs->count;
    dfs->number[root] = v;
    dfs->node[v] = root;
    dfs->parent[v] = v;
    dfs->count++;
    stack[depth++] = v;
    while (depth > 0) {
        uint32_t top = stack[depth - 1];
        uint32_t n = dfs->node[top];
        if (edge[n] == g->next_at[n + 1]) {
            dfs->last[top] = dfs->count - 1;
            dfs->finished[(*done)++] = n;
            depth--;
            continue;
        }
        uint32_t to = g->next[edge[n]++];
        if (dfs->number[to] != WW_NO_NODE)
            continue;
        uint32_t w = dfs->count++;
        dfs->number[to] = w;
        dfs->node[w] = to;
        dfs->parent[w] = top;
        stack[depth++] = w;
    }
}

ww_dfs *ww_dfs_create(const ww_graph *graph, uint32_t root, bool everywhere)
{
    uint32_t n = graph->node_count;
    ww_dfs *dfs = ww_calloc(1, sizeof *dfs);
    dfs->number = ww_calloc(n + 1u, sizeof *dfs->number);
    dfs->node = ww_calloc(n + 1u, sizeof *dfs->node);
    dfs->parent = ww_calloc(n + 1u, sizeof *dfs->parent);
    dfs->last = ww_calloc(n + 1u, sizeof *dfs->last);
    dfs->finished = ww_calloc(n + 1u, sizeof *dfs->finished);
    memset(dfs->number, 0xff, (n + 1u) * sizeof *dfs->number);
    uint32_t *stack = ww_calloc(n + 1u, sizeof *stack);
    uint32_t *edge = ww_calloc(n + 1u, sizeof *edge);
    memcpy(edge, graph->next_at, (n + 1u) * sizeof *edge);
    uint32_t done = 0;
    if (root < n)
        search_from(graph, dfs, root, stack, edge, &done);
    for (uint32_t i = 0; everywhere && i < n; i++)
        if (dfs->number[i] == WW_NO_NODE)
            search_from(graph, dfs, i, stack, edge, &done);
    free(stack);
    free(edge);
    return dfs;
}

void ww_dfs_destroy(ww_dfs *dfs)
{
    if (!dfs)
        return;
    free(dfs->number);
    free(dfs->node);
    free(dfs->parent);
    free(dfs->last);
    free(dfs->finished);
    free(dfs);
}

/* The forest of Semi-NCA, all in visit numbers: queries compress `up`; `best` is the node of least
 * semidominator between a node and the root of its tree. */
typedef struct forest {
    uint32_t *up;
    uint32_t *best;
    uint32_t *semi;
    uint32_t *stack;
} forest;

/* Nodes at or above `linked` are linked to their parents. */
static uint32_t best_above(forest *f, uint32_t v, uint32_t linked)
{
    if (f->up[v] < linked)
        return f->best[v];
    uint32_t depth = 0;
    while (f->up[v] >= linked) {
        f->stack[depth++] = v;
        v = f->up[v];
    }
    while (depth > 0) {
        uint32_t above = v;
        v = f->stack[--depth];
        f->up[v] = f->up[above];
        if (f->semi[f->best[above]] < f->semi[f->best[v]])
            f->best[v] = f->best[above];
    }
    return f->best[v];
}

static void find_semidominators(const ww_graph *g, const ww_dfs *dfs, forest *f)
{
    for (uint32_t i = 0; i < dfs->count; i++) {
        f->up[i] = dfs->parent[i];
        f->best[i] = i;
        f->semi[i] = i;
    }
    for (uint32_t i = dfs->count; i-- > 1;) {
        uint32_t n = dfs->node[i];
        uint32_t semi = dfs->parent[i];
        for (uint32_t e = g->before_at[n]; e < g->before_at[n + 1]; e++) {
            uint32_t p = dfs->number[g->before[e]];
            if (p == WW_NO_NODE)
                continue;
            uint32_t candidate = f->semi[best_above(f, p, i + 1)];
            semi = candidate < semi ? candidate : semi;
        }
        f->semi[i] = semi;
    }
}

void ww_graph_dominators(const ww_graph *graph, uint32_t root, uint32_t *idom)
{
    memset(idom, 0xff, graph->node_count * sizeof *idom);
    ww_dfs *dfs = ww_dfs_create(graph, root, false);
    size_t n = dfs->count;
    uint32_t *arrays = ww_calloc(5 * (n + 1), sizeof *arrays);
    forest f = {arrays, arrays + n, arrays + 2 * n, arrays + 3 * n};
    uint32_t *dominator = arrays + 4 * n; /* by visit number */
    find_semidominators(graph, dfs, &f);
    for (uint32_t i = 1; i < n; i++) {
        uint32_t d = dfs->parent[i];
        while (d > f.semi[i])
            d = dominator[d];
        dominator[i] = d;
        idom[dfs->node[i]] = dfs->node[d];
    }
    free(arrays);
    ww_dfs_destroy(dfs);
}
