#include "support/random_program.h"

static ww_operand source(ww_rng *rng)
{
    uint64_t kind = ww_rng_below(rng, 12);
    if (kind == 0)
        return builder_special(WW_SPECIAL_TID_X);
    if (kind < 4)
        return builder_value(ww_rng_below(rng, 4));
    return builder_reg((int32_t)ww_rng_below(rng, RANDOM_NUMBERS));
}

static int32_t predicate(ww_rng *rng)
{
    return RANDOM_NUMBERS + (int32_t)ww_rng_below(rng, RANDOM_PREDICATES);
}

static int32_t choose(builder *b, ww_rng *rng, bool index, void *context)
{
    (void)b, (void)context;
    return index ? (int32_t)ww_rng_below(rng, RANDOM_NUMBERS) : predicate(rng);
}

static void body(builder *b, ww_rng *rng, void *context)
{
    (void)context;
    for (uint64_t n = ww_rng_below(rng, 4); n > 0; n--) {
        ww_operand sources[2]; /* one after the other: the order of initialisers is open */
        sources[0] = source(rng);
        sources[1] = source(rng);
        int32_t guard = ww_rng_below(rng, 6) == 0 ? predicate(rng) : -1;
        int32_t number = (int32_t)ww_rng_below(rng, RANDOM_NUMBERS);
        uint64_t kind = ww_rng_below(rng, 3);
        if (kind == 0)
            builder_op(b, guard, WW_OP_MOV, WW_TYPE_U32, number, sources, 1);
        else if (kind == 1)
            builder_op(b, guard, WW_OP_ADD, WW_TYPE_U32, number, sources, 2);
        else
            builder_op(b, guard, WW_OP_SETP, WW_TYPE_U32, predicate(rng), sources, 2);
    }
}

ww_function *random_program(builder *b, ww_rng *rng)
{
    for (int i = 0; i < RANDOM_NUMBERS; i++)
        builder_register(b, i % 3 == 2 ? WW_TYPE_B64 : WW_TYPE_U32);
    for (int i = 0; i < RANDOM_PREDICATES; i++)
        builder_register(b, WW_TYPE_PRED);
    for (int i = 0; i < RANDOM_PREDICATES; i++) {
        const ww_operand sources[2] = {builder_special(WW_SPECIAL_TID_X),
                                       builder_value(ww_rng_below(rng, 8))};
        if (ww_rng_below(rng, 2))
            builder_op(b, -1, WW_OP_SETP, WW_TYPE_U32, RANDOM_NUMBERS + i, sources, 2);
    }
    random_control_flow(b, rng, 1 + (uint32_t)ww_rng_below(rng, 16),
                        (unsigned)ww_rng_below(rng, 101), body, choose, NULL);
    return builder_finish(b);
}
