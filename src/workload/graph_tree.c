/* Trees: item i is the edge from the parent of vertex i + 1. Vertices are numbered by level, so
 * that the children of a vertex are next to each other (SHOC's k-way graph). */
#include "workload/graph_internal.h"

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    uint64_t vertices;
    int status = ww_graph_count_vertices(source, &vertices, errors);
    if (status)
        return status;
    source->both_ways = source->spec.symmetric;
    source->items = vertices - 1;
    return ww_graph_set_size(source, vertices, source->items << source->both_ways, errors);
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    uint64_t children = source->spec.edge_factor;
    for (size_t i = 0; i < items; i++)
        result[i] = ww_graph_pair((first + i) / children, first + i + 1);
    return items;
}

const ww_graph_generator ww_graph_tree = {
    .name = "tree",
    .prepare = prepare,
    .pairs = pairs,
    .weight = ww_graph_byte_weight,
};
