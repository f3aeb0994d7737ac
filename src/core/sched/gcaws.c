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

static uint32_t criticality(const ww_scheduler_view *view, unsigned slot)
{
    return view->criticality ? view->criticality[slot] : 0;
}

static bool goes_first(const ww_scheduler_view *view, unsigned a, unsigned b)
{
    uint32_t of_a = criticality(view, a), of_b = criticality(view, b);
    return of_a != of_b ? of_a > of_b : (view->older[b] >> a & 1) != 0;
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const gcaws *s = state;
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    if (s->last != NONE && candidates >> s->last & 1)
        return s->last;
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = goes_first(view, slot, best) ? slot : best;
    }
    return best;
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const gcaws *s = state;
    if (picked == s->last)
        return 0;
    uint64_t mask = s->last != NONE ? 1ull << s->last & view->mine : 0;
    for (uint64_t rest = view->mine & ~mask; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        mask |= (uint64_t)goes_first(view, slot, picked) << slot;
    }
    return mask;
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
