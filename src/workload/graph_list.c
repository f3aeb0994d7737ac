/* The edges of a file: a list that is sorted once, when all are read. */
#include "workload/graph_internal.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)

void ww_graph_list_add(ww_graph_list *list, uint64_t from, uint64_t to, uint32_t weight)
{
    if (from == to)
        return;
    ww_vec_push(&list->pairs, list->reversed ? ww_graph_pair(to, from) : ww_graph_pair(from, to));
    if (list->weighted)
        ww_vec_push(&list->weights, weight);
}

void ww_graph_list_free(ww_graph_list *list)
{
    ww_vec_free(&list->pairs);
    ww_vec_free(&list->weights);
}

static void add_opposites(ww_graph_list *list)
{
    for (size_t i = 0, count = list->pairs.count; i < count; i++) {
        ww_vec_push(&list->pairs, ww_graph_opposite(list->pairs.items[i]));
        if (list->weighted)
            ww_vec_push(&list->weights, list->weights.items[i]);
    }
}

/* ---- sorting: least significant digit first ---- */

typedef struct columns {
    uint64_t *pairs;
    uint32_t *weights; /* or NULL */
} columns;

/* Moves all pairs to `to`, in order of one digit; equal digits keep their order. False, and
 * nothing moves, when all have the same. */
static bool sort_by_digit(columns from, columns to, size_t count, unsigned shift)
{
    size_t next[DIGITS] = {0};
    for (size_t i = 0; i < count; i++)
        next[from.pairs[i] >> shift & (DIGITS - 1)]++;
    if (next[from.pairs[0] >> shift & (DIGITS - 1)] == count)
        return false;
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = next[d];
        next[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = next[from.pairs[i] >> shift & (DIGITS - 1)]++;
        to.pairs[at] = from.pairs[i];
        if (from.weights)
            to.weights[at] = from.weights[i];
    }
    return true;
}

static bool in_order(const uint64_t *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (pairs[i - 1] > pairs[i])
            return false;
    return true;
}

static void sort_list(ww_graph_list *list)
{
    size_t count = list->pairs.count;
    if (in_order(list->pairs.items, count))
        return;
    columns now = {list->pairs.items, list->weights.items};
    columns other = {ww_calloc(count, sizeof(*other.pairs)),
                     list->weighted ? ww_calloc(count, sizeof(*other.weights)) : NULL};
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (sort_by_digit(now, other, count, shift)) {
            columns last = now;
            now = other;
            other = last;
        }
    }
    free(other.pairs);
    free(other.weights);
    list->pairs.items = now.pairs;
    list->weights.items = now.weights;
    list->pairs.capacity = list->weights.capacity = count;
}

/* ---- without duplicates ---- */

static void merge_equal(ww_graph_list *list)
{
    uint64_t *pairs = list->pairs.items;
    uint32_t *weights = list->weights.items;
    size_t kept = 0;
    for (size_t i = 0; i < list->pairs.count; i++) {
        bool again = kept && pairs[kept - 1] == pairs[i];
        if (!again)
            pairs[kept++] = pairs[i];
        if (weights && (!again || weights[i] < weights[kept - 1]))
            weights[kept - 1] = weights[i];
    }
    list->pairs.count = kept;
    if (weights)
        list->weights.count = kept;
}

void ww_graph_list_finish(ww_graph_list *list, bool symmetric)
{
    if (list->mirrored || symmetric)
        add_opposites(list);
    sort_list(list);
    if (symmetric)
        merge_equal(list);
}
