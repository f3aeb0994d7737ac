/* R-MAT graphs: an edge is found by halving the matrix of all edges `scale` times, each time into
 * the quadrant that a random number picks. Four halvings are one draw from a table of their 256
 * outcomes (Walker's alias method), and a random word has the bits of three draws. */
#include "workload/graph_internal.h"

#define LEVELS_PER_DRAW 4
#define OUTCOMES 256 /* 4 ^ LEVELS_PER_DRAW */
#define SHARE_BITS 13
#define DRAW_BITS (8 + SHARE_BITS)
#define LEVELS_PER_WORD 12 /* three draws */
#define MOST_WORDS 3       /* for 31 levels */

/* A cell of the alias table: `share` of 2^SHARE_BITS is the first outcome's, the rest the other's.
 * An outcome is a pair of vertices: the bits that the draw adds to each end. */
typedef struct cell {
    uint64_t share;
    uint64_t outcome[2];
} cell;

static uint64_t outcome_of(unsigned index)
{
    return ww_graph_pair(index >> LEVELS_PER_DRAW, index % (1 << LEVELS_PER_DRAW));
}

/* The chance of an outcome, in parts of 100^LEVELS_PER_DRAW. */
static uint64_t chance_of(unsigned index)
{
    static const uint64_t percent[2][2] = {{57, 19}, {19, 5}};
    uint64_t chance = 1;
    for (unsigned level = 0; level < LEVELS_PER_DRAW; level++)
        chance *= percent[index >> (LEVELS_PER_DRAW + level) & 1][index >> level & 1];
    return chance;
}

/* Vose's construction. Chances are scaled so that a cell holds `full`; outcomes with less take the
 * rest of their cell from one with more. */
static void fill_cells(cell *cells)
{
    const uint64_t full = 100u * 100 * 100 * 100;
    uint64_t left[OUTCOMES];
    unsigned poor[OUTCOMES], rich[OUTCOMES], poor_count = 0, rich_count = 0;
    for (unsigned i = 0; i < OUTCOMES; i++) {
        left[i] = chance_of(i) * OUTCOMES;
        cells[i] = (cell){1 << SHARE_BITS, {outcome_of(i), outcome_of(i)}};
        if (left[i] < full)
            poor[poor_count++] = i;
        else
            rich[rich_count++] = i;
    }
    while (poor_count && rich_count) {
        unsigned taker = poor[--poor_count], giver = rich[rich_count - 1];
        cells[taker].share = (left[taker] << SHARE_BITS) / full;
        cells[taker].outcome[1] = outcome_of(giver);
        left[giver] -= full - left[taker];
        if (left[giver] < full) {
            rich_count--;
            poor[poor_count++] = giver;
        }
    }
}

static int prepare(ww_graph_source *source, ww_errors *errors)
{
    unsigned scale = source->spec.scale;
    if (scale < 1 || scale > 31)
        return ww_fail(errors, WW_BAD_INPUT, WW_NOWHERE, "rmat graph of scale %u (1 .. 31)", scale);
    source->both_ways = source->spec.symmetric;
    source->items = (uint64_t)source->spec.edge_factor << scale;
    source->state = ww_calloc(OUTCOMES, sizeof(cell));
    fill_cells(source->state);
    return ww_graph_set_size(source, (uint64_t)1 << scale, source->items << source->both_ways,
                             errors);
}

/* A bijection on `scale` bits. */
static inline uint64_t scramble(uint64_t vertex, uint64_t key, unsigned scale)
{
    uint64_t mask = ((uint64_t)1 << scale) - 1;
    unsigned half = (scale + 1) / 2;
    vertex = (vertex * (key | 1) + (key >> 32)) & mask;
    vertex ^= vertex >> half;
    vertex = (vertex * 0x9e3779b97f4a7c15u) & mask;
    vertex ^= vertex >> half;
    return (vertex * 0xbf58476d1ce4e5b9u) & mask;
}

static inline uint64_t draw(const cell *cells, uint64_t random)
{
    const cell *c = &cells[random % OUTCOMES];
    return c->outcome[(random >> 8 & ((1u << SHARE_BITS) - 1)) >= c->share];
}

/* LEVELS_PER_WORD bits of both ends. */
static inline uint64_t draw_word(const cell *cells, uint64_t random)
{
    return draw(cells, random) << 2 * LEVELS_PER_DRAW |
           draw(cells, random >> DRAW_BITS) << LEVELS_PER_DRAW |
           draw(cells, random >> 2 * DRAW_BITS);
}

static inline uint64_t draw_pair(const cell *cells, uint64_t key, uint64_t item, unsigned scale)
{
    uint64_t pair = 0;
    for (unsigned left = scale, word = 0; left; word++) {
        unsigned used = left < LEVELS_PER_WORD ? left : LEVELS_PER_WORD;
        uint64_t mask = ((uint64_t)1 << used) - 1;
        uint64_t bits = draw_word(cells, ww_graph_random(key, item * MOST_WORDS + word));
        bits = bits >> (LEVELS_PER_WORD - used) & ww_graph_pair(mask, mask);
        pair = pair << used | bits;
        left -= used;
    }
    return pair;
}

static size_t pairs(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *result)
{
    const cell *cells = source->state;
    unsigned scale = source->spec.scale;
    uint64_t key = source->key, others = source->vertices - 1;
    uint64_t labels = ww_graph_random(~key, UINT64_MAX);
    for (size_t i = 0; i < items; i++) {
        uint64_t pair = draw_pair(cells, key, first + i, scale);
        uint64_t from = scramble(pair >> 32, labels, scale);
        uint64_t to = scramble((uint32_t)pair, labels, scale);
        if (from == to)
            to ^= 1 + ww_graph_below(ww_graph_random(~key, first + i), others);
        result[i] = ww_graph_pair(from, to);
    }
    return items;
}

const ww_graph_generator ww_graph_rmat = {
    .name = "rmat",
    .prepare = prepare,
    .pairs = pairs,
    .weight = ww_graph_byte_weight,
};
