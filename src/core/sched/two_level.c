/* Two levels (Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011): a few warps are active and take turns; one
 * that waits for memory or for other warps gives its place to the warp that has been inactive longest and does not
 * wait. */
#include "config/config.h"
#include "core/scheduler.h"

typedef struct two_level {
    uint64_t active;
    uint64_t most;                   /* active warps */
    uint64_t left_at[WW_MOST_SLOTS]; /* when a slot became inactive, in turns */
    uint64_t turn;
    unsigned last;
} two_level;

static void start(void *state, const struct ww_config *config)
{
    two_level *s = state;
    s->most = ww_config_u64(config, "core.two_level_active");
    s->last = WW_MOST_SLOTS - 1;
}

static unsigned longest_inactive(const two_level *s, uint64_t mask)
{
    unsigned best = (unsigned)__builtin_ctzll(mask);
    for (uint64_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = s->left_at[slot] < s->left_at[best] ? slot : best;
    }
    return best;
}

/* Those that wait for memory or for others leave; others take their places while there are any. */
static void exchange(two_level *s, const ww_scheduler_view *view)
{
    uint64_t leaving = s->active & (view->waiting | ~view->mine);
    s->active &= ~leaving;
    s->turn++;
    for (; leaving; leaving &= leaving - 1)
        s->left_at[__builtin_ctzll(leaving)] = s->turn;
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
    exchange(s, view);
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

static void left(void *state, unsigned slot)
{
    two_level *s = state;
    s->active &= ~(1ull << slot);
}

static uint64_t storage_bits(const struct ww_config *config, const char *key)
{
    (void)config;
    (void)key;
    return 64 + 64 * 6 + 6;
}

static const ww_key keys[] = {
    {.key = "core.two_level_active",
     .type = WW_KEY_U64,
     .unit = "warps",
     .min = "1",
     .max = "64",
     .initial = "8",
     .doc = "warps of a scheduler that take turns at a time (8: Narasiman et al., MICRO 2011)"},
};

extern const ww_scheduler ww_scheduler_two_level;
const ww_scheduler ww_scheduler_two_level = {
    .policy = {.name = "two_level",
               .doc = "a few warps take turns; one that waits for memory gives way to another",
               .keys = keys,
               .key_count = 1,
               .state_size = sizeof(two_level),
               .storage_bits = storage_bits},
    .start = start,
    .eligible = eligible,
    .pick = pick,
    .before = before,
    .issued = issued,
    .left = left,
};
