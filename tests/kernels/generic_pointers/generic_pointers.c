#include "support/reference.h"

enum { COUNT = 256, SIZE = 64 };

static uint32_t take(const uint32_t *p, uint32_t n)
{
    uint32_t sum = 0;
    while (n-- > 0)
        sum = sum * 7 + *p++;
    return sum;
}

REFERENCE(generic_pointers)
{
    static const uint32_t table[8] = {3, 1, 4, 1, 5, 9, 2, 6}, counters[4] = {10, 20, 30, 40};
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out"), *last = reference_wanted(r, "last");
    uint32_t *visits = reference_wanted(r, "visits");
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t l = i % SIZE, v = in[i], shared[SIZE], own[4], n = 1 + l % 3;
        for (uint32_t k = 0; k < SIZE; k++)
            shared[k] = in[i - l + k] + k;
        for (uint32_t k = 0; k < 4; k++)
            own[(k + l) % 4] = v ^ k;
        const uint32_t *last_way = l % 3 == 0 ? &counters[1] : l % 3 == 1 ? &counters[3] : counters;
        const uint32_t *ways[5] = {in + i / 2, shared + l / 2, own, table + l % 4, last_way};
        if (ways[v % 5] == &counters[3])
            n = 1;
        out[i] = take(ways[v % 5], n);
        *(v & 1 ? &shared[l] : &own[l % 4]) += 1000;
        out[i] += shared[l] * 3 + own[l % 4];
    }
    for (uint32_t i = 0; i < COUNT; i++)
        last[i] = out[COUNT - 1 - i] + COUNT;
    *visits = COUNT;
}
