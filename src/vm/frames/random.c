/* Frames in a random order that depends on the seed, as in fragmented memory. A Feistel network
 * permutes the next even number of bits; a result outside the memory is permuted again. */
#include "base/hash.h"
#include "vm/frames.h"

#define ROUNDS 4

static uint64_t permute(uint64_t n, unsigned half, uint64_t seed)
{
    uint64_t mask = (1ull << half) - 1;
    uint64_t left = n >> half, right = n & mask;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t mixed = ww_mix64(ww_mix64(seed + round + 1) ^ right) & mask;
        uint64_t next = left ^ mixed;
        left = right;
        right = next;
    }
    return left << half | right;
}

static uint64_t frame(uint64_t n, uint64_t count, const struct ww_config *config, uint64_t seed)
{
    (void)config;
    unsigned half = 1;
    while (1ull << 2 * half < count)
        half++;
    do
        n = permute(n, half, seed);
    while (n >= count);
    return n;
}

extern const ww_frame_order ww_frame_order_random;
const ww_frame_order ww_frame_order_random = {
    .policy = {.name = "random", .doc = "in a random order that the seed decides"},
    .frame = frame,
};
