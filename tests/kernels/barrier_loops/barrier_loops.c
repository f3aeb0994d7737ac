#include "support/reference.h"

#include <string.h>

enum { SIZE = 100, ROUNDS = 6 };

static void smooth_once(uint32_t *a, uint32_t round)
{
    uint32_t old[SIZE + 2] = {0};
    memcpy(old + 1, a, SIZE * sizeof(*a));
    for (int l = 0; l < SIZE; l++)
        a[l] = (old[l] + old[l + 1] + old[l + 2]) / 3 + round;
}

REFERENCE(barrier_loops)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *smooth = reference_wanted(r, "smooth"), *scan = reference_wanted(r, "scan");
    uint32_t *total = reference_wanted(r, "total");
    for (size_t group = 0; group < reference_bytes(r, "total") / 4; group++) {
        uint32_t *a = smooth + group * SIZE, running = 0;
        memcpy(a, in + group * SIZE, SIZE * sizeof(*a));
        for (uint32_t round = 0; round < ROUNDS; round++)
            smooth_once(a, round);
        for (int l = 0; l < SIZE; l++) {
            scan[group * SIZE + (size_t)l] = running += a[l];
            total[group] += in[group * SIZE + (size_t)l] & 0xffff;
        }
    }
}
