/* gCAWS (dissertation, 4.2.2): the warp that issued last as long as it can, else the most critical
 * one that can; of equally critical ones the oldest. Without a criticality (a first pass) all are
 * equally critical. */
#include "core/scheduler.h"

/* The warps are kept in order.
 *
 * key    of a warp: its criticality, then its age, then its slot, in the bits of a number. The
 *        larger one is first. Keys stay as they were until the policy asks again (ww_scheduler_ask)
 * rank   how many warps of the scheduler are older */
#define SLOT_BITS 6
#define KEY(criticality, rank, slot) \
    ((uint64_t)(criticality) << 32 | (WW_MOST_SLOTS - 1 - (rank)) << SLOT_BITS | (slot))

typedef struct gcaws {
    uint64_t last;     /* the slot that issued last, a mask; 0: none, or its warp has ended */
    uint64_t members;  /* slots with a key; 0: a warp has ended since */
    uint64_t before;   /* slots that are considered before the last pick */
    uint64_t critical; /* the slot of the last pick that was not greedy, a mask */
    uint64_t *at;      /* its key */
    /* From keys[1] on, the most critical first. Before them is the largest number, behind them 0:
     * the ends of a search. */
    uint64_t keys[WW_MOST_SLOTS + 2];
} gcaws;

static void start(void *state, const ww_policy_start *start)
{
    gcaws *s = state;
    (void)start;
    s->keys[0] = UINT64_MAX;
    s->at = &s->keys[1];
}

/* ---- the order ---- */

static inline unsigned slot_of(uint64_t key)
{
    return (unsigned)(key & (WW_MOST_SLOTS - 1));
}

/* Moves the key at a position, which has a new value, to its place. */
static inline void move(uint64_t *at, uint64_t key)
{
    for (; at[-1] < key; at--)
        at[0] = at[-1];
    for (; at[1] > key; at++)
        at[0] = at[1];
    *at = key;
}

/* Asks for the criticality of the warp that has its key at a position. */
static inline void change_at(uint64_t *at, const ww_scheduler_view *view)
{
    uint64_t criticality = ww_scheduler_ask(view, slot_of(*at));
    move(at, criticality << 32 | (uint32_t)*at);
}

static __attribute__((noinline)) void change(gcaws *s, const ww_scheduler_view *view,
                                             uint64_t slots)
{
    for (uint64_t *at; slots; slots &= slots - 1) {
        for (at = &s->keys[1]; slot_of(*at) != (unsigned)__builtin_ctzll(slots);)
            at++;
        change_at(at, view);
    }
}

/* Warps have come or gone. */
static __attribute__((noinline)) void renew(gcaws *s, const ww_scheduler_view *view,
                                            uint64_t changed)
{
    uint64_t *end = s->keys;
    for (; changed; changed &= changed - 1)
        ww_scheduler_ask(view, (unsigned)__builtin_ctzll(changed));
    for (uint64_t rest = view->mine; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        uint64_t rank = (uint64_t)__builtin_popcountll(view->older[slot] & view->mine);
        end++;
        end[0] = end[1] = 0;
        move(end, KEY(view->criticality[slot], rank, slot));
    }
    s->members = view->mine;
    s->at = &s->keys[1];
}

static __attribute__((noinline)) unsigned pick_critical(gcaws *s, const ww_scheduler_view *view,
                                                        uint64_t candidates)
{
    uint64_t changed = ww_scheduler_changed(view), seen = 0, *at = s->at;
    if (__builtin_expect(s->members != view->mine, 0))
        renew(s, view, changed);
    else if (__builtin_expect(changed == s->critical, 1))
        change_at(at, view);
    else
        change(s, view, changed);
    at = s->keys;
    do
        seen |= 1ull << slot_of(*++at);
    while (!(seen & candidates));
    s->at = at;
    s->critical = seen & candidates;
    s->before = (seen ^ s->critical) | s->last;
    return slot_of(*at);
}

/* ---- the contract ---- */

/* What it changes in the state follows from the view. */
static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    gcaws *s = state;
    if (candidates & s->last) {
        s->before = 0;
        return (unsigned)__builtin_ctzll(s->last);
    }
    if (view->criticality)
        return pick_critical(s, view, candidates);
    unsigned oldest = ww_oldest_slot(view, candidates);
    s->before = ww_older_slots(view, view->mine, oldest) | s->last;
    return oldest;
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    (void)picked;
    return ((const gcaws *)state)->before & view->mine;
}

static void issued(void *state, unsigned slot)
{
    ((gcaws *)state)->last = 1ull << slot;
}

static void warp_ended(void *state, unsigned slot)
{
    gcaws *s = state;
    s->members = 0;
    s->last &= ~(1ull << slot);
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
