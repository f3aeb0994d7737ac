/* Meshes: item v is the vertex v with its links to the left and up. */
#include "workload/graph_internal.h"

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    int status = ww_graph_set_grid(source, errors);
    if (status)
        return status;
    uint64_t width = source->spec.width, height = source->spec.height;
    return ww_graph_set_size(source, source->vertices,
                             2 * ((width - 1) * height + width * (height - 1)), errors);
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    uint64_t width = source->spec.width, x = first % width;
    size_t count = 0;
    for (uint64_t v = first; v < first + items; v++) {
        if (x)
            result[count++] = ww_graph_pair(v, v - 1);
        if (v >= width)
            result[count++] = ww_graph_pair(v, v - width);
        x = x + 1 == width ? 0 : x + 1;
    }
    return count;
}

const ww_graph_generator ww_graph_mesh = {
    .name = "mesh",
    .prepare = prepare,
    .pairs = pairs,
    .weight = ww_graph_byte_weight,
};
