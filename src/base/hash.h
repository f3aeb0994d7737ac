/* Hashes for tables and for content keys. The same bytes give the same hash on every machine. */
#ifndef WW_BASE_HASH_H
#define WW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t ww_hash64(const void *bytes, size_t count, uint64_t seed);
uint64_t ww_mix64(uint64_t value); /* a bijection that spreads every bit */

#endif
