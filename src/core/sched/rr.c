/* Loose round robin: the next warp after the one that issued last, skipping those that cannot. */
#include "core/scheduler.h"

typedef struct rr {
    unsigned last;
} rr;

static void start(void *state, const ww_policy_start *start)
{
    rr *s = state;
    (void)start;
    s->last = WW_MOST_SLOTS - 1;
}

static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const rr *s = state;
    (void)view;
    return ww_next_slot(candidates, s->last);
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const rr *s = state;
    return view->mine & ww_slots_between(s->last, picked);
}

static void issued(void *state, unsigned slot)
{
    rr *s = state;
    s->last = slot;
}

static void warp_ended(void *state, unsigned slot)
{
    (void)state;
    (void)slot;
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    (void)start;
    return 6;
}

extern const ww_scheduler ww_scheduler_rr;
const ww_scheduler ww_scheduler_rr = {
    .policy = {.name = "rr",
               .doc = "loose round robin: the next one after the last that issued",
               .state_size = sizeof(rr),
               .start = start,
               .storage_bits = storage_bits},
    .pick = pick,
    .before = before,
    .issued = issued,
    .warp_ended = warp_ended,
};
