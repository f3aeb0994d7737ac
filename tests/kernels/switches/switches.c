#include "support/reference.h"

static uint32_t dense(uint32_t v)
{
    const uint32_t ways[12] = {v * 3, v ^ 0xff, (v >> 3) + 17, 17,     v & 0xf0f0, (~v * 5 + 1) ^ v,
                               1 ^ v, v,        v % 1000,      v / 77, 42,         v + 1};
    return ways[v % 12];
}

static uint32_t sparse(uint32_t v)
{
    uint32_t key = v & 0xff0;
    return key == 0x10                    ? 1
           : key == 0x7f0                 ? 2
           : key == 0x100 || key == 0xa00 ? 3
           : key == 0xff0                 ? 4
                                          : 5;
}

static uint32_t machine(uint32_t r, uint32_t state)
{
    for (uint32_t step = 0; step < 20 && state != 5; step++) {
        if (state == 0) {
            state = (r >> step & 1) + 1;
        } else if (state == 3) {
            r ^= step << 4;
            state = 2;
        } else {
            if (state == 1)
                r += step;
            if (state == 4)
                r += 1u << 20;
            state = state == 1 ? 3 : state == 2 ? (step % 2 ? 0 : 4) : step > 10 ? 5 : 0;
            r = r * 33 + state;
        }
    }
    return r;
}

REFERENCE(switches)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++)
        out[i] = machine(dense(in[i]) + sparse(in[i]), in[i] % 4);
}
