#include "support/reference.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

REFERENCE(bitonic_sort)
{
    const int32_t *in = reference_input(r, "in");
    int32_t *runs = reference_wanted(r, "runs"), *out = reference_wanted(r, "out");
    size_t count = reference_bytes(r, "in") / 4;
    memcpy(runs, in, count * 4);
    memcpy(out, in, count * 4);
    qsort(out, count, 4, by_value);
    for (size_t first = 0; first < count; first += 128)
        qsort(runs + first, 128, 4, by_value);
}
