/* A counter for each instruction: a line of it that leaves without a hit counts up, a hit counts
 * down. From a limit on, none of its loads is kept. Then nothing of it is left to be hit, and the
 * counter stays where it is: the comparison of the dissertation on warp criticality, section
 * 5.3. */
#include "mem/bypass.h"
#include "stats/stats.h"

enum { INSTRUCTIONS = 128, INSTRUCTION_BITS = 7, COUNTER_BITS = 4 };

typedef struct pc_adaptive {
    uint64_t locked; /* a statistic */
    uint64_t limit;  /* a key */
    uint8_t unused[INSTRUCTIONS];
} pc_adaptive;

static void start(void *state, const ww_policy_start *start)
{
    ((pc_adaptive *)state)->limit = ww_policy_u64(start, "bypass_limit");
}

static bool bypasses(void *state, const ww_request *request)
{
    const pc_adaptive *s = state;
    return s->unused[request->pc_tag % INSTRUCTIONS] >= s->limit;
}

static void hit(void *state, uint16_t pc_tag)
{
    uint8_t *unused = &((pc_adaptive *)state)->unused[pc_tag % INSTRUCTIONS];
    *unused = (uint8_t)(*unused - (*unused > 0));
}

static void evict(void *state, const ww_evicted *line)
{
    pc_adaptive *s = state;
    uint8_t *unused = &s->unused[line->pc_tag % INSTRUCTIONS];
    if (line->was_hit || *unused == (1 << COUNTER_BITS) - 1)
        return;
    ++*unused;
    s->locked += *unused == s->limit;
}

/* A counter for each instruction; an instruction and a bit for each line. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return INSTRUCTIONS * COUNTER_BITS + start->sets * start->ways * (INSTRUCTION_BITS + 1);
}

static const ww_key keys[] = {
    {.key = "bypass_limit",
     .type = WW_KEY_U64,
     .min = "1",
     .max = "15",
     .initial = "8",
     .doc = "no load of an instruction is kept while its counter, 0 to 15, is not below it"},
};

static const ww_stat stats[] = {
    {.name = "bypass_locked",
     .unit = "times",
     .doc = "that the counter of an instruction rose to the limit",
     .kind = WW_STAT_COUNTER,
     .offset = offsetof(pc_adaptive, locked)},
};

extern const ww_bypass ww_bypass_pc_adaptive;
const ww_bypass ww_bypass_pc_adaptive = {
    .policy = {.name = "pc_adaptive",
               .doc = "all of instructions whose lines left without a hit",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(pc_adaptive),
               .start = start,
               .storage_bits = storage_bits},
    .bypasses = bypasses,
    .hit = hit,
    .evict = evict,
};
