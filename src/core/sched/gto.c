/* Greedy then oldest (Rogers, O'Connor and Aamodt, MICRO 2012): the warp that issued last as long
 * as it can, else the oldest one that can. */
#include "core/scheduler.h"

#define NONE WW_MOST_SLOTS

typedef struct gto {
    unsigned last;
} gto;

static void start(void *state, const ww_policy_start *start)
{
    gto *s = state;
    (void)start;
    s->last = NONE;
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const gto *s = state;
    if (s->last != NONE && candidates >> s->last & 1)
        return s->last;
    return ww_oldest_slot(view, candidates);
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const gto *s = state;
    if (picked == s->last)
        return 0;
    uint64_t greedy = s->last != NONE ? 1ull << s->last & view->mine : 0;
    return greedy | ww_older_slots(view, view->mine, picked);
}

static void issued(void *state, unsigned slot)
{
    gto *s = state;
    s->last = slot;
}

static void warp_ended(void *state, unsigned slot)
{
    gto *s = state;
    if (s->last == slot)
        s->last = NONE;
}

/* The last one, and the order of arrival of up to 64 warps. */
static uint64_t storage_bits(const ww_policy_start *start)
{
    (void)start;
    return 6 + 64 * 6;
}

extern const ww_scheduler ww_scheduler_gto;
const ww_scheduler ww_scheduler_gto = {
    .policy = {.name = "gto",
               .doc = "greedy then oldest: the last one as long as it can issue, else the oldest",
               .state_size = sizeof(gto),
               .start = start,
               .storage_bits = storage_bits},
    .pick = pick,
    .before = before,
    .issued = issued,
    .warp_ended = warp_ended,
};
