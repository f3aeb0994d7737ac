#include "support/reference.h"

REFERENCE(struct_arguments)
{
    static const int32_t offset[3] = {100, -200, 70000};
    const int32_t *in = reference_input(r, "in");
    int32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < 320; i++) {
        uint32_t v = (uint32_t)in[i] + (uint32_t)offset[i % 3];
        v += (uint32_t)((int32_t)(0.75 * (in[i] & 1023)) + 9);
        v += (uint32_t)(i % 2 ? -2 : 127);
        v ^= (uint32_t)((int32_t)(0x100000001 + 5 - 2) - 5);
        out[i] = (int32_t)(v * 201u);
    }
}
