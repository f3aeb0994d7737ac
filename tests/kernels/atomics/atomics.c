#include "support/reference.h"

REFERENCE(atomics)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *histogram = reference_wanted(r, "histogram"), *bits = reference_wanted(r, "bits");
    uint32_t *tickets = reference_wanted(r, "tickets"), *taken = reference_wanted(r, "taken");
    int32_t *extremes = reference_wanted(r, "extremes");
    uint64_t *wide = reference_wanted(r, "wide");
    uint32_t count = (uint32_t)reference_bytes(r, "in") / 4;
    bits[2] = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = in[i];
        int32_t s = (int32_t)v;
        for (uint32_t n = 0; n <= v % 3; n++) {
            uint32_t bin = v >> (4 * n) & 15;
            histogram[bin] += bin & 8 ? 1 : n + 2;
        }
        extremes[v & 1] = s < extremes[v & 1] ? s : extremes[v & 1];
        extremes[2 + (v & 1)] = s > extremes[2 + (v & 1)] ? s : extremes[2 + (v & 1)];
        bits[0] ^= v & 2 ? v : 0;
        bits[1] |= v & 2 ? 0 : 1u << (v % 32);
        bits[2] &= ~(1u << (v % 31));
        wide[v % 3] += (uint64_t)v << 20;
        wide[3] -= v % 5 == 2 ? v : 0;
        taken[i] = 1;
    }
    tickets[0] = count;
    tickets[1] = count * (count - 1) / 2;
}
