/* Road networks: vertices on a grid. Each vertex has a road to the left or up (a random bit
 * decides; on the upper and left border there is only one). These roads all lead to the corner, so
 * all vertices are connected. A quarter of the vertices has both. That is 1.25 roads, 2.5 edges,
 * per vertex; the road network of the USA (DIMACS) has 2.4, California's (SNAP) 2.8. Unlike
 * there, no vertex has more than four roads, and there are no long chains without crossings.
 *
 * Item i is the vertex i in row-major order. Vertices are numbered in that order, with disorder
 * in each run of 64, or, with `tile`, tile by tile: at random within each square of so many rows
 * and columns, squares row by row. Those at the right and the lower border may be smaller. */
#include "workload/graph_internal.h"

#define RUN 64
#define LONGEST_ROAD 9999

enum { LEFT = 1, UP = 2 };

static unsigned roads_of(const ww_graph_source *source, uint64_t vertex, uint64_t x)
{
    bool top = vertex < source->spec.width;
    if (!x || top)
        return x ? LEFT : top ? 0 : UP;
    uint64_t random = ww_graph_random(source->key, vertex);
    if ((random >> 62) == 0)
        return LEFT | UP;
    return random & 1 ? LEFT : UP;
}

/* A bijection of 0 .. count - 1, at most 2^32 numbers: steps that can be undone, on numbers of as
 * many bits, until the result is one of them. */
static uint64_t permute(uint64_t key, uint64_t i, uint64_t count)
{
    unsigned bits = count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    do {
        for (unsigned step = 0; step < 3; step++) {
            uint64_t random = ww_graph_random(key, step);
            i = (i * (random | 1) + (random >> 32)) & mask;
            i ^= i >> (bits / 2 + 1);
        }
    } while (i >= count);
    return i;
}

static uint64_t number_in_tile(const ww_graph_source *source, uint64_t vertex)
{
    uint64_t width = source->spec.width, height = source->spec.height, tile = source->spec.tile;
    uint64_t x = vertex % width, y = vertex / width, left = x - x % tile, top = y - y % tile;
    uint64_t columns = width - left < tile ? width - left : tile;
    uint64_t rows = height - top < tile ? height - top : tile;
    uint64_t first = top * width + left * rows;
    uint64_t key = ww_graph_random(~source->key, first);
    return first + permute(key, (y - top) * columns + x - left, rows * columns);
}

/* A bijection within each whole run. */
static uint64_t number_in_run(const ww_graph_source *source, uint64_t vertex)
{
    uint64_t start = vertex - vertex % RUN, nth = vertex % RUN;
    if (start + RUN > source->vertices)
        return vertex;
    uint64_t random = ww_graph_random(~source->key, start);
    nth = (nth * (random | 1) + (random >> 32)) % RUN;
    nth ^= nth >> 3;
    return start + (nth * (random >> 16 | 1) + (random >> 48)) % RUN;
}

static uint64_t number_of(const ww_graph_source *source, uint64_t vertex)
{
    return source->spec.tile ? number_in_tile(source, vertex) : number_in_run(source, vertex);
}

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    int status = ww_graph_set_grid(source, errors);
    if (status)
        return status;
    uint64_t roads = 0, x = 0;
    for (uint64_t vertex = 0; vertex < source->vertices; vertex++) {
        unsigned here = roads_of(source, vertex, x);
        roads += (here & LEFT) + (here >> 1);
        x = x + 1 == source->spec.width ? 0 : x + 1;
    }
    return ww_graph_set_size(source, source->vertices, 2 * roads, errors);
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    uint64_t width = source->spec.width, x = first % width;
    size_t count = 0;
    for (uint64_t vertex = first; vertex < first + items; vertex++) {
        unsigned roads = roads_of(source, vertex, x);
        uint64_t number = number_of(source, vertex);
        if (roads & LEFT)
            result[count++] = ww_graph_pair(number, number_of(source, vertex - 1));
        if (roads & UP)
            result[count++] = ww_graph_pair(number, number_of(source, vertex - width));
        x = x + 1 == width ? 0 : x + 1;
    }
    return count;
}

/* A product of two uniform numbers: most roads are short. */
static uint32_t weight(uint64_t random)
{
    uint64_t share = ww_graph_below(random, LONGEST_ROAD);
    return (uint32_t)(1 + ww_graph_below(random << 32, share + 1));
}

const ww_graph_generator ww_graph_road = {
    .name = "road",
    .prepare = prepare,
    .pairs = pairs,
    .weight = weight,
};
