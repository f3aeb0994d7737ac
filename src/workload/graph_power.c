/* Power-law graphs without huge vertices: both ends of an edge are drawn alike, a vertex of rank r
 * (of 0 .. 1) with a weight of 1 / sqrt(r + FIRST^2). The degrees that follow have the exponent 3,
 * and the highest expected one is (1 + FIRST) / (2 FIRST) times the mean, as in networks of
 * co-authors. */
#include "workload/graph_internal.h"

#define FIRST 0.01
#define STRIDE 2654435761u /* a prime above the number of vertices: spreads ranks over numbers */

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    uint64_t vertices;
    int status = ww_graph_count_vertices(source, &vertices, errors);
    if (status)
        return status;
    source->both_ways = source->spec.symmetric;
    if (vertices <= WW_GRAPH_MOST_VERTICES)
        source->items = vertices * source->spec.edge_factor;
    return ww_graph_set_size(source, vertices, source->items << source->both_ways, errors);
}

/* The weights' sum up to a rank is a square root, so that a rank is the square of a random number.
 * Products, sums and divisions only: the same on every machine. */
static uint64_t draw(const ww_graph_source *source, uint64_t random)
{
    double root = FIRST + (1 - FIRST) * ((double)(random >> 11) * 0x1p-53);
    double rank = (root * root - FIRST * FIRST) / (1 - FIRST * FIRST);
    uint64_t place = (uint64_t)(rank * (double)source->vertices);
    if (place >= source->vertices)
        place = source->vertices - 1;
    return (place * STRIDE + source->key % source->vertices) % source->vertices;
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    for (size_t i = 0; i < items; i++) {
        uint64_t from = draw(source, ww_graph_random(source->key, 2 * (first + i)));
        uint64_t to = draw(source, ww_graph_random(source->key, 2 * (first + i) + 1));
        if (from == to)
            to = (to + 1 + (first + i) % (source->vertices - 1)) % source->vertices;
        result[i] = ww_graph_pair(from, to);
    }
    return items;
}

const ww_graph_generator ww_graph_power = {
    .name = "power",
    .prepare = prepare,
    .pairs = pairs,
    .weight = ww_graph_byte_weight,
};
