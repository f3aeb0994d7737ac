#include "support/reference.h"

static uint32_t collatz(uint32_t x)
{
    return x <= 1 ? 0 : 1 + collatz(x % 2 ? 3 * x + 1 : x / 2);
}

REFERENCE(loop_trip_counts)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *steps = reference_wanted(r, "steps"), *sums = reference_wanted(r, "sums");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        uint32_t v = in[i], sum = 0;
        steps[i] = collatz(v % 97);
        for (uint32_t a = 0; a < v % 5; a++)
            for (uint32_t b = a; b < v % 11; b++) {
                uint32_t rounds = a == b ? 1 : a ^ b;
                sum += rounds * a * b + rounds * (rounds - 1) / 2;
            }
        if (v % 3 == 2)
            sum = sum * 31 + 1;
        if (v % 3 >= 1)
            sum = sum * 31;
        sums[i] = sum;
    }
}
