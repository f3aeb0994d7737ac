#include "support/reference.h"

enum { WARP = 32 };

typedef struct warp {
    const uint32_t *v;
    uint32_t odd, sum, fours, eights;
    int any, all;
} warp;

static warp look_at(const uint32_t *v)
{
    warp w = {.v = v, .all = 1};
    for (uint32_t l = 0; l < WARP; l++) {
        w.sum += v[l];
        w.odd |= (v[l] & 1) << l;
        w.any |= v[l] % 50 == 0;
        w.all &= v[l] < 950;
        if (v[l] & 4)
            w.fours |= 1u << l;
        else if (v[l] & 8)
            w.eights |= 1u << l;
    }
    return w;
}

static uint32_t count(uint32_t mask)
{
    uint32_t ones = 0;
    for (; mask; mask &= mask - 1)
        ones++;
    return ones;
}

static uint32_t divergent_part(const warp *w, uint32_t l, uint32_t v, uint32_t sum)
{
    uint32_t votes = 0, same = 0, first = 0;
    for (uint32_t n = WARP; n-- > 0;) {
        if (w->fours >> n & 1) {
            votes |= (w->v[n] >> 1 & 1) << n;
            first = w->v[n];
        }
        if (w->eights >> n & 1 && w->v[n] % 4 == v % 4)
            same |= 1u << n;
    }
    if (w->fours >> l & 1)
        return (sum + count(w->fours) * 100 + votes % 1001) ^ first;
    return w->eights >> l & 1 ? sum + same % 10007 : sum;
}

REFERENCE(across_lanes)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t at = 0; at < reference_bytes(r, "in") / 4; at += WARP) {
        warp w = look_at(in + at);
        uint32_t scan = 0;
        for (uint32_t l = 0; l < WARP; l++) {
            uint32_t v = w.v[l];
            scan += v;
            uint32_t sum = w.sum * 3 + scan * 5 + w.odd + 32 + (w.any ? 11 : 0) + (w.all ? 13 : 0);
            sum ^= w.v[l % 8 + 3 < 8 ? l + 3 : l] + w.v[v % 32];
            out[at + l] = divergent_part(&w, l, v, sum);
        }
    }
}
