#include "support/reference.h"

/* Two states that hand over to each other. */
static uint32_t pair(uint32_t v)
{
    uint32_t rounds = v & 15, sum = 1;
    int second = (v & 16) != 0;
    for (;;) {
        if (!second) {
            sum = sum * 3 + 1;
            if (rounds-- == 0)
                return sum;
        }
        second = 0;
        sum ^= 85;
        if ((sum & 3) != 2)
            continue;
        sum++;
        if (rounds-- == 0)
            return sum;
        second = rounds & 1;
    }
}

static uint32_t ring(uint32_t sum, uint32_t at, uint32_t left)
{
    for (;; at = (at + 1) % 3) {
        if (at == 0) {
            sum += 10;
            if (left == 0)
                return sum;
            left--;
        } else if (at == 1) {
            sum *= 5;
            if (left < 2)
                return sum;
            left -= 2;
        } else {
            sum ^= 3;
        }
    }
}

REFERENCE(irreducible)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++)
        out[i] = ring(pair(in[i]), (in[i] >> 8) % 3, in[i] & 7);
}
