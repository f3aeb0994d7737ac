#include "support/reference.h"

REFERENCE(scan_reduce)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *scanned = reference_wanted(r, "scanned"), *sums = reference_wanted(r, "sums");
    for (size_t i = 0; i < 1000; i++) {
        scanned[i] = in[i] + (i % 100 ? scanned[i - 1] : 0);
        sums[i / 100] = scanned[i];
    }
}
