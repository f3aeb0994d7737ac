#include "base/hash.h"

#include <string.h>

static uint64_t load_little(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t ww_hash64(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = ww_mix64(seed + 0x9e3779b97f4a7c15u + count);
    for (; count >= 8; at += 8, count -= 8)
        hash = ww_mix64(hash ^ load_little(at, 8)) + 0x9e3779b97f4a7c15u;
    if (count)
        hash = ww_mix64(hash ^ load_little(at, count)) + 0x9e3779b97f4a7c15u;
    return ww_mix64(hash);
}
