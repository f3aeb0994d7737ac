#include "support/reference.h"

#include <stdbool.h>

static uint32_t chain(int32_t v)
{
    if (v < 0)
        return v < -50 ? 1 : v == -7 ? 2 : v % 2 ? 3 : 4;
    if (v == 0 || v == 3 || v == 9)
        return 5;
    if (v > 90)
        return 6;
    if (v % 5 == 0)
        return v % 2 ? 7 : 8;
    return v > 40 || v % 7 == 2 ? 9 : 10;
}

/* The marks in the order in which conditions are looked at. */
static uint32_t conditions(int32_t v, bool *first, bool *second)
{
    uint32_t t = 1;
    *first = false;
    if (v > 0) {
        t = t * 8 + 2;
        *first = v & 1;
    }
    if (!*first) {
        t = t * 8 + 3;
        if (v < -20) {
            t = t * 8 + 4;
            *first = !(v & 2);
        }
    }
    t = t * 8 + 5;
    *second = true;
    if (v & 4)
        return t;
    t = t * 8 + 6;
    if (v & 8)
        return t;
    *second = v == 1;
    return t * 8 + 7;
}

REFERENCE(if_chain)
{
    const int32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        bool first, second;
        out[2 * i + 1] = conditions(in[i], &first, &second);
        out[2 * i] = chain(in[i]) + 100 * first + 1000 * second;
    }
}
