#include "support/reference.h"

static uint32_t counts(uint32_t v, uint64_t w)
{
    uint32_t ones = 0, wide_ones = 0, zeros = 0, wide_zeros = 0;
    for (int n = 0; n < 64; n++)
        wide_ones += (uint32_t)(w >> n & 1);
    for (int n = 0; n < 32; n++)
        ones += v >> n & 1;
    while (zeros < 32 && !(v >> (31 - zeros) & 1))
        zeros++;
    while (wide_zeros < 64 && !(w >> (63 - wide_zeros) & 1))
        wide_zeros++;
    return ones + 100 * zeros + 10000 * wide_ones + 1000000 * wide_zeros;
}

static uint32_t morton(uint32_t v)
{
    uint32_t m = 0;
    for (int n = 0; n < 16; n++)
        m |= (v >> n & 1) << (2 * n);
    return m;
}

static uint32_t crc_of_byte(uint32_t crc)
{
    for (int n = 0; n < 8; n++)
        crc = crc >> 1 ^ (crc & 1) * 0xedb88320;
    return crc;
}

/* Without leading zeros. */
static uint32_t reverse(uint32_t v)
{
    uint32_t m = 0;
    for (; v; v /= 2)
        m = 2 * m + v % 2;
    return m;
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static uint32_t arithmetic(uint32_t v)
{
    int64_t s = (int32_t)v;
    return (uint32_t)clamp((int64_t)v + 0x80000000ll, 0, UINT32_MAX) ^
           (uint32_t)clamp(s - 0x70000000, INT32_MIN, INT32_MAX) ^
           (v > 77777 ? v - 77777 : 77777 - v);
}

static uint32_t averages(uint32_t v)
{
    int64_t s = (int32_t)v, up = s - 12345 + 1;
    return (uint32_t)(((uint64_t)v + 12345) / 2) + (uint32_t)(up >> 1) + (v & 0xfff) * 77 + 3;
}

REFERENCE(bit_tricks)
{
    const uint32_t *in = reference_input(r, "in");
    const uint64_t *wide = reference_input(r, "wide");
    uint32_t *out = reference_wanted(r, "out");
    for (size_t i = 0; i < reference_bytes(r, "in") / 4; i++) {
        uint32_t v = in[i], turn = v % 32, sum = counts(v, wide[i]);
        uint64_t w = wide[i], wide_turn = w % 64;
        sum ^= turn ? v << turn | v >> (32 - turn) : v;
        sum += (uint32_t)((wide_turn ? w << wide_turn | w >> (64 - wide_turn) : w) >> 17);
        sum ^= v ^ v >> 1;
        sum += morton(v);
        sum ^= crc_of_byte(~v);
        sum += reverse(v);
        sum += (uint32_t)((int64_t)(int32_t)v >> turn) + (v & (~v + 1));
        sum ^= (uint32_t)((uint64_t)v * 0x9e3779b9u >> 32) +
               (uint32_t)(uint64_t)((unsigned __int128)w * 0x9e3779b97f4a7c15ull >> 64);
        sum += arithmetic(v);
        out[i] = sum ^ averages(v);
    }
}
