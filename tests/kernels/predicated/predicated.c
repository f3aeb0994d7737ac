#include "support/reference.h"

#include <stdbool.h>

typedef struct totals {
    uint32_t sum, most;
} totals;

static uint32_t item(uint32_t i, uint32_t in, totals *t)
{
    bool fifth = i % 5 == 0;
    int32_t v = fifth ? (int32_t)(i - 1) : (int32_t)in;
    bool odd = v & 1, three, four;
    if (odd) {
        three = v > 600 || !fifth;
        four = v <= 600 || !fifth;
    } else {
        three = v < 300 && !fifth;
        four = v >= 300 && !fifth;
    }
    uint32_t chosen = three ? (uint32_t)v : 77;
    if (four)
        chosen = odd ? 88 : chosen;
    if (three)
        t->sum += chosen;
    else if (chosen > t->most)
        t->most = chosen;
    bool small = chosen < 80;
    uint32_t stored = small ? i : chosen;
    if (!small && three)
        return stored;
    uint32_t result = (uint32_t)-7;
    if (odd && (int32_t)chosen > 500)
        result = 3;
    else if (odd && (chosen * 3) % 32 == 31)
        return stored;
    else if (odd)
        result = chosen * 3;
    return i % 40 == 17 ? stored : result;
}

REFERENCE(predicated)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out"), *sum = reference_wanted(r, "sum");
    totals t = {0, 0};
    for (uint32_t i = 0; i < reference_bytes(r, "in") / 4; i++)
        out[i] = item(i, in[i], &t);
    sum[0] = t.sum;
    sum[1] = t.most;
}
