#include "support/reference.h"

#include <stdbool.h>

static int64_t byte_of(uint32_t word, unsigned i, bool is_signed)
{
    uint8_t byte = (uint8_t)(word >> 8 * i);
    return is_signed ? (int8_t)byte : byte;
}

static int64_t dot(uint32_t x, bool x_signed, uint32_t y, bool y_signed)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += byte_of(x, i, x_signed) * byte_of(y, i, y_signed);
    return sum;
}

static int32_t saturate(int64_t value, bool is_signed)
{
    int64_t least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return (int32_t)(value < least ? least : value > most ? most : value);
}

REFERENCE(dot_products)
{
    const uint32_t *in = reference_input(r, "in");
    int32_t *want = reference_wanted(r, "out");
    static const bool is_signed[4][2] = {
        {false, false}, {true, true}, {false, true}, {true, false}};
    for (unsigned i = 0; i < 256; i++, want += 16)
        for (unsigned k = 0; k < 4; k++) {
            bool any = is_signed[k][0] || is_signed[k][1];
            int64_t product = dot(in[i], is_signed[k][0], in[i + 1], is_signed[k][1]);
            int64_t sum = any ? (int32_t)in[i + 2] : (int64_t)in[i + 2];
            want[k] = want[8 + k] = (int32_t)product;
            want[4 + k] = want[12 + k] = saturate(product + sum, any);
        }
}
