/* Strict priority by an oracle: the ready warp that took longest in the first pass issues. A bound
 * for what knowledge of critical warps can gain a scheduler. */
#include "core/sched/caws.h"

typedef struct longest {
    uint32_t profiled[WW_MOST_SLOTS];
} longest;

/* Of equal ones the older warp is first. */
static bool goes_first(const longest *s, const ww_scheduler_view *view, unsigned a, unsigned b)
{
    return s->profiled[a] != s->profiled[b] ? s->profiled[a] > s->profiled[b]
                                            : (view->older[b] >> a & 1) != 0;
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = goes_first(state, view, slot, best) ? slot : best;
    }
    return best;
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    uint64_t slots = 0;
    for (uint64_t rest = view->mine & ~(1ull << picked); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (goes_first(state, view, slot, picked))
            slots |= 1ull << slot;
    }
    return slots;
}

static void ignore(void *state, unsigned slot)
{
    (void)state;
    (void)slot;
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    longest *s = state;
    for (uint64_t rest = pool->mine; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        s->profiled[slot] = pool->profiled[slot];
    }
}

extern const ww_scheduler ww_scheduler_longest;
const ww_scheduler ww_scheduler_longest = {
    .policy = {.name = "longest",
               .doc = "oracle: the one that took longest in the first pass; a bound",
               .state_size = sizeof(longest),
               .first_pass = &ww_caws_first_pass},
    .pick = pick,
    .before = before,
    .issued = ignore,
    .warp_ended = ignore,
    .pool_changed = pool_changed,
};
