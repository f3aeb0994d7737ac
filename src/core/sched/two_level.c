/* Two levels (Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011): a few active warps issue
 * round robin. An active warp that waits for memory or for other warps is replaced by the warp that
 * has been inactive longest and does not wait. */
#include "core/scheduler.h"

typedef struct two_level {
    uint64_t active;
    uint64_t most;                          /* active warps */
    uint64_t inactive_since[WW_MOST_SLOTS]; /* the round in which a slot became inactive */
    uint64_t rounds;                        /* so far: one for each call of `eligible` */
    unsigned last;
} two_level;

static void start(void *state, const ww_policy_start *start)
{
    two_level *s = state;
    s->most = ww_policy_u64(start, "two_level_active");
    s->last = WW_MOST_SLOTS - 1;
}

static unsigned longest_inactive(const two_level *s, uint64_t mask)
{
    unsigned best = (unsigned)__builtin_ctzll(mask);
    for (uint64_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = s->inactive_since[slot] < s->inactive_since[best] ? slot : best;
    }
    return best;
}

/* Deactivates warps that wait, and activates others up to the limit. */
static void update_active(two_level *s, const ww_scheduler_view *view)
{
    uint64_t leaving = s->active & (view->waiting | ~view->mine);
    s->active &= ~leaving;
    s->rounds++;
    for (; leaving; leaving &= leaving - 1)
        s->inactive_since[__builtin_ctzll(leaving)] = s->rounds;
    uint64_t others = view->mine & ~view->waiting & ~s->active;
    while (others && (uint64_t)__builtin_popcountll(s->active) < s->most) {
        unsigned slot = longest_inactive(s, others);
        s->active |= 1ull << slot;
        others &= ~(1ull << slot);
    }
}

static uint64_t eligible(void *state, const ww_scheduler_view *view)
{
    two_level *s = state;
    update_active(s, view);
    return s->active;
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const two_level *s = state;
    (void)view;
    return ww_next_slot(candidates, s->last);
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const two_level *s = state;
    return view->mine & s->active & ww_slots_between(s->last, picked);
}

static void issued(void *state, unsigned slot)
{
    two_level *s = state;
    s->last = slot;
}

static void warp_ended(void *state, unsigned slot)
{
    two_level *s = state;
    s->active &= ~(1ull << slot);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    (void)start;
    return 64 + 64 * 6 + 6;
}

static const ww_key keys[] = {
    {.key = "two_level_active",
     .type = WW_KEY_U64,
     .unit = "warps",
     .min = "1",
     .max = "64",
     .initial = "8",
     .doc = "active warps of a scheduler (8: Narasiman et al., MICRO 2011)"},
};

extern const ww_scheduler ww_scheduler_two_level;
const ww_scheduler ww_scheduler_two_level = {
    .policy = {.name = "two_level",
               .doc = "a few active warps, round robin; one that waits for memory is replaced",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(two_level),
               .start = start,
               .storage_bits = storage_bits},
    .eligible = eligible,
    .pick = pick,
    .before = before,
    .issued = issued,
    .warp_ended = warp_ended,
};
