#include "support/reference.h"

#include <string.h>

REFERENCE(sizes_3d)
{
    static const uint32_t want[17] = {14, 7, 2, 1, 15, 5, 3, 20, 6, 3, 2, 3, 1, 1, 1, 0, 3};
    uint32_t *out = reference_wanted(r, "out"), at = 0;
    memcpy(reference_wanted(r, "sizes"), want, sizeof(want));
    for (uint32_t z = 0; z < 6; z++)
        for (uint32_t y = 0; y < 15; y++)
            for (uint32_t x = 0; x < 14; x++) {
                uint32_t v = x % 7 + 16 * (y % 5) + 256 * (z % 3);
                v += x > y ? x / 7 << 12 : y > z ? y / 5 << 16 : z / 3 << 20;
                if (z % 3 == 1 && x % 7 < y % 5)
                    v |= (z + 3) << 24;
                out[at++] = v;
            }
}
