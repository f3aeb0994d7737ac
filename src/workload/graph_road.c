/* Road networks: places on a grid. Each place has a road to the left or up (a coin decides; at the
 * upper and left border the one there is), which leads to the corner in the end: so all places are
 * connected. A quarter of the places has both. That is 1.25 roads, 2.5 edges, per place; the road
 * network of the USA (DIMACS) has 2.4, California's (SNAP) 2.8. Unlike there, no place has more
 * than four roads, and there are no long chains without crossings.
 *
 * Item i is the place i in row-major order. Places are numbered in that order, with disorder in
 * each run of 64. */
#include "workload/graph_parts.h"

#define RUN 64
#define LONGEST_ROAD 9999

enum { LEFT = 1, UP = 2 };

static unsigned roads_of(const ww_graph_source *source, uint64_t place, uint64_t x)
{
    bool top = place < source->spec.width;
    if (!x || top)
        return x ? LEFT : top ? 0 : UP;
    uint64_t random = ww_graph_random(source->key, place);
    if ((random >> 62) == 0)
        return LEFT | UP;
    return random & 1 ? LEFT : UP;
}

/* A bijection within each whole run. */
static uint64_t number_of(const ww_graph_source *source, uint64_t place)
{
    uint64_t start = place - place % RUN, nth = place % RUN;
    if (start + RUN > source->vertices)
        return place;
    uint64_t random = ww_graph_random(~source->key, start);
    nth = (nth * (random | 1) + (random >> 32)) % RUN;
    nth ^= nth >> 3;
    return start + (nth * (random >> 16 | 1) + (random >> 48)) % RUN;
}

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    int status = ww_graph_set_grid(source, errors);
    if (status)
        return status;
    uint64_t roads = 0, x = 0;
    for (uint64_t place = 0; place < source->vertices; place++) {
        unsigned here = roads_of(source, place, x);
        roads += (here & LEFT) + (here >> 1);
        x = x + 1 == source->spec.width ? 0 : x + 1;
    }
    return ww_graph_set_size(source, source->vertices, 2 * roads, errors);
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    uint64_t width = source->spec.width, x = first % width;
    size_t count = 0;
    for (uint64_t place = first; place < first + items; place++) {
        unsigned roads = roads_of(source, place, x);
        uint64_t number = number_of(source, place);
        if (roads & LEFT)
            result[count++] = ww_graph_pair(number, number_of(source, place - 1));
        if (roads & UP)
            result[count++] = ww_graph_pair(number, number_of(source, place - width));
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
