/* `turns`: strict round robin over the pool, and what the criticality-aware variants share. */
#include "core/sched/turns.h"

#include "config/config.h"

const ww_first_pass_need ww_turns_first_pass = {.instead = "turns",
                                                .records = WW_RECORD_WARP_TIMES};

void ww_turns_start(void *state, const ww_policy_start *start)
{
    ww_turns *s = state;
    ww_caws_start(&s->caws, start);
    s->schedulers = ww_config_u64(start->config, "core.schedulers");
}

/* The slot that is due first; WW_MOST_SLOTS: there is no warp. */
static unsigned first_due(const ww_caws *c)
{
    unsigned first = WW_MOST_SLOTS;
    for (uint64_t rest = c->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (first == WW_MOST_SLOTS || c->due[slot] < c->due[first])
            first = slot;
    }
    return first;
}

/* Passes the turns before `turn`; returns whose `turn` - 1 was, or WW_MOST_SLOTS. */
static unsigned pass_turns(ww_turns *s, uint64_t turn)
{
    ww_caws *c = &s->caws;
    unsigned last = WW_MOST_SLOTS;
    while (s->next < turn) {
        unsigned slot = first_due(c);
        if (slot == WW_MOST_SLOTS || c->due[slot] >= turn) {
            s->next = turn; /* nobody's */
            return WW_MOST_SLOTS;
        }
        if (c->due[slot] > s->next)
            s->next = c->due[slot];
        c->due[slot] = s->next + ww_caws_reset(c, slot);
        last = slot;
        s->next++;
    }
    return last;
}

uint64_t ww_turns_eligible(void *state, const ww_scheduler_view *view)
{
    unsigned slot = pass_turns(state, view->turn + 1);
    return slot < WW_MOST_SLOTS ? 1ull << slot : 0;
}

unsigned ww_turns_pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    (void)state;
    (void)view;
    return (unsigned)__builtin_ctzll(candidates);
}

/* No other warp is considered. */
uint64_t ww_turns_before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    (void)state;
    (void)view;
    (void)picked;
    return 0;
}

void ww_turns_issued(void *state, unsigned slot)
{
    (void)state;
    (void)slot;
}

void ww_turns_warp_ended(void *state, unsigned slot)
{
    (void)state;
    (void)slot;
}

void ww_turns_update_pool(ww_turns *s, const ww_warp_pool *pool)
{
    ww_caws *c = &s->caws;
    pass_turns(s, pool->turn);
    for (uint64_t came = pool->mine & ~c->present; came; came &= came - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(came);
        uint64_t size = c->usual_reset, index = slot / s->schedulers % size;
        c->due[slot] = pool->turn + (index + size - pool->turn % size) % size;
    }
    c->present = pool->mine;
    c->critical = c->fast = 0;
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    ww_turns_update_pool(state, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 0);
}

static const ww_key keys[] = {WW_CAWS_POOL_KEY};

extern const ww_scheduler ww_scheduler_turns;
const ww_scheduler ww_scheduler_turns = {
    .policy = {.name = "turns",
               .doc =
                   "strict round robin: each slot has its turn, which is lost if its warp cannot "
                   "issue",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(ww_turns),
               .start = ww_turns_start,
               .storage_bits = storage_bits},
    .pool_changed = pool_changed,
    WW_TURNS_FUNCTIONS,
};
