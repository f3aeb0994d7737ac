#include "support/reference.h"

static uint32_t odd(uint32_t v)
{
    uint32_t r = 3 + v;
    if (v & 2) {
        static const uint32_t add[2] = {0, 7};
        r = (r ^ 0x55) + add[v >> 2 & 1];
        switch (v >> 2 & 3) {
        case 0: return ~(r * 4) + 100;
        case 1: return r - v + 100;
        case 2: return (r * 4 | 1) + 100;
        default: return r * 11 + 100;
        }
    }
    return v & 4 ? r * r : v & 8 ? r / 2 : r;
}

static uint32_t even(uint32_t v)
{
    uint32_t r = v / 3;
    if (v & 2)
        return 5 * (v & 4 ? v % 7 : v & 8 ? r : 1000 - r);
    r += 2;
    if (v & 4)
        r = (r ^ v) * (v & 8 ? 9 : 1);
    return r;
}

REFERENCE(divergence_nested)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "out") / 4; i++)
        out[i] = (in[i] & 1 ? odd(in[i]) : even(in[i])) + in[i];
}
