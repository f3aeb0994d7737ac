#include "support/reference.h"

enum { SIZE = 93 };

REFERENCE(barrier_sides)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t group = 0; group < reference_bytes(r, "in") / 4 / SIZE; group++) {
        const uint32_t *v = in + group * SIZE;
        uint32_t evens = 0, small = 0;
        for (uint32_t l = 0; l < SIZE; l++) {
            evens += v[l] % 2 == 0;
            small += v[l] < 1000000;
        }
        for (uint32_t l = 0; l < SIZE; l++) {
            uint32_t partner = v[(l ^ 1) < SIZE ? l ^ 1 : SIZE - 1];
            uint32_t sum = (v[l] % 2 ? partner * 3 : partner + 1000) + evens * 65536;
            sum += small == SIZE;
            sum ^= small < SIZE ? 2 : 0;
            out[group * SIZE + l] = sum + (l < 31 ? 5 : 0);
        }
    }
}
