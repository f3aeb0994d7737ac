/* Frames in a random order that depends on the seed, as in fragmented memory. A Feistel network
 * permutes the next even number of bits; a result outside the memory is permuted again. */
#include "base/hash.h"
#include "vm/frames.h"

#define ROUNDS 4

typedef struct shuffled {
    uint64_t frames;
    uint64_t key[ROUNDS]; /* that the seed decides */
    unsigned half;        /* of the bits that are permuted */
} shuffled;

static void start(void *state, const ww_policy_start *start)
{
    shuffled *s = state;
    *s = (shuffled){.frames = start->frames, .half = 1};
    for (unsigned round = 0; round < ROUNDS; round++)
        s->key[round] = ww_mix64(start->seed + round + 1);
    while (1ull << 2 * s->half < s->frames)
        s->half++;
}

static uint64_t permute(const shuffled *s, uint64_t n)
{
    uint64_t mask = (1ull << s->half) - 1;
    uint64_t left = n >> s->half, right = n & mask;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t mixed = ww_mix64(s->key[round] ^ right) & mask;
        uint64_t next = left ^ mixed;
        left = right;
        right = next;
    }
    return left << s->half | right;
}

static uint64_t frame(void *state, uint64_t n)
{
    const shuffled *s = state;
    do
        n = permute(s, n);
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
