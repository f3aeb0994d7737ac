#include "support/reference.h"

typedef struct shape {
    size_t global[3], local[3], offset[3];
    unsigned dimensions;
} shape;

static void mark(uint64_t *out, uint64_t base, shape s)
{
    size_t items = s.global[0] * s.global[1] * s.global[2];
    for (size_t i = 0; i < items; i++) {
        size_t at[3] = {i % s.global[0], i / s.global[0] % s.global[1],
                        i / s.global[0] / s.global[1]};
        uint64_t r = base;
        for (int d = 0; d < 3; d++) {
            uint64_t parts[7] = {at[d] + s.offset[d], at[d] % s.local[d], at[d] / s.local[d],
                                 s.global[d],         s.local[d],         s.global[d] / s.local[d],
                                 s.offset[d]};
            for (int n = 0; n < 7; n++)
                r = r * 31 + parts[n];
        }
        out[i] += r * 31 + s.dimensions;
    }
}

REFERENCE(launch_shapes)
{
    uint64_t *line = reference_wanted(r, "line"), *plane = reference_wanted(r, "plane");
    uint64_t *solid = reference_wanted(r, "solid"), *none = reference_wanted(r, "none");
    mark(line, 1, (shape){{77, 1, 1}, {11, 1, 1}, {0}, 1});
    mark(line, 2, (shape){{77, 1, 1}, {1, 1, 1}, {1000000}, 1});
    mark(plane, 3, (shape){{13, 10, 1}, {13, 5, 1}, {0}, 2});
    mark(plane, 4, (shape){{13, 10, 1}, {1, 10, 1}, {7, 4000000000}, 2});
    mark(solid, 5, (shape){{6, 5, 6}, {2, 5, 3}, {1, 2, 3}, 3});
    mark(solid, 17, (shape){{6, 5, 6}, {3, 5, 2}, {0}, 3});
    for (int i = 0; i < 5; i++)
        none[i] = 1110;
}
