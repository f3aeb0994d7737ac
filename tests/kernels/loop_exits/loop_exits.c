#include "support/reference.h"

static int32_t scan(const uint8_t *text, uint32_t length, uint32_t at)
{
    int words = 0, depth = 0, deepest = 0;
    uint32_t end = at + 64 < length ? at + 64 : length;
    while (at < end) {
        uint8_t c = text[at++];
        depth += c == '(';
        depth -= c == ')';
        deepest = depth > deepest ? depth : deepest;
        if (c == ')' && depth < -1)
            break;
        words += c == ' ';
        if (words == 10)
            return words * 100 + deepest;
    }
    return (words + 1000) * 100 + deepest;
}

/* What the second half adds. */
static int32_t search(uint32_t i)
{
    for (uint32_t a = 2; a < 40; a++) {
        for (uint32_t b = a; b < 40; b++) {
            if ((a + b) % 7 == i % 7)
                continue;
            if (a * b > 400 + i)
                break;
            if ((a * a + b * b) % 101 == i % 101)
                return (int32_t)(a * 64 + b) * 3;
            if (a * b == 391)
                return 7;
        }
        if (a > 30 && i % 3 == 0)
            return 0;
    }
    return -3;
}

REFERENCE(loop_exits)
{
    const uint8_t *text = reference_input(r, "text");
    int32_t *out = reference_wanted(r, "out");
    uint32_t length = (uint32_t)reference_bytes(r, "text");
    for (uint32_t i = 0; i < reference_bytes(r, "out") / 4; i++)
        out[i] = scan(text, length, i * 13 % length) + search(i);
}
