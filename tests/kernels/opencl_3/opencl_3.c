#include "support/reference.h"

#include <math.h>

enum { ITEMS = 64, GROUP = 16 };

static void spaces(const int32_t *in, int32_t *want)
{
    for (unsigned i = 0; i < ITEMS; i++, want += 10) {
        int value = in[i] & 1 ? in[i] + 1 : in[i] & 2 ? in[i] + 2 : in[i], exponent;
        want[0] = value * 2;
        want[1] = in[i] & 1 ? 1 : in[i] & 2 ? 2 : 4;
        want[2] = 1;
        want[3] = value;
        want[4] = 50 + (in[i] + 1) * 1000;
        want[5] = (int)(frexpf((float)in[i], &exponent) * 1024);
        want[5] += exponent;
    }
    want[0] = 202;         /* two calls; each adds 1 and, through the pointer, 100 */
    want[1] = 5 + 10 + 20; /* the static variable has 10, then 20 */
}

static void atomics(const int32_t *in, int32_t *items, int32_t *sums)
{
    sums[3] = 100000;
    sums[4] = -5;
    for (unsigned i = 0; i < ITEMS; i++) {
        sums[0] += in[i];
        sums[1] -= in[i];
        sums[2] |= in[i];
        sums[3] = in[i] < sums[3] ? in[i] : sums[3];
        sums[4] = in[i] > sums[4] ? in[i] : sums[4];
        sums[5] ^= in[i];
        for (unsigned j = i / GROUP * GROUP; j < (i / GROUP + 1) * GROUP; j++) {
            items[i * 4] += in[j];
            items[i * 4 + 1] = in[j] > items[i * 4 + 1] ? in[j] : items[i * 4 + 1];
        }
        items[i * 4 + 2] = 2;
    }
}

REFERENCE(opencl_3)
{
    const int32_t *in = reference_input(r, "in");
    int32_t *sums = reference_wanted(r, "sums"), *after = reference_wanted(r, "after");
    spaces(in, reference_wanted(r, "spaces"));
    atomics(in, reference_wanted(r, "items"), sums);
    after[0] = ITEMS;
    after[1] = sums[0];
    after[3] = after[4] = 1;
}
