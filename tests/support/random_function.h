/* Random control flow: blocks of a few instructions that end in every way a block can end. */
#ifndef WW_TESTS_RANDOM_FUNCTION_H
#define WW_TESTS_RANDOM_FUNCTION_H

#include "base/rng.h"
#include "support/builder.h"

/* Called for the body of each block; adds any number of instructions. */
typedef void random_body(builder *b, ww_rng *rng, void *context);
/* The predicate register, or index register, that decides at a block's end. */
typedef int32_t random_choice(builder *b, ww_rng *rng, bool index, void *context);

/* `blocks` labels that branches may target; label `blocks` is the end. `forward` in 0..100: the
 * share of branches that may only go forwards, so that some functions have few loops. */
void random_control_flow(builder *b, ww_rng *rng, uint32_t blocks, unsigned forward,
                         random_body *body, random_choice *choice, void *context);

/* The seed to use: WW_SEED of the environment or a fixed one; printed, so that a failure can be
 * repeated. */
uint64_t test_seed(uint64_t fixed);

#endif
