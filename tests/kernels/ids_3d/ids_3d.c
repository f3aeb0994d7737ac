#include "support/reference.h"

REFERENCE(ids_3d)
{
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t z = 0; z < 12; z++)
        for (uint32_t y = 0; y < 10; y++)
            for (uint32_t x = 0; x < 21; x++) {
                uint32_t within = (z % 3 * 5 + y % 5) * 7 + x % 7;
                uint32_t group = (z / 3 * 2 + y / 5) * 3 + x / 7;
                *out++ = within | group << 8 | 3u << 16 | 1u << 20;
            }
}
