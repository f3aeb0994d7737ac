#include "support/reference.h"

static void lower(int64_t *p, int64_t v)
{
    *p = v < *p ? v : *p;
}

static void raise(int64_t *p, int64_t v)
{
    *p = v > *p ? v : *p;
}

static void fold_bits(uint64_t *bits, uint64_t v)
{
    bits[0] = v < bits[0] ? v : bits[0];
    bits[1] = v > bits[1] ? v : bits[1];
    bits[2] |= 1ull << (v & 63);
    bits[3] &= ~(1ull << (v >> 6 & 63));
    bits[4] ^= v;
    bits[5] *= v | 1;
}

REFERENCE(atomics_wide)
{
    const int64_t *in = reference_input(r, "in");
    int64_t *sums = reference_wanted(r, "sums"), *mine = reference_wanted(r, "mine");
    uint64_t *bits = reference_wanted(r, "bits");
    uint32_t *turns = reference_wanted(r, "turns");
    sums[0] = 5;
    bits[0] = bits[3] = UINT64_MAX;
    bits[5] = 1;
    for (int g = 0; g < 4; g++) {
        mine[4 * g + 2] = INT64_MAX;
        mine[4 * g + 3] = INT64_MIN;
    }
    for (size_t i = 0; i < 350; i++) {
        int64_t v = in[i], *own = mine + i / 100 * 4;
        sums[0] = (int64_t)((uint64_t)sums[0] + (uint64_t)v);
        sums[1 + (v & 3)] = (int64_t)((uint64_t)sums[1 + (v & 3)] - (uint64_t)(v >> 3));
        lower(&sums[5], v);
        raise(&sums[6], v);
        fold_bits(bits, (uint64_t)v);
        turns[0]++;
        turns[1 + (v & 7)] += 3;
        own[v & 1] = (int64_t)((uint64_t)own[v & 1] + (uint64_t)v);
        lower(&own[2], v);
        raise(&own[3], v);
    }
}
