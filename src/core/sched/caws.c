#include "core/sched/caws.h"

#include "config/config.h"

#include <math.h>

const ww_first_pass_need ww_caws_first_pass = {.instead = "rr", .records = WW_RECORD_WARP_TIMES};

static uint64_t pool_size(const ww_policy_start *start)
{
    uint64_t wanted = ww_policy_u64(start, "caws_pool");
    uint64_t warps = ww_config_u64(start->config, "core.wavefronts");
    uint64_t schedulers = ww_config_u64(start->config, "core.schedulers");
    return wanted ? wanted : (warps + schedulers - 1) / schedulers;
}

/* A rate of 1.2 is once in 40 issues instead of 48. */
static uint64_t reset_for(uint64_t pool, double rate)
{
    uint64_t reset = (uint64_t)lround((double)pool / rate);
    return reset ? reset : 1;
}

static uint64_t fast_reset(const ww_policy_start *start)
{
    return reset_for(pool_size(start), 1 - ww_policy_double(start, "caws_share"));
}

void ww_caws_start(void *state, const ww_policy_start *start)
{
    ww_caws *s = state;
    s->usual_reset = pool_size(start);
    s->critical_reset = reset_for(pool_size(start), 1 + ww_policy_double(start, "caws_share"));
    s->fast_reset = fast_reset(start);
}

static bool goes_first(const ww_caws *s, const ww_scheduler_view *view, unsigned a, unsigned b)
{
    return s->due[a] != s->due[b] ? s->due[a] < s->due[b] : (view->older[b] >> a & 1) != 0;
}

unsigned ww_caws_pick(void *state, const ww_scheduler_view *view, uint64_t candidates)
{
    const ww_caws *s = state;
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        best = goes_first(s, view, slot, best) ? slot : best;
    }
    return best;
}

uint64_t ww_caws_before(const void *state, const ww_scheduler_view *view, unsigned picked)
{
    const ww_caws *s = state;
    uint64_t before = 0;
    for (uint64_t rest = view->mine & ~(1ull << picked); rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (goes_first(s, view, slot, picked))
            before |= 1ull << slot;
    }
    return before;
}

uint64_t ww_caws_reset(const ww_caws *s, unsigned slot)
{
    uint64_t bit = 1ull << slot;
    return s->critical & bit ? s->critical_reset : s->fast & bit ? s->fast_reset : s->usual_reset;
}

void ww_caws_issued(void *state, unsigned slot)
{
    ww_caws *s = state;
    s->due[slot] = s->issues + ww_caws_reset(s, slot);
    s->issues++;
}

/* Schedulers of one pool have counted the same issues, so that their times are comparable. */
uint64_t ww_caws_due(const void *state, unsigned slot)
{
    return ((const ww_caws *)state)->due[slot];
}

void ww_caws_other_issued(void *state)
{
    ((ww_caws *)state)->issues++;
}

void ww_caws_warp_ended(void *state, unsigned slot)
{
    ww_caws *s = state;
    s->present &= ~(1ull << slot);
}

/* Behind those of the mask, but not later than a warp that has just issued. */
static uint64_t due_behind(const ww_caws *s, uint64_t mask)
{
    uint64_t due = s->issues, most = s->issues + s->usual_reset - 1;
    for (; mask; mask &= mask - 1) {
        uint64_t other = s->due[__builtin_ctzll(mask)];
        due = other >= due ? other + 1 : due;
    }
    return due < most ? due : most;
}

void ww_caws_update_pool(ww_caws *s, const ww_warp_pool *pool)
{
    s->present &= pool->mine;
    for (uint64_t came = pool->mine & ~s->present; came; came &= came - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(came);
        s->due[slot] = due_behind(s, s->present);
        s->present |= 1ull << slot;
    }
    s->critical = s->fast = 0;
}

unsigned ww_caws_longest(const ww_warp_pool *pool, uint64_t mask)
{
    unsigned longest = WW_MOST_SLOTS;
    uint32_t most = 0;
    for (; mask; mask &= mask - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(mask);
        if (pool->profiled[slot] > most) {
            most = pool->profiled[slot];
            longest = slot;
        }
    }
    return longest;
}

uint64_t ww_caws_storage_bits(const ww_policy_start *start, unsigned level_bits)
{
    uint64_t largest = level_bits > 1 ? fast_reset(start) : pool_size(start);
    uint64_t counter_bits = 64 - (uint64_t)__builtin_clzll(largest);
    return pool_size(start) * (counter_bits + level_bits);
}
