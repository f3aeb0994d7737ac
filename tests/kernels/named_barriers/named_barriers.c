#include "support/reference.h"

REFERENCE(named_barriers)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t l = 0; l < 96; l++)
        out[l] = l;
    for (uint32_t l = 32; l < 64; l++) {
        uint32_t sum = 0;
        for (uint32_t round = 0; round < 5; round++)
            sum = sum * 3 + in[round * 32 + 63 - l];
        out[l] += sum;
    }
}
