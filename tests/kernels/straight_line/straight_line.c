#include "support/reference.h"

REFERENCE(straight_line)
{
    const uint32_t *in = reference_input(r, "in");
    uint32_t *out = reference_wanted(r, "out");
    for (uint32_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        uint32_t a = in[i], b = a ^ 0xdeadbeef, c = ~a, d = i;
        for (uint32_t n = 0; n < 192; n++) {
            a = a * 1664525u + b + n;
            b = (b ^ a >> 7) + c;
            c += (a % 2 ? b : d) * (n | 1);
            d = (d << 3 | d >> 29) ^ c;
        }
        out[i] = a + b + c + d;
    }
}
