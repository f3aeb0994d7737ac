/* gCAWS (dissertation, 4.2.2): the warp that issued last as long as it can, else the most critical
 * one that can; of equally critical ones the oldest. Without a criticality (a first pass) all are
 * equally critical. */
#include "core/scheduler.h"

#define NONE WW_MOST_SLOTS

typedef struct gcaws {
    unsigned last;
} gcaws;

static void start(void *state, const ww_policy_start *start)
{
    (void)start;
    ((gcaws *)state)->last = NONE;
}

/* The slots of `slots` that go before `slot`: more critical ones, and of equal ones older ones. */
static uint64_t ahead_of(const ww_scheduler_view *view, uint64_t slots, unsigned slot)
{
    const uint32_t *criticality = view->criticality;
    if (!criticality)
        return slots & view->older[slot];
    uint32_t own = criticality[slot];
    uint64_t more = 0, equal = 0;
    for (uint64_t rest = slots; rest; rest &= rest - 1) {
        uint64_t bit = rest & -rest;
        uint32_t other = criticality[__builtin_ctzll(rest)];
        more |= other > own ? bit : 0;
        equal |= other == own ? bit : 0;
    }
    return more | (equal & view->older[slot]);
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const gcaws *s = state;
    if (s->last != NONE && candidates >> s->last & 1)
        return s->last;
    uint64_t best = candidates;
    for (uint64_t ahead = best; ahead;
         ahead = ahead_of(view, ahead, (unsigned)__builtin_ctzll(ahead)))
        best = ahead;
    return (unsigned)__builtin_ctzll(best);
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const gcaws *s = state;
    if (picked == s->last)
        return 0;
    uint64_t greedy = s->last != NONE ? 1ull << s->last & view->mine : 0;
    return greedy | ahead_of(view, view->mine & ~greedy, picked);
}

static void issued(void *state, unsigned slot)
{
    ((gcaws *)state)->last = slot;
}

static void warp_ended(void *state, unsigned slot)
{
    gcaws *s = state;
    if (s->last == slot)
        s->last = NONE;
}

/* The last one, and the order of arrival of up to 64 warps. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    (void)start;
    return 6 + 64 * 6;
}

extern const ww_scheduler ww_scheduler_gcaws;
const ww_scheduler ww_scheduler_gcaws = {
    .policy = {.name = "gcaws",
               .doc = "greedy, then the most critical: the last one as long as it can issue, else "
                      "the one with the highest core.criticality",
               .state_size = sizeof(gcaws),
               .start = start,
               .storage_bits = storage_bits},
    .needs_criticality = true,
    .pick = pick,
    .before = before,
    .issued = issued,
    .warp_ended = warp_ended,
};
