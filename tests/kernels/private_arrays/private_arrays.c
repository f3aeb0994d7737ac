#include "support/reference.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t run_stack(uint32_t code, const uint32_t *a)
{
    uint8_t stack[40];
    uint32_t top = 0, depth = 0;
    for (uint32_t k = 0; k < 32; k++) {
        if (code >> k & 1) {
            stack[top++] = (uint8_t)(a[k % 24] >> (k % 8));
        } else if (top > 1) {
            top--;
            stack[top - 1] = (uint8_t)(stack[top - 1] + stack[top] * 3);
        }
        depth = top > depth ? top : depth;
    }
    while (top > 0)
        depth = depth * 31 + stack[--top];
    return depth;
}

REFERENCE(private_arrays)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < 396; i++) {
        uint32_t a[24];
        for (size_t k = 0; k < 24; k++)
            a[k] = in[(i * 7 + k * 13) % 777];
        qsort(a, 24, sizeof(a[0]), by_value);
        out[i * 2] = a[in[i % 777] % 24];
        out[i * 2 + 1] = run_stack(in[i % 777], a);
    }
}
