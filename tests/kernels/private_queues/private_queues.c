#include "support/reference.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t seen_in_queue(uint32_t first)
{
    uint32_t queue[256] = {first}, head = 0, tail = 1;
    while (head < tail && head < 100) {
        uint32_t v = queue[head++];
        if (v > 3 && tail - head < 14)
            queue[tail++] = v / 2;
        if (v % 3 == 1 && tail - head < 14)
            queue[tail++] = v - 1;
    }
    return head;
}

/* Columns and diagonals as bits. */
static uint32_t place(uint32_t n, uint32_t row, uint32_t columns, uint32_t up, uint32_t down)
{
    uint32_t solutions = 0;
    if (row == n)
        return 1;
    for (uint32_t c = 0; c < n; c++)
        if (!(columns >> c & 1) && !(up >> (row + c) & 1) && !(down >> (row + n - c) & 1))
            solutions += place(n, row + 1, columns | 1u << c, up | 1u << (row + c),
                               down | 1u << (row + n - c));
    return solutions;
}

REFERENCE(private_queues)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        uint32_t items[12], count = in[i] % 12 + 1, n = 4 + i % 3, first = i % 4;
        for (uint32_t k = 0; k < count; k++)
            items[k] = in[i] * (k + 1) >> 3 & 0xfff;
        qsort(items, count, sizeof(items[0]), by_value);
        out[4 * i] = items[count / 2];
        out[4 * i + 1] = items[count - 1] - items[0];
        out[4 * i + 2] = seen_in_queue(in[i] % 64);
        out[4 * i + 3] = place(n, 1, 1u << first, 1u << first, 1u << (n - first));
    }
}
