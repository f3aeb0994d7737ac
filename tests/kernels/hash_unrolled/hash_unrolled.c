#include "support/reference.h"

typedef struct state {
    uint32_t v[4], w[16];
} state;

static uint32_t rotate(uint32_t v, uint32_t by)
{
    return v << by | v >> (32 - by);
}

static void rounds(state *s, uint32_t from, uint32_t count)
{
    for (uint32_t n = from; n < from + count; n++) {
        uint32_t *a = &s->v[(4 - n % 4) % 4];
        uint32_t b = s->v[(5 - n % 4) % 4], c = s->v[(6 - n % 4) % 4], d = s->v[(7 - n % 4) % 4];
        *a += (b & c) ^ (~b & d) ^ s->w[(n * 7 + 3) & 15];
        *a = rotate(*a, (n * 5) % 31 + 1) + b * 0x9e3779b1u;
        s->w[n & 15] = (s->w[n & 15] ^ (*a >> 7)) + rotate(d, 11) - n;
    }
}

REFERENCE(hash_unrolled)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < 100; i++) {
        state s = {.v = {1, 2, 3, i}};
        for (uint32_t n = 0; n < 16; n++)
            s.w[n] = in[i + n];
        rounds(&s, 0, 256);
        if (s.v[0] & 1)
            rounds(&s, 256, 256);
        rounds(&s, 512, 64);
        for (int n = 0; n < 4; n++)
            out[4 * i + (uint32_t)n] = s.v[n];
    }
}
