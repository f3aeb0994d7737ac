#include "support/reference.h"

#include <stdio.h>

REFERENCE(partial_warps)
{
    static const uint32_t sizes[4] = {1, 33, 100, 63};
    const uint32_t *in = reference_input(r, "in");
    for (int n = 0; n < 4; n++) {
        char name[16];
        snprintf(name, sizeof(name), "sums%d", n);
        uint32_t *sums = reference_wanted(r, name), size = sizes[n];
        snprintf(name, sizeof(name), "out%d", n);
        uint32_t *out = reference_wanted(r, name);
        for (uint32_t group = 0; group < 3; group++) {
            for (uint32_t l = 0; l < size; l++) {
                uint32_t v = in[group * size + l];
                sums[group] += l + 1 == size ? 2 * v : l >= size / 2 ? v + l : v;
            }
            for (uint32_t l = 0; l < size; l++)
                out[group * size + l] = sums[group] + l;
        }
    }
}
