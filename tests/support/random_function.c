#include "support/random_function.h"

#include "base/text.h"

#include <stdio.h>

typedef struct shape {
    uint32_t blocks;
    unsigned forward;
} shape;

static uint32_t pick_target(ww_rng *rng, const shape *s, uint32_t here)
{
    if (ww_rng_below(rng, 100) < s->forward)
        return here + 1 + (uint32_t)ww_rng_below(rng, s->blocks - here);
    return (uint32_t)ww_rng_below(rng, s->blocks + 1);
}

static void end_block(builder *b, ww_rng *rng, const shape *s, uint32_t here, random_choice *choice,
                      void *context)
{
    uint64_t kind = ww_rng_below(rng, 20);
    if (kind < 11) {
        int32_t guard = choice(b, rng, false, context);
        builder_bra(b, guard, pick_target(rng, s, here));
        if (kind < 3)
            builder_bra(b, -1, pick_target(rng, s, here));
    } else if (kind < 13) {
        builder_bra(b, -1, pick_target(rng, s, here));
    } else if (kind < 15) {
        uint32_t targets[4];
        unsigned count = 1 + (unsigned)ww_rng_below(rng, 4);
        for (unsigned t = 0; t < count; t++)
            targets[t] = pick_target(rng, s, here);
        int32_t guard = kind == 13 ? -1 : choice(b, rng, false, context);
        builder_brx(b, guard, choice(b, rng, true, context), targets, count);
    } else if (kind == 15) {
        builder_plain(b, choice(b, rng, false, context), WW_OP_EXIT);
    } else if (kind == 16 && ww_rng_below(rng, 3) == 0) {
        builder_plain(b, -1, WW_OP_RET);
    }
}

void random_control_flow(builder *b, ww_rng *rng, uint32_t blocks, unsigned forward,
                         random_body *body, random_choice *choice, void *context)
{
    shape s = {blocks, forward};
    for (uint32_t i = 0; i < blocks; i++) {
        builder_place(b, i);
        body(b, rng, context);
        end_block(b, rng, &s, i, choice, context);
    }
}

uint64_t test_seed(uint64_t fixed)
{
    const char *text = getenv("WW_SEED");
    uint64_t seed = fixed;
    if (text && !ww_parse_u64(text, &seed))
        seed = fixed;
    printf("seed %llu (WW_SEED=%llu repeats it)\n", (unsigned long long)seed,
           (unsigned long long)seed);
    return seed;
}
