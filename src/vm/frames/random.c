/* Frames in a random order that depends on the seed, as in fragmented memory. A Feistel network
 * permutes the next even number of bits; a result outside the memory is permuted again. */
#include "base/hash.h"
#include "vm/frames.h"

#define ROUNDS 4

typedef struct shuffled {
    uint64_t frames, seed;
    unsigned half; /* of the bits that are permuted */
} shuffled;

static void start(void *state, const ww_policy_start *start)
{
    shuffled *s = state;
    *s = (shuffled){.frames = start->frames, .seed = start->seed, .half = 1};
    while (1ull << 2 * s->half < s->frames)
        s->half++;
}

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

static uint64_t frame(void *state, uint64_t n)
{
    const shuffled *s = state;
    do
        n = permute(n, s->half, s->seed);
    while (n >= s->frames);
    return n;
}

extern const ww_frame_order ww_frame_order_random;
const ww_frame_order ww_frame_order_random = {
    .policy = {.name = "random",
               .doc = "in a random order that the seed decides",
               .state_size = sizeof(shuffled),
               .start = start},
    .frame = frame,
};
