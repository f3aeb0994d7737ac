#include "support/reference.h"

static int limit(int v, int least, int most)
{
    return v < least ? least : v > most ? most : v;
}

static int average(int sum)
{
    return (sum + (sum >= 0)) >> 1;
}

/* The 20 results for one part: x, y signed and v, w not. */
static void one_part(int x, int y, int v, int w, int bits, int *results)
{
    int most = (1 << (bits - 1)) - 1, all = (1 << bits) - 1;
    int list[20] = {v + w,
                    v - w,
                    limit(x + y, -most - 1, most),
                    limit(v + w, 0, all),
                    limit(x - y, -most - 1, most),
                    limit(v - w, 0, all),
                    x > y ? x : y,
                    v > w ? v : w,
                    x < y ? x : y,
                    v < w ? v : w,
                    x > y ? x - y : y - x,
                    v > w ? v - w : w - v,
                    x > y ? x - y : y - x,
                    v > w ? v - w : w - v,
                    -(x > y),
                    v <= w,
                    average(x + y),
                    (v + w + 1) / 2,
                    limit(x < 0 ? -x : x, 0, most),
                    limit(-x, -most, most)};
    for (int k = 0; k < 20; k++)
        results[k] = list[k];
}

static void one_width(uint32_t a, uint32_t b, int bits, uint32_t *out)
{
    uint32_t mask = (1u << bits) - 1;
    for (int at = 0; at < 32; at += bits) {
        int v = (int)(a >> at & mask), w = (int)(b >> at & mask), results[20];
        int x = v >> (bits - 1) ? v - (1 << bits) : v, y = w >> (bits - 1) ? w - (1 << bits) : w;
        one_part(x, y, v, w, bits, results);
        for (int k = 0; k < 20; k++)
            if (k == 12 || k == 13)
                out[k] += (uint32_t)results[k];
            else
                out[k] |= ((uint32_t)results[k] & mask) << at;
    }
}

REFERENCE(simd_in_words)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < 250; i++) {
        one_width(in[i], in[i * 7 % 250], 8, out + 40 * i);
        one_width(in[i], in[i * 7 % 250], 16, out + 40 * i + 20);
    }
}
