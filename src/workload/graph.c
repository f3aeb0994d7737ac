#include "workload/graph.h"

#include "workload/graph_internal.h"

#include <inttypes.h>
#include <string.h>

#define BLOCK 1024 /* items made at a time */

static const ww_graph_generator *const generators[WW_GRAPH_KINDS] = {
    [WW_GRAPH_RMAT] = &ww_graph_rmat, [WW_GRAPH_ROAD] = &ww_graph_road,
    [WW_GRAPH_MESH] = &ww_graph_mesh, [WW_GRAPH_UNIFORM] = &ww_graph_uniform,
    [WW_GRAPH_TREE] = &ww_graph_tree, [WW_GRAPH_POWER] = &ww_graph_power,
};

/* ---- opening ---- */

static ww_graph_source *new_source(const ww_graph_spec *spec)
{
    ww_graph_source *source = ww_calloc(1, sizeof(*source));
    source->spec = *spec;
    source->spec.file = NULL;
    source->list.reversed = spec->reversed;
    source->key = ww_graph_random(spec->seed, 1 + (uint64_t)spec->kind);
    source->weight_key = ww_graph_random(source->key, 0);
    source->generator = generators[spec->kind];
    return source;
}

static ww_graph_source *opened(ww_graph_source *source, int status)
{
    if (status) {
        ww_graph_close(source);
        return NULL;
    }
    if (!source->generator) {
        source->vertices = source->list.vertices;
        source->edges = source->list.pairs.count;
    }
    return source;
}

ww_graph_source *ww_graph_open(const ww_graph_spec *spec, ww_errors *errors)
{
    ww_graph_source *source = new_source(spec);
    if (source->generator)
        return opened(source, source->generator->prepare(source, errors));
    return opened(source, ww_graph_list_load(spec->file, spec->symmetric, &source->list, errors));
}

ww_graph_source *ww_graph_open_bytes(const ww_graph_spec *spec, const char *bytes, size_t count,
                                     ww_errors *errors)
{
    ww_graph_source *source = new_source(spec);
    return opened(source, ww_graph_list_parse(spec->file, bytes, count, spec->symmetric,
                                              &source->list, errors));
}

void ww_graph_close(ww_graph_source *source)
{
    if (!source)
        return;
    ww_graph_list_free(&source->list);
    free(source->state);
    free(source);
}

int ww_graph_count_vertices(const ww_graph_source *source, uint64_t *vertices, ww_errors *errors)
{
    const ww_graph_spec *spec = &source->spec;
    *vertices = spec->vertices ? spec->vertices : (uint64_t)1 << (spec->scale & 31);
    if (!spec->vertices && (spec->scale < 1 || spec->scale > 31))
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "%s graph of scale %u (1 .. 31)",
                       source->generator->name, spec->scale);
    return WW_OK;
}

int ww_graph_set_size(ww_graph_source *source, uint64_t vertices, uint64_t edges, ww_errors *errors)
{
    const char *name = source->generator->name;
    source->vertices = vertices;
    source->edges = edges;
    if (vertices < 2 || vertices > WW_GRAPH_MOST_VERTICES)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "%s graph of %" PRIu64 " vertices (2 .. %" PRIu64 ")", name, vertices,
                       WW_GRAPH_MOST_VERTICES);
    if (edges < 1 || edges > WW_GRAPH_MOST_EDGES)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "%s graph of %" PRIu64 " edges (1 .. %" PRIu64 ")", name, edges,
                       WW_GRAPH_MOST_EDGES);
    return WW_OK;
}

int ww_graph_set_grid(ww_graph_source *source, ww_errors *errors)
{
    uint64_t width = source->spec.width, height = source->spec.height;
    source->both_ways = true;
    if (width > WW_GRAPH_MOST_VERTICES || height > WW_GRAPH_MOST_VERTICES || width * height < 2 ||
        width * height > WW_GRAPH_MOST_VERTICES)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE,
                       "%s graph of %" PRIu64 " x %" PRIu64 " vertices (2 .. %" PRIu64 " in all)",
                       source->generator->name, width, height, WW_GRAPH_MOST_VERTICES);
    source->vertices = source->items = width * height;
    return WW_OK;
}

uint64_t ww_graph_vertices(const ww_graph_source *source)
{
    return source->vertices;
}

uint64_t ww_graph_edges(const ww_graph_source *source)
{
    return source->edges;
}

bool ww_graph_weighted(const ww_graph_source *source)
{
    return source->generator || source->list.weighted;
}

/* ---- rows of a generated graph ---- */

/* Edges come in random order, and the arrays can be much larger than the caches and the TLB. So
 * edges are piled up by ranges of vertices, and a pile is used when it is full. */
#define PILES 256
#define PILE_SIZE 4096

typedef struct pile {
    size_t count;
    uint64_t pairs[PILE_SIZE];
} pile;

/* row[v] becomes the number of v's edges, or (with `column`) moves from the end of v's row to its
 * start while the entries are filled in from the back. */
static void use_pile(pile *full, uint32_t *row, uint32_t *column)
{
    if (column)
        for (size_t i = 0; i < full->count; i++)
            column[--row[full->pairs[i] >> 32]] = (uint32_t)full->pairs[i];
    else
        for (size_t i = 0; i < full->count; i++)
            row[full->pairs[i] >> 32]++;
    full->count = 0;
}

static inline void pile_up(pile *piles, unsigned shift, uint64_t pair, uint32_t *row,
                           uint32_t *column)
{
    pile *mine = &piles[pair >> 32 >> shift];
    mine->pairs[mine->count++] = pair;
    if (mine->count == PILE_SIZE)
        use_pile(mine, row, column);
}

static void use_all_edges(const ww_graph_source *source, pile *piles, uint32_t *row,
                          uint32_t *column)
{
    uint64_t pairs[BLOCK * WW_GRAPH_PAIRS_PER_ITEM];
    unsigned shift = 0;
    while ((source->vertices - 1) >> shift >= PILES)
        shift++;
    for (uint64_t first = 0; first < source->items; first += BLOCK) {
        uint64_t left = source->items - first;
        size_t items = left < BLOCK ? (size_t)left : BLOCK;
        size_t count = source->generator->pairs(source, first, items, pairs);
        for (size_t i = 0; i < count; i++)
            pile_up(piles, shift, pairs[i], row, column);
        for (size_t i = 0; source->both_ways && i < count; i++)
            pile_up(piles, shift, ww_graph_opposite(pairs[i]), row, column);
    }
    for (size_t p = 0; p < PILES; p++)
        use_pile(&piles[p], row, column);
}

static void fill_generated(const ww_graph_source *source, uint32_t *row, uint32_t *column)
{
    uint64_t vertices = source->vertices;
    pile *piles = ww_calloc(PILES, sizeof(*piles));
    memset(row, 0, (vertices + 1) * sizeof(*row));
    use_all_edges(source, piles, row, NULL);
    uint32_t end = 0;
    for (uint64_t v = 0; v <= vertices; v++)
        row[v] = end += row[v];
    use_all_edges(source, piles, row, column);
    free(piles);
    for (uint64_t v = 0; v < vertices; v++)
        ww_graph_sort_row(column + row[v], row[v + 1] - row[v]);
}

/* ---- rows of a file's graph ---- */

static void fill_listed(const ww_graph_source *source, uint32_t *row, uint32_t *column)
{
    const uint64_t *pairs = source->list.pairs.items;
    uint64_t v = 0;
    for (uint64_t i = 0; i < source->edges; i++) {
        for (uint64_t from = pairs[i] >> 32; v <= from; v++)
            row[v] = (uint32_t)i;
        column[i] = (uint32_t)pairs[i];
    }
    for (; v <= source->vertices; v++)
        row[v] = (uint32_t)source->edges;
}

/* ---- weights ---- */

uint32_t ww_graph_byte_weight(uint64_t random)
{
    return (uint32_t)(1 + ww_graph_below(random, 255));
}

static void make_weights(const ww_graph_source *source, const uint32_t *row, const uint32_t *column,
                         uint32_t *weight)
{
    uint32_t (*of_random)(uint64_t) =
        source->generator ? source->generator->weight : ww_graph_byte_weight;
    for (uint64_t v = 0; v < source->vertices; v++) {
        for (uint64_t i = row[v]; i < row[v + 1]; i++) {
            uint64_t low = v < column[i] ? v : column[i], high = v + column[i] - low;
            weight[i] = of_random(ww_graph_random(source->weight_key, ww_graph_pair(low, high)));
        }
    }
}

void ww_graph_fill(const ww_graph_source *source, uint32_t *row, uint32_t *column, uint32_t *weight)
{
    if (source->generator)
        fill_generated(source, row, column);
    else
        fill_listed(source, row, column);
    if (weight && !source->generator && source->list.weighted)
        memcpy(weight, source->list.weights.items, source->edges * sizeof(*weight));
    else if (weight)
        make_weights(source, row, column, weight);
}
