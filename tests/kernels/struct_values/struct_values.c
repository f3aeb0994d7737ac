#include "support/reference.h"

REFERENCE(struct_values)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        int32_t weights[5] = {1, -2, 300, 4000, 50000};
        uint32_t v = in[i], count = v & 1 ? v % 7 : 6, sum = 0, marks[11] = {0}, number = 0;
        const uint32_t part[4] = {10, 20, 30, 4000000000u};
        if (v & 2)
            weights[v % 5] = -3;
        for (uint32_t n = 0; n < count; n++) {
            sum += (uint32_t)weights[(v + n) % 5] * (n + 1);
            marks[(v >> n) % 11]++;
        }
        for (uint32_t n = 0; n < 11; n++)
            number = number * 5 + marks[n];
        out[2 * i] = (sum ^ 0x89abcdefu) + 200 - 5;
        out[2 * i + 1] = number ^ part[v % 4];
    }
}
