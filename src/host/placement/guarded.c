#include "host/placement.h"

#define SLOT (UINT64_C(1) << 32)
#define SMALL (UINT64_C(64) << 10)
#define TIGHT (UINT64_C(1) << 46) /* half of the address space is gone: some 8,000 buffers */

/* The next slot boundary that leaves at least one slot free behind the buffers so far, so that a
 * 32-bit index, signed or unsigned, of bytes reaches no other buffer. A program that makes
 * thousands of buffers gets 64 KiB gaps for the rest rather than no buffers. */
static uint64_t place(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    (void)size;
    uint64_t alignment = end < TIGHT ? SLOT : SMALL;
    if (end <= WW_PLACEMENT_FIRST)
        return WW_PLACEMENT_FIRST;
    return (end + alignment + alignment - 1) / alignment * alignment;
}

extern const ww_placement ww_placement_guarded;
const ww_placement ww_placement_guarded = {
    .policy = {.name = "guarded",
               .doc = "buffers start at multiples of 4 GiB, at least 4 GiB apart: a wild 32-bit "
                      "index faults"},
    .place = place,
};
