/* The loop nesting forest of a graph. Nodes are handled in reverse order of visit, so that inner
 * loops are found, and collapsed into their headers, before the loops around them. An edge between
 * different branches of the search tree takes part from their nearest common ancestor upwards; if
 * its end has been collapsed by then into a loop of another header, that loop is irreducible. */
#include "base/memory.h"
#include "ptx/graph.h"

#include <string.h>

typedef struct jump {
    uint32_t from; /* visit numbers */
    uint32_t to;
    uint32_t next; /* index of the next link in the same list, or WW_NO_NODE */
} jump;

typedef struct finder {
    const ww_graph *graph;
    const ww_dfs *dfs;
    ww_loops *loops;
    uint32_t *leader;    /* union-find by visit number: the collapsed loop's header */
    uint32_t *waiting;   /* by common ancestor: list of links that begin to count there */
    uint32_t *extra;     /* by node: list of links that arrive there besides the tree edge */
    uint32_t *back;      /* by header: list of links back to it */
    uint32_t *member_of; /* by node: the header whose body it is being added to */
    uint32_t *work;
    WW_VEC(jump) links;
} finder;

static uint32_t find(uint32_t *leader, uint32_t v)
{
    uint32_t root = v;
    while (leader[root] != root)
        root = leader[root];
    while (leader[v] != root) {
        uint32_t next = leader[v];
        leader[v] = root;
        v = next;
    }
    return root;
}

static void add_link(finder *f, uint32_t *lists, uint32_t list, uint32_t from, uint32_t to)
{
    jump l = {from, to, lists[list]};
    lists[list] = (uint32_t)f->links.count;
    ww_vec_push(&f->links, l);
}

/* Classifies the edges out of visit number `i`; `above` is a union-find in which every finished
 * node is joined to its parent. */
static void classify_edges(finder *f, uint32_t i, uint32_t *above)
{
    const ww_graph *g = f->graph;
    const ww_dfs *dfs = f->dfs;
    uint32_t n = dfs->node[i];
    for (uint32_t e = g->next_at[n]; e < g->next_at[n + 1]; e++) {
        uint32_t to = dfs->number[g->next[e]];
        if (to <= i && i <= dfs->last[to])
            add_link(f, f->back, to, i, to);
        else if (to > i && dfs->parent[to] != i)
            add_link(f, f->waiting, i, i, to);
        else if (to < i) {
            uint32_t ancestor = find(above, to);
            if (i <= dfs->last[ancestor]) /* else an edge into an earlier tree: part of no loop */
                add_link(f, f->waiting, ancestor, i, to);
        }
    }
}

static void classify_all(finder *f)
{
    uint32_t n = f->dfs->count;
    uint32_t *above = ww_calloc(n + 1u, sizeof *above);
    for (uint32_t i = 0; i < n; i++)
        above[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *parent = f->dfs->parent;
        for (uint32_t t = i - 1; i > 0 && t != parent[i] && parent[t] != t; t = parent[t])
            above[t] = parent[t];
        classify_edges(f, i, above);
    }
    free(above);
}

/* An edge from outside arrives at `to`, which is in loops but not the header of all of them. */
static void mark_irreducible(finder *f, uint32_t to)
{
    uint32_t node = f->dfs->node[to];
    uint32_t header = f->loops->header[node];
    f->loops->entries++;
    if (header == node)
        header = f->loops->outer[node];
    for (; header != WW_NO_NODE; header = f->loops->outer[header])
        f->loops->irreducible[header] = true;
}

static void release_links(finder *f, uint32_t w)
{
    for (uint32_t l = f->waiting[w]; l != WW_NO_NODE;) {
        jump link = f->links.items[l];
        uint32_t to = find(f->leader, link.to);
        if (to != link.to && link.from <= f->dfs->last[0])
            mark_irreducible(f, link.to);
        add_link(f, f->extra, to, link.from, to);
        l = link.next;
    }
}

static void push_member(finder *f, uint32_t v, uint32_t w, uint32_t *count)
{
    uint32_t top = find(f->leader, v);
    if (top == w || f->member_of[top] == w)
        return;
    f->member_of[top] = w;
    f->work[(*count)++] = top;
}

/* Finds the loop headed by visit number `w`, if there is one, and collapses it. */
static void collect_loop(finder *f, uint32_t w)
{
    uint32_t count = 0;
    if (f->back[w] == WW_NO_NODE)
        return;
    uint32_t header = f->dfs->node[w];
    f->loops->header[header] = header;
    f->loops->loop_count++;
    for (uint32_t l = f->back[w]; l != WW_NO_NODE; l = f->links.items[l].next)
        push_member(f, f->links.items[l].from, w, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = f->work[i];
        push_member(f, f->dfs->parent[v], w, &count);
        for (uint32_t l = f->extra[v]; l != WW_NO_NODE; l = f->links.items[l].next)
            push_member(f, f->links.items[l].from, w, &count);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = f->work[i];
        uint32_t node = f->dfs->node[v];
        if (f->loops->header[node] == node)
            f->loops->outer[node] = header;
        else
            f->loops->header[node] = header;
        f->leader[v] = w;
    }
}

/* A header is visited before the rest of its loop, so the nest can be filled in that order. */
static void fill_nest(ww_loops *loops, const ww_dfs *dfs)
{
    for (uint32_t i = 0; i < dfs->count; i++) {
        uint32_t n = dfs->node[i];
        uint32_t around = loops->header[n] == n ? loops->outer[n] : loops->header[n];
        if (around != WW_NO_NODE) {
            loops->depth[n] = loops->depth[around] + (loops->header[n] == n);
            loops->outermost[n] = loops->outermost[around];
        } else if (loops->header[n] == n) {
            loops->depth[n] = 1;
            loops->outermost[n] = n;
        }
    }
}

static uint32_t *no_nodes(uint32_t count)
{
    uint32_t *array = ww_calloc(count + 1u, sizeof *array);
    memset(array, 0xff, (count + 1u) * sizeof *array);
    return array;
}

ww_loops *ww_loops_create(const ww_graph *graph, const ww_dfs *dfs)
{
    uint32_t n = graph->node_count;
    ww_loops *loops = ww_calloc(1, sizeof *loops);
    loops->header = no_nodes(n);
    loops->outer = no_nodes(n);
    loops->outermost = no_nodes(n);
    loops->depth = ww_calloc(n + 1u, sizeof *loops->depth);
    loops->irreducible = ww_calloc(n + 1u, sizeof *loops->irreducible);
    finder f = {.graph = graph, .dfs = dfs, .loops = loops};
    f.leader = ww_calloc(n + 1u, sizeof *f.leader);
    f.work = ww_calloc(n + 1u, sizeof *f.work);
    f.waiting = no_nodes(n);
    f.extra = no_nodes(n);
    f.back = no_nodes(n);
    f.member_of = no_nodes(n);
    for (uint32_t i = 0; i < dfs->count; i++)
        f.leader[i] = i;
    classify_all(&f);
    for (uint32_t w = dfs->count; w-- > 0;) {
        release_links(&f, w);
        collect_loop(&f, w);
    }
    fill_nest(loops, dfs);
    free(f.leader);
    free(f.work);
    free(f.waiting);
    free(f.extra);
    free(f.back);
    free(f.member_of);
    ww_vec_free(&f.links);
    return loops;
}

void ww_loops_destroy(ww_loops *loops)
{
    if (!loops)
        return;
    free(loops->header);
    free(loops->outer);
    free(loops->outermost);
    free(loops->depth);
    free(loops->irreducible);
    free(loops);
}
