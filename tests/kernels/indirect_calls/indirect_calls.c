#include "support/reference.h"

/* Arithmetic modulo 2^32, as the kernel's wraps around. */
static int32_t apply(uint32_t which, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b, p = 1;
    switch (which) {
    case 0: return (int32_t)(x + y);
    case 1: return (int32_t)(x - y);
    case 2: return (int32_t)(x * y);
    case 3: return a > b ? a : b;
    default:
        for (uint32_t n = y & 7; n > 0; n--)
            p *= x;
        return (int32_t)p;
    }
}

REFERENCE(indirect_calls)
{
    const int32_t *in = reference_input(r, "in");
    int32_t *out = reference_wanted(r, "out");
    for (int32_t i = 0; i < (int32_t)reference_bytes(r, "in") / 4; i++) {
        int32_t sum = in[i];
        for (int32_t n = 0; n < 12; n++) {
            uint32_t which = ((uint32_t)sum + (uint32_t)i + (uint32_t)n) % 6;
            if (which < 5)
                sum = apply(which, sum, i % 17 + n);
            if (which < 5 && sum < -1000)
                break;
        }
        uint32_t last = (uint32_t)i % 5;
        out[i] = i % 3 ? apply(last, apply(last, sum, i), i) : sum;
    }
}
