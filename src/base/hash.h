/* Hashes for tables and for content keys. The same bytes give the same hash on every machine. */
#ifndef WW_BASE_HASH_H
#define WW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t ww_hash64(const void *bytes, size_t count, uint64_t seed);

/* For content keys: wide enough that two contents never collide. */
typedef struct ww_hash128 {
    uint64_t words[2];
} ww_hash128;

/* Adds bytes (with their length) to a hash that started as {{0}}. */
void ww_hash128_add(ww_hash128 *hash, const void *bytes, size_t count);
void ww_hash128_add_text(ww_hash128 *hash, const char *text);
void ww_hash128_add_number(ww_hash128 *hash, uint64_t number);

/* A bijection that spreads every bit: the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA
 * 2014). */
static inline uint64_t ww_mix64(uint64_t value)
{
    value ^= value >> 30;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27;
    value *= 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* One of 2 to the power `bits` (1 to 64) buckets: multiplicative hashing, with the golden ratio
 * (Knuth, The Art of Computer Programming, 6.4). Not for numbers chosen to collide. */
static inline size_t ww_bucket(uint64_t value, unsigned bits)
{
    return (size_t)(value * 0x9e3779b97f4a7c15u >> (64 - bits));
}

#endif
