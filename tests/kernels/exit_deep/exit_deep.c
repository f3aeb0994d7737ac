#include "support/reference.h"

enum { SIZE = 52 };

/* What a work-item leaves in shared memory; sets `ends` when it never gets to the barrier. */
static uint32_t before_barrier(uint32_t l, int *ends)
{
    uint32_t from = l % 16, stop = l % 11 + 4;
    *ends = from > 2 && (from >= stop || (from < 8 && from >= stop + 1));
    return *ends || from <= 2 ? l : from;
}

REFERENCE(exit_deep)
{
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < reference_bytes(r, "out") / 4; i++) {
        int ends, other;
        before_barrier(i % SIZE, &ends);
        out[i] = ends ? 1 : 100 + before_barrier((i % SIZE + 5) % SIZE, &other);
    }
}
