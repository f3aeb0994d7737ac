#include "support/reference.h"

static void count(uint32_t v, uint32_t *w, int64_t *wide)
{
    w[0] += v;
    w[1] -= v >> 4;
    w[2] = v < w[2] ? v : w[2];
    w[3] = v > w[3] ? v : w[3];
    w[4] |= v & 0x0f0f0f0f;
    w[5] &= v | 0xfffff000;
    w[6] ^= v;
    w[7] = (int32_t)v > (int32_t)w[7] ? v : w[7];
    w[8] += v & 7;
    w[9] += v & 1 ? v & 255 : 0;
    wide[0] += (int64_t)v << 20;
    int64_t product = (int64_t)(int32_t)v * 1000003;
    wide[1] = product > wide[1] ? product : wide[1];
}

REFERENCE(atomics_counters)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *histogram = reference_wanted(r, "histogram"), *words = reference_wanted(r, "words");
    int64_t *wide = reference_wanted(r, "wide");
    words[2] = words[5] = UINT32_MAX;
    words[7] = 0x80000000;
    for (size_t i = 0; i < 1152; i++) {
        histogram[in[i] % 61]++;
        count(in[i], words, wide);
    }
}
