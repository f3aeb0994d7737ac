#include "base/hash.h"

#include <endian.h>
#include <string.h>

/* The first bytes, at most 8, as a little-endian number. */
static inline uint64_t load_little(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    return le64toh(word);
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

void ww_hash128_add(ww_hash128 *hash, const void *bytes, size_t count)
{
    uint64_t length = count;
    for (int i = 0; i < 2; i++) {
        uint64_t seed = ww_mix64(hash->words[i] + ww_hash64(&length, sizeof(length), (uint64_t)i));
        hash->words[i] = ww_hash64(bytes, count, seed);
    }
}

void ww_hash128_add_text(ww_hash128 *hash, const char *text)
{
    ww_hash128_add(hash, text, strlen(text));
}

void ww_hash128_add_number(ww_hash128 *hash, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    ww_hash128_add(hash, bytes, sizeof(bytes));
}
