#include "support/reference.h"

static uint32_t twist(uint32_t a, uint32_t b)
{
    return a > b ? a - b : (2 * b) ^ a;
}

static uint64_t spread(uint32_t a, uint32_t rounds)
{
    uint64_t v = a;
    for (uint32_t i = 0; i < rounds; i++) {
        v = v % 2 ? v * 3 + twist(i, a) : v / 2;
        if (v == 5)
            return 55;
    }
    return v;
}

static uint64_t result(uint32_t v)
{
    uint64_t sum = v % 2        ? spread(v, v % 9)
                   : v % 4 == 2 ? twist(v, 300)
                                : twist(v, 100) * 7ull + twist(100, v);
    for (uint32_t n = 0; n < v % 4; n++) {
        sum += spread(v + n, 4);
        if (sum % 11 == 3)
            return sum;
        sum ^= twist((uint32_t)sum, n);
    }
    return sum;
}

REFERENCE(calls_divergent)
{
    const uint32_t *in = reference_input(r, "in");
    uint64_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++)
        out[i] = result(in[i] % 1000);
}
