#include "host/placement.h"

#define LARGE (UINT64_C(2) << 20)  /* a large page of GPUs and x86 hosts */
#define SMALL (UINT64_C(64) << 10) /* the alignment that drivers use for smaller buffers */

static uint64_t align_up(uint64_t address, uint64_t alignment)
{
    return (address + alignment - 1) / alignment * alignment;
}

static uint64_t place(void *state, uint64_t end, uint64_t size)
{
    (void)state;
    uint64_t alignment = size >= LARGE ? LARGE : SMALL;
    if (end <= WW_PLACEMENT_FIRST)
        return WW_PLACEMENT_FIRST;
    return align_up(end + SMALL, alignment);
}

extern const ww_placement ww_placement_packed;
const ww_placement ww_placement_packed = {
    .policy = {.name = "packed",
               .doc = "one after the other as drivers do: from 2 MiB on at multiples of 2 MiB, "
                      "smaller ones of 64 KiB, a gap of at least 64 KiB"},
    .place = place,
};
