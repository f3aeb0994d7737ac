/* CPL, Criticality Prediction Logic (dissertation, 4.2.1): a counter of each warp estimates how
 * much longer it will run, from what its branches add to its instructions and from its stalls.
 *
 *     criticality = instructions x CPI + stalls        CPI = (changed - start) / committed
 *
 * instructions   more than of other warps, still to come: an instruction that commits takes one
 *                off, a branch adds what the reading says
 * reading        of Algorithm 5, for a branch at c after which the warp continues with n (program
 *                counters are indices of instructions):
 *     remaining  forwards it skips n - c - 1, unless it is divergent; backwards it adds another
 *                iteration, c - n + 1
 *     literal    as printed: the inferred size of the side that was taken; of both, if divergent
 *     cfg        the instructions of that side in the control-flow graph, by its shortest path (m,
 *                n or m + n of figure 4.7)
 *     counter    as remaining, but a commit takes one off the criticality, not the instructions:
 *                instructions x CPI + stalls - committed. Section 4.2.1 names the criticality
 *                counter. In the other readings committed x CPI takes off all stalls so far.
 * changed        the cycle of the warp's last issue or commit
 * The counter changes when the warp issues, commits or branches. It may be negative: what others
 * see is larger by 2^31. */
#include "core/criticality.h"

#define ZERO (1ll << 31)

typedef enum reading { REMAINING, LITERAL, CFG, COUNTER } reading;

typedef struct cpl {
    ww_warp_criticality all;
    reading reading;
    int64_t branches[WW_MOST_SLOTS]; /* what they added to the instructions of the slot's warp */
} cpl;

static void start(void *state, const ww_policy_start *start)
{
    ((cpl *)state)->reading = (reading)ww_policy_choice(start, "cpl_reading");
}

static void warp_started(void *state, unsigned slot, const ww_started_warp *warp)
{
    (void)warp;
    ((cpl *)state)->branches[slot] = 0;
}

static uint32_t predict(void *state, unsigned slot, const ww_warp_progress *warp)
{
    cpl *s = state;
    int64_t committed = (int64_t)warp->committed, cycles = (int64_t)(warp->changed - warp->start);
    int64_t value = (int64_t)ww_warp_stalls(warp);
    int64_t after = s->reading == COUNTER ? committed : 0; /* the product */
    if (committed)
        value += (s->branches[slot] - committed + after) * cycles / committed - after;
    value += ZERO;
    if (__builtin_expect((uint64_t)(value - 1) >= UINT32_MAX, 0))
        value = value > 0 ? UINT32_MAX : 1;
    return s->all.of_slot[slot] = (uint32_t)value;
}

static int64_t remaining(const ww_branch_outcome *b)
{
    int64_t forwards = (int64_t)b->next - b->pc - 1;
    return forwards < 0 ? -forwards : b->divergent ? 0 : -forwards;
}

static int64_t size_of(const cpl *s, const ww_path *side)
{
    return s->reading == LITERAL ? side->inferred : (int64_t)side->shortest;
}

static int64_t sides(const cpl *s, const ww_branch_outcome *b)
{
    int64_t size = 0;
    if (!b->paths)
        return 0;
    if (b->taken)
        size += size_of(s, &b->paths->taken);
    if (b->not_taken)
        size += size_of(s, &b->paths->fall_through);
    return size;
}

static void branched(void *state, unsigned slot, const ww_branch_outcome *branch)
{
    cpl *s = state;
    s->branches[slot] +=
        s->reading == REMAINING || s->reading == COUNTER ? remaining(branch) : sides(s, branch);
}

static void warp_ended(void *state, unsigned slot)
{
    ((cpl *)state)->all.of_slot[slot] = 0;
}

/* For each warp: instructions, stalls, committed instructions, start and criticality. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    return start->slots * 5 * 32;
}

static const char *const readings[] = {"remaining", "literal", "cfg", "counter", NULL};

static const ww_key keys[] = {
    {.key = "cpl_reading",
     .type = WW_KEY_CHOICE,
     .choices = readings,
     .initial = "remaining",
     .doc = "what a branch adds to the instructions that a warp still has to execute: what it "
            "skips or repeats, Algorithm 5 of the dissertation as printed, its sides in the "
            "control-flow graph, or as the first with commits taken off the criticality"},
    WW_CRITICALITY_KEYS,
};

static const ww_stat stats[] = {WW_CRITICALITY_STATS};

extern const ww_criticality ww_criticality_cpl;
const ww_criticality ww_criticality_cpl = {
    .policy = {.name = "cpl",
               .doc = "an estimate from branches, instructions and stalls of the warp so far",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(cpl),
               .start = start,
               .storage_bits = storage_bits},
    .warp_started = warp_started,
    .predict = predict,
    .branched = branched,
    .warp_ended = warp_ended,
};
