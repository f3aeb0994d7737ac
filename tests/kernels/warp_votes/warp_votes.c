#include "support/reference.h"

static void one_warp(const uint32_t *v, uint32_t *out)
{
    uint32_t sum = 0, scan = 0, odd = 0, few = 0;
    int any = 0, all = 1;
    for (unsigned l = 0; l < 32; l++) {
        sum += v[l];
        odd |= (v[l] & 1) << l;
        any |= v[l] % 64 == 7;
        all &= v[l] % 64 != 9;
        few += (v[l] & 6) == 6;
    }
    for (unsigned l = 0; l < 32; l++) {
        scan += v[l];
        out[l * 4] = sum ^ scan;
        out[l * 4 + 1] = odd;
        out[l * 4 + 2] = (uint32_t)any | (uint32_t)all << 1 | (v[l] & 2 ? few << 2 : 0);
        out[l * 4 + 3] = v[l / 8 * 8 + 3] + v[l % 4 < 2 ? l + 2 : l];
    }
}

REFERENCE(warp_votes)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t w = 0; w < 24; w++)
        one_warp(in + w * 32, out + w * 128);
}
