#include "base/rng.h"

#include "base/hash.h"

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void ww_rng_seed(ww_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        rng->s[i] = ww_mix64(seed);
    }
}

uint64_t ww_rng_next(ww_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Rejection keeps the result uniform: the values below 2^64 mod bound are drawn again. */
uint64_t ww_rng_below(ww_rng *rng, uint64_t bound)
{
    uint64_t reject = (0 - bound) % bound;
    uint64_t value;
    do
        value = ww_rng_next(rng);
    while (value < reject);
    return value % bound;
}

double ww_rng_unit(ww_rng *rng)
{
    return (double)(ww_rng_next(rng) >> 11) * 0x1p-53;
}
