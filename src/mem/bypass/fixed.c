/* One instruction's loads are kept with a probability of 1 in a power of two, all others always:
 * how much of an instruction's data is worth keeping. */
#include "base/rng.h"
#include "mem/bypass.h"
#include "stats/stats.h"

typedef struct fixed {
    uint64_t of_pc; /* a statistic */
    uint64_t pc;    /* keys */
    uint64_t exponent;
    ww_rng rng;
} fixed;

static void start(void *state, const ww_policy_start *start)
{
    fixed *s = state;
    s->pc = ww_policy_u64(start, "bypass_pc");
    s->exponent = ww_policy_u64(start, "bypass_exponent");
    ww_rng_seed(&s->rng, start->seed);
}

static bool bypasses(void *state, const ww_request *request)
{
    fixed *s = state;
    if (request->pc != s->pc)
        return false;
    s->of_pc++;
    return ww_rng_below(&s->rng, 1ull << s->exponent) != 0;
}

static const ww_key keys[] = {
    {.key = "bypass_pc",
     .type = WW_KEY_U64,
     .min = "0",
     .max = "65535",
     .initial = "0",
     .doc = "number of the instruction whose loads bypass the cache, in its kernel"},
    {.key = "bypass_exponent",
     .type = WW_KEY_U64,
     .min = "0",
     .max = "7",
     .initial = "7",
     .doc = "one in 2 to the power of this of its loads that miss is kept"},
};

static const ww_stat stats[] = {
    {.name = "bypass_of_pc",
     .unit = "loads",
     .doc = "loads of the chosen instruction that missed, kept or not",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(fixed, of_pc)},
};

extern const ww_bypass ww_bypass_fixed;
const ww_bypass ww_bypass_fixed = {
    .policy = {.name = "fixed",
               .doc = "a part of the loads of one instruction, at random",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(fixed),
               .start = start},
    .pc_key = "l1d.bypass_pc",
    .bypasses = bypasses,
};
