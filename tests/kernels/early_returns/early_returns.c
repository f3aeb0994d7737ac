#include "support/reference.h"

enum { SIZE = 45 };

/* One work-item; `first` is what all shared at the start, `second` after the third barrier. */
static uint32_t result(const uint32_t *first, const uint32_t *second, uint32_t l, size_t group)
{
    uint32_t v = first[l], left = first[(l + SIZE - 1) % SIZE];
    if (l % 7 == 6)
        return 1;
    if (v % 5 == 0)
        return left;
    if (group == 1 && l > 20)
        return 0;
    for (uint32_t step = 0; step < 2; step++) {
        uint32_t other = second[(l * 3 + step) % SIZE];
        if (other % 3 == step)
            return other ^ step;
    }
    return second[SIZE - 1 - l];
}

REFERENCE(early_returns)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out"), second[SIZE];
    for (size_t group = 0; group < reference_bytes(r, "in") / 4 / SIZE; group++) {
        const uint32_t *first = in + group * SIZE;
        for (uint32_t l = 0; l < SIZE; l++)
            second[l] = l % 7 == 6 || first[l] % 5 == 0 ? first[l]
                                                        : first[l] + first[(l + SIZE - 1) % SIZE];
        for (uint32_t l = 0; l < SIZE; l++)
            out[group * SIZE + l] = result(first, second, l, group);
    }
    uint32_t *stored = reference_wanted(r, "stored"), *guarded = reference_wanted(r, "guarded");
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t l = i % 100;
        stored[i] = l % 8 > 4 ? 7 : i - l + 99 - l;
        guarded[i] = i < 137 ? (i & ~1u) * 3 : 0;
    }
}
