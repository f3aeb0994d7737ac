/* gCAWS (dissertation, 4.2.2): the warp that issued last as long as it can, else the most critical
 * one that can; of equally critical ones the oldest. Without a criticality (a first pass) all are
 * equally critical. */
#include "core/scheduler.h"

#define NONE WW_MOST_SLOTS

/* The slots are kept in order. Only warps whose criticality has changed move in it, and most of
 * them by a few positions. */
typedef struct gcaws {
    unsigned last;
    unsigned count;                  /* of slots in the order */
    uint64_t members;                /* these slots */
    uint64_t changed;                /* slots that may have to move */
    uint8_t order[WW_MOST_SLOTS];    /* slots, the most critical first */
    uint8_t position[WW_MOST_SLOTS]; /* by slot: in the order */
    uint64_t ahead[WW_MOST_SLOTS];   /* by position: the slots before it */
} gcaws;

static void start(void *state, const ww_policy_start *start)
{
    (void)start;
    ((gcaws *)state)->last = NONE;
}

/* ---- the order ---- */

static bool goes_first(const ww_scheduler_view *view, unsigned a, unsigned b)
{
    uint32_t first = view->criticality[a], second = view->criticality[b];
    return first != second ? first > second : view->older[b] >> a & 1;
}

static void put(gcaws *s, unsigned slot, unsigned position)
{
    s->order[position] = (uint8_t)slot;
    s->position[slot] = (uint8_t)position;
}

/* From its position, whatever its criticality was. */
static inline void move_up(gcaws *s, const ww_scheduler_view *view, unsigned slot)
{
    unsigned p = s->position[slot];
    for (; p && goes_first(view, slot, s->order[p - 1]); p--) {
        s->ahead[p] = s->ahead[p - 1] | 1ull << slot;
        put(s, s->order[p - 1], p);
    }
    put(s, slot, p);
}

static inline void move_down(gcaws *s, const ww_scheduler_view *view, unsigned slot)
{
    unsigned p = s->position[slot];
    for (; p + 1 < s->count && goes_first(view, s->order[p + 1], slot); p++) {
        s->ahead[p + 1] = s->ahead[p] | 1ull << s->order[p + 1];
        put(s, s->order[p + 1], p);
    }
    put(s, slot, p);
}

static void append(gcaws *s, unsigned slot)
{
    s->ahead[s->count] = s->members;
    s->members |= 1ull << slot;
    put(s, slot, s->count++);
}

/* Warps have come or gone: those that stay keep their order. */
static void renew_members(gcaws *s, uint64_t mine)
{
    unsigned old = s->count;
    s->count = 0;
    s->members = 0;
    for (unsigned p = 0; p < old; p++)
        if (mine >> s->order[p] & 1)
            append(s, s->order[p]);
    for (uint64_t rest = mine & ~s->members; rest; rest &= rest - 1)
        append(s, (unsigned)__builtin_ctzll(rest));
}

static __attribute__((noinline)) void update_order(gcaws *s, const ww_scheduler_view *view)
{
    uint64_t changed = s->changed & view->mine;
    s->changed = 0;
    if (__builtin_expect(s->members != view->mine, 0)) {
        renew_members(s, view->mine);
        changed = view->mine;
    }
    if (changed & (changed - 1)) {
        for (unsigned p = 1; p < s->count; p++)
            move_up(s, view, s->order[p]);
    } else if (changed) {
        unsigned slot = (unsigned)__builtin_ctzll(changed), p = s->position[slot];
        if (p && goes_first(view, slot, s->order[p - 1]))
            move_up(s, view, slot);
        else
            move_down(s, view, slot);
    }
}

/* ---- the contract ---- */

/* What it changes in the state follows from the view. */
static unsigned pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    gcaws *s = state;
    s->changed |= view->changed;
    if (s->last != NONE && candidates >> s->last & 1)
        return s->last;
    if (!view->criticality)
        return ww_oldest_slot(view, candidates);
    if (s->changed || s->members != view->mine)
        update_order(s, view);
    unsigned p = 0;
    while (!(candidates >> s->order[p] & 1))
        p++;
    return s->order[p];
}

static uint64_t before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const gcaws *s = state;
    if (picked == s->last)
        return 0;
    uint64_t greedy = s->last != NONE ? 1ull << s->last & view->mine : 0;
    if (!view->criticality)
        return greedy | ww_older_slots(view, view->mine, picked);
    return greedy | s->ahead[s->position[picked]];
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
