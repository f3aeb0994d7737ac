/* Internal to graph*.c: shared by the generators and the file readers.
 *
 * pair         an edge as one number, from << 32 | to: pairs in ascending order are rows
 * item         what a generator counts by: an edge, or a vertex with up to two links
 * generator    one kind of generated graph; pure functions of the source and an item's number
 * list         the edges of a file
 * text         a cursor over a file's bytes: goes from line to line, and within a line from word
 *              to word */
#ifndef WW_WORKLOAD_GRAPH_INTERNAL_H
#define WW_WORKLOAD_GRAPH_INTERNAL_H

#include "base/hash.h"
#include "base/memory.h"
#include "workload/graph.h"

#define WW_GRAPH_PAIRS_PER_ITEM 2

static inline uint64_t ww_graph_pair(uint64_t from, uint64_t to)
{
    return from << 32 | to;
}

static inline uint64_t ww_graph_opposite(uint64_t pair)
{
    return pair << 32 | pair >> 32;
}

/* The i-th of the random numbers that belong to a key. */
static inline uint64_t ww_graph_random(uint64_t key, uint64_t i)
{
    return ww_mix64(key + i * 0x9e3779b97f4a7c15u);
}

/* A random number below `bound` (at most 2^32), from the upper half of a random word. */
static inline uint64_t ww_graph_below(uint64_t random, uint64_t bound)
{
    return (random >> 32) * bound >> 32;
}

/* ---- generators ---- */

typedef struct ww_graph_generator {
    const char *name;
    /* Checks the parameters and sets vertices, items, edges, both_ways and perhaps state. */
    int (*prepare)(ww_graph_source *source, ww_errors *errors);
    /* Writes the pairs of items first .. first + items - 1, at most WW_GRAPH_PAIRS_PER_ITEM each,
     * and returns their number. */
    size_t (*pairs)(const ww_graph_source *source, uint64_t first, size_t items, uint64_t *pairs);
    /* The weight of an edge, from the random number of its two ends. */
    uint32_t (*weight)(uint64_t random);
} ww_graph_generator;

extern const ww_graph_generator ww_graph_rmat;
extern const ww_graph_generator ww_graph_road;
extern const ww_graph_generator ww_graph_mesh;
extern const ww_graph_generator ww_graph_uniform;
extern const ww_graph_generator ww_graph_tree;
extern const ww_graph_generator ww_graph_power;

uint32_t ww_graph_byte_weight(uint64_t random); /* 1 .. 255 */

/* 2^scale of them, or `vertices`; fails with another scale than 1 .. 31. */
int ww_graph_count_vertices(const ww_graph_source *source, uint64_t *vertices, ww_errors *errors);
/* Checks that a generator's size fits 32-bit indices, and sets it. */
int ww_graph_set_size(ww_graph_source *source, uint64_t vertices, uint64_t edges,
                      ww_errors *errors);
/* The same for a grid: sets vertices and items to width * height. */
int ww_graph_set_grid(ww_graph_source *source, ww_errors *errors);

/* Ascending, in place. */
void ww_graph_sort_row(uint32_t *values, size_t count);

/* ---- edges of a file ---- */

typedef struct ww_graph_list {
    uint64_t vertices;
    bool weighted;
    bool reversed; /* edges are kept from their end to their start */
    bool mirrored; /* each edge stands for both directions */
    WW_VEC(uint64_t) pairs;
    WW_VEC(uint32_t) weights; /* as many, or none */
} ww_graph_list;

/* Drops self-loops. */
void ww_graph_list_add(ww_graph_list *list, uint64_t from, uint64_t to, uint32_t weight);
/* Sorts; adds opposite edges when mirrored or `symmetric`; without duplicates when `symmetric`. */
void ww_graph_list_finish(ww_graph_list *list, bool symmetric);
void ww_graph_list_free(ww_graph_list *list);

/* ---- reading a file ---- */

typedef struct ww_graph_text {
    const char *name;
    const char *at;
    const char *end;
    const char *line_start;
    int line; /* 0 before the first ww_graph_next_line */
    ww_errors *errors;
} ww_graph_text;

typedef struct ww_graph_word {
    const char *start;
    size_t length; /* 0: there is none before the end of the line */
} ww_graph_word;

/* Moves to the first word of the next line that is not blank; false at the end of the file. */
bool ww_graph_next_line(ww_graph_text *text);
ww_graph_word ww_graph_next_word(ww_graph_text *text);
bool ww_graph_word_is(ww_graph_word word, const char *name); /* in any case of letters */

/* Reads a whole number; `what` names it in errors, with its article ("a vertex"). */
int ww_graph_read_number(ww_graph_text *text, const char *what, uint64_t least, uint64_t most,
                         uint64_t *value);
int ww_graph_read_weight(ww_graph_text *text, uint32_t *weight);
int ww_graph_read_line_end(ww_graph_text *text);
/* Adds an error at the line, and the column when `at` is in it (may be NULL): WW_BAD_INPUT. */
int ww_graph_text_fail(const ww_graph_text *text, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Each reads all of `text` into an empty list, of which only `reversed` may be set. */
int ww_graph_read_mtx(ww_graph_text *text, ww_graph_list *list);
int ww_graph_read_dimacs(ww_graph_text *text, ww_graph_list *list);
int ww_graph_read_edges(ww_graph_text *text, ww_graph_list *list);

/* Reads a graph in the format that the bytes show, or else the ending of `name`. */
int ww_graph_list_parse(const char *name, const char *bytes, size_t count, bool symmetric,
                        ww_graph_list *list, ww_errors *errors);
int ww_graph_list_load(const char *path, bool symmetric, ww_graph_list *list, ww_errors *errors);

/* ---- a source ---- */

struct ww_graph_source {
    ww_graph_spec spec;
    const ww_graph_generator *generator; /* NULL: a file */
    uint64_t key;                        /* of this kind's and seed's random numbers */
    uint64_t weight_key;
    uint64_t vertices;
    uint64_t edges;
    uint64_t items;
    bool both_ways; /* each pair stands for two edges */
    void *state;    /* a generator's tables; freed with the source */
    ww_graph_list list;
};

/* As ww_graph_open of a file with these bytes. */
ww_graph_source *ww_graph_open_bytes(const ww_graph_spec *spec, const char *bytes, size_t count,
                                     ww_errors *errors);

#endif
