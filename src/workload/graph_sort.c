/* Sorting of the targets of one vertex: in place, because a row can have most of the edges, and in
 * about linear time for targets that are spread well (American flag sort: McIlroy, Bostic and
 * McIlroy 1993, with as many piles as suit the row). */
#include "workload/graph_internal.h"

#define FEW 24
#define MOST_DIGIT_BITS 8
#define WORD_BITS 32

static void insert_few(uint32_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* One pile for each 4 to 8 values, until all bits are used. */
static unsigned digit_bits(size_t count, unsigned bits)
{
    unsigned wanted = (unsigned)(63 - __builtin_clzll(count)) - 2;
    if (wanted > MOST_DIGIT_BITS)
        wanted = MOST_DIGIT_BITS;
    return wanted < bits ? wanted : bits;
}

/* Brings each value into the pile of its digit. `end` becomes the piles' ends. */
static void make_piles(uint32_t *values, size_t count, unsigned shift, unsigned piles, size_t *end)
{
    size_t next[1 << MOST_DIGIT_BITS];
    for (unsigned p = 0; p < piles; p++)
        end[p] = 0;
    for (size_t i = 0; i < count; i++)
        end[values[i] >> shift & (piles - 1)]++;
    size_t sum = 0;
    for (unsigned p = 0; p < piles; p++) {
        next[p] = sum;
        end[p] = sum += end[p];
    }
    for (unsigned p = 0; p < piles; p++) {
        while (next[p] < end[p]) {
            uint32_t value = values[next[p]];
            unsigned home = value >> shift & (piles - 1);
            if (home == p) {
                next[p]++;
            } else {
                values[next[p]] = values[next[home]];
                values[next[home]++] = value;
            }
        }
    }
}

/* Values differ only in their lowest `bits` bits. */
static void sort_bits(uint32_t *values, size_t count, unsigned bits)
{
    size_t end[1 << MOST_DIGIT_BITS];
    if (count <= FEW || !bits) {
        if (bits)
            insert_few(values, count);
        return;
    }
    unsigned shift = bits - digit_bits(count, bits), piles = 1u << (bits - shift);
    make_piles(values, count, shift, piles, end);
    for (unsigned p = 0; p < piles; p++) {
        size_t start = p ? end[p - 1] : 0;
        sort_bits(values + start, end[p] - start, shift);
    }
}

void ww_graph_sort_row(uint32_t *values, size_t count)
{
    uint32_t any = 0;
    if (count <= FEW) {
        insert_few(values, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        any |= values[i];
    if (any)
        sort_bits(values, count, WORD_BITS - (unsigned)__builtin_clz(any));
}
