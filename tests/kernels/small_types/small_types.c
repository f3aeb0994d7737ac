#include "support/reference.h"

static int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

REFERENCE(small_types)
{
    const int8_t *a = reference_input(r, "a");
    const uint8_t *b = reference_input(r, "b");
    const int16_t *c = reference_input(r, "c");
    uint8_t *bytes = reference_wanted(r, "bytes");
    int16_t *shorts = reference_wanted(r, "shorts");
    uint32_t *words = reference_wanted(r, "words");
    size_t count = reference_bytes(r, "bytes");
    int8_t *tail = (int8_t *)(words + 3 * count);
    for (size_t i = 0; i < count; i++) {
        int32_t x = a[i], y = b[i], z = c[i], dot = a[i + 3];
        uint32_t packed = 0;
        bytes[i] = (uint8_t)(x + y);
        shorts[2 * i] = (int16_t)(x * y - z);
        shorts[2 * i + 1] = (int16_t)clamp(z + (int16_t)(x * 200), INT16_MIN, INT16_MAX);
        for (size_t n = 0; n < 3; n++)
            dot += a[i + n] * b[i + n];
        dot += x < 0 ? (uint8_t)x : y > 127 ? 256 - y : 0;
        for (size_t n = 0; n < 4; n++)
            packed |= (uint32_t)clamp(a[i + n] + y, 0, 255) << (8 * n);
        words[3 * i] = (uint32_t)dot;
        words[3 * i + 1] = packed ^ ((uint32_t)(uint8_t)z << 24 | (uint32_t)y << 16 | (uint16_t)z);
        words[3 * i + 2] = (uint32_t)(clamp(z, -128, 127) * 1000 + clamp(z, 0, 255));
        tail[2 * i] = a[i + 3];
        tail[2 * i + 1] = a[i];
    }
}
