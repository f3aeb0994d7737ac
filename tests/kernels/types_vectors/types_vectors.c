#include "support/reference.h"

#include <string.h>

static int clamp16(int v)
{
    return v < -32768 ? -32768 : v > 32767 ? 32767 : v;
}

static void mix16(const int *a, const uint8_t *by, int *r)
{
    for (int n = 0; n < 16; n++)
        r[n] = a[n] + by[15 - n];
    for (int n = 0; n < 16; n += 2)
        r[n] = r[n + 1] * 3;
    int s0 = r[0], s1 = r[1], s2 = r[2];
    r[3] = s0;
    r[7] = s1;
    r[11] = -s2;
    int high[4] = {r[11], r[10], r[9], r[8]};
    for (int n = 0; n < 4; n++)
        r[4 + n] += high[n];
    for (int n = 0; n < 16; n++)
        r[n] = r[n] > a[n] ? -r[n] : r[n];
}

static void one(const int *in, size_t i, int *out, float *corner)
{
    int three[3], eight[8], all[16];
    memcpy(three, in + 3 * i, sizeof(three));
    memcpy(eight, in + i, sizeof(eight));
    int two[2] = {three[2], eight[5]};
    int a[16], bytes[4] = {three[0], three[1], three[2], 77};
    memcpy(a, eight, sizeof(eight));
    memcpy(a + 8, three, sizeof(three));
    memcpy(a + 11, two, sizeof(two));
    memcpy(a + 13, three, sizeof(three));
    mix16(a, (const uint8_t *)bytes, all);
    three[2] = two[0];
    three[0] = two[1];
    int turned[3] = {three[1] ^ 7, three[2] ^ 7, three[0] ^ 7};
    memcpy(three, turned, sizeof(three));
    int from[4] = {three[0], three[0], three[1], three[2]};
    for (int n = 0; n < 4; n++)
        out[19 + n] = eight[from[n] & 7] + clamp16(eight[4 + n]) + two[n & 1] * 4;
    memcpy(out, three, sizeof(three));
    memcpy(out + 3, all, sizeof(all));
    int some = three[0] < two[0] || three[1] < two[1] || three[2] < two[0], each = 1;
    for (int n = 0; n < 8; n++)
        each &= eight[n] != 0;
    out[23] = some + 2 * each + 16;
    int at = (int)(i % 3);
    for (int n = 0; n < 3; n++) {
        corner[n] = (float)three[n] * (float)(at + 1) + (float)(int8_t)(at + (int)i);
        out[24 + n] = (int16_t)three[n];
    }
    out[27] = 48;
    out[28] = two[1];
    out[29] = two[0];
}

REFERENCE(types_vectors)
{
    const int *in = reference_input(r, "in");
    int *out = reference_wanted(r, "out");
    float *boxes = reference_wanted(r, "boxes");
    for (size_t i = 0; i < 130; i++)
        one(in, i, out + 30 * i, boxes + 3 * i);
}
