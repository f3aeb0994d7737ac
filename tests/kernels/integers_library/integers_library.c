#include "support/reference.h"

#include <string.h>

typedef __int128 wide;

/* An element of `bits` bits as a number. */
static wide element(const uint8_t *in, size_t at, unsigned bits, int is_signed)
{
    uint64_t v = 0;
    memcpy(&v, in + at * bits / 8, bits / 8);
    return is_signed ? (wide)((int64_t)(v << (64 - bits)) >> (64 - bits)) : (wide)v;
}

/* What a number looks like in that type, and then as a long. */
static int64_t stored(wide v, unsigned bits, int is_signed)
{
    uint64_t low = (uint64_t)v << (64 - bits);
    return is_signed ? (int64_t)low >> (64 - bits) : (int64_t)(low >> (64 - bits));
}

static wide limit(wide v, wide least, wide most)
{
    return v < least ? least : v > most ? most : v;
}

/* a * b + c may need 129 bits for unsigned longs: the sum is limited before it is too large. */
static wide mad_sat(wide a, wide b, wide c, wide least, wide most)
{
    if (most >> 63 && a && (unsigned __int128)b > (unsigned __int128)most / (unsigned __int128)a)
        return most;
    return limit(a * b + c, least, most);
}

static wide high(wide a, wide b, unsigned bits, int is_signed)
{
    return is_signed ? (a * b) >> bits
                     : (wide)(((unsigned __int128)a * (unsigned __int128)b) >> bits);
}

static wide rotate(wide a, wide b, unsigned bits)
{
    unsigned by = (unsigned)b & (bits - 1);
    uint64_t v = (uint64_t)a << (64 - bits) >> (64 - bits);
    return by ? (wide)(v << by | v >> (bits - by)) : (wide)v;
}

static void one(const uint8_t *in, unsigned mask, unsigned i, unsigned bits, int is_signed,
                int64_t *o)
{
    wide a = element(in, i & mask, bits, is_signed), b = element(in, i >> 4, bits, is_signed);
    wide c = element(in, (i * 7 + 3) & mask, bits, is_signed);
    wide most = ((wide)1 << (bits - (unsigned)is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    wide low = b < c ? b : c, top = b < c ? c : b;
    uint64_t plain = (uint64_t)a << (64 - bits) >> (64 - bits);
    wide results[14] = {
        limit(a + b, least, most),
        limit(a - b, least, most),
        mad_sat(a, b, c, least, most),
        high(a, b, bits, is_signed),
        (a + b) >> 1,
        (a + b + 1) >> 1,
        rotate(a, b, bits),
        a < 0 ? -a : a,
        a < b ? b - a : a - b,
        plain ? __builtin_clzll(plain) - 64 + (int)bits : (int)bits,
        __builtin_popcountll((uint64_t)b << (64 - bits)),
        limit(a, low, top),
        (wide)(((uint64_t)a & ~(uint64_t)c) | ((uint64_t)b & (uint64_t)c)),
        high(a, b, bits, is_signed) + c,
    };
    for (int n = 0; n < 14; n++)
        o[n] = stored(results[n], bits, n == 7 || n == 8 ? 0 : is_signed);
}

static void all(const uint8_t *in, unsigned mask, int64_t *out)
{
    for (unsigned i = 0; i < 256; i++)
        for (unsigned t = 0; t < 8; t++)
            one(in, mask, i, 8u << (t / 2), !(t & 1), out + (i * 8 + t) * 14);
}

REFERENCE(integers_library)
{
    all(reference_input(r, "edges"), 15, reference_wanted(r, "at_edges"));
    all(reference_input(r, "random"), 255, reference_wanted(r, "anywhere"));
}
