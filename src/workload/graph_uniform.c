/* Uniform graphs: item v * edge_factor + j is the j-th edge of vertex v. */
#include "workload/graph_internal.h"

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

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    uint64_t factor = source->spec.edge_factor, others = source->vertices - 1;
    uint64_t from = first / factor, nth = first % factor;
    for (size_t i = 0; i < items; i++) {
        uint64_t to = ww_graph_below(ww_graph_random(source->key, first + i), others);
        result[i] = ww_graph_pair(from, to + (to >= from));
        if (++nth == factor) {
            nth = 0;
            from++;
        }
    }
    return items;
}

const ww_graph_generator ww_graph_uniform = {
    .name = "uniform",
    .prepare = prepare,
    .pairs = pairs,
    .weight = ww_graph_byte_weight,
};
