#include "support/reference.h"

static uint64_t one(uint64_t v)
{
    uint64_t sum = 0;
    for (uint64_t back = v % 9 + 1; back-- > 0;)
        sum += (0xfffffffffu - back) * (v | 1);
    for (uint64_t k = v % 5; k < v % 3; k++)
        sum ^= k << 40;
    uint64_t a = v | 1, b = (v >> 17) | 1;
    while (b) {
        uint64_t rest = a % b;
        sum += rest >> 3;
        a = b;
        b = rest;
    }
    for (uint64_t down = v % 11; down > 0; down--)
        sum = (sum << 7 | sum >> 57) + down - 1;
    return sum ^ a;
}

REFERENCE(loops_wide)
{
    const uint64_t *in = reference_input(r, "in");
    uint64_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < 600; i++)
        out[i] = one(in[i]);
}
