/* CAWS-avg: warps that took clearly longer than the average are critical; those that took clearly
 * less are fast and issue less often (dissertation, 3.4.1 and 3.4.2). There may be none of either
 * kind. The average is that of all warps of the resident groups, ended ones too, or of all warps of
 * the warp's own group: the dissertation names both. */
#include "core/sched/caws.h"

typedef struct caws_avg {
    ww_caws caws;
    ww_caws_average average;
} caws_avg;

const char *const ww_caws_averages[] = {"compute_unit", "group", NULL};

ww_caws_average ww_caws_read_average(const ww_policy_start *start)
{
    return (ww_caws_average){.threshold = ww_policy_double(start, "caws_threshold"),
                             .by_group = ww_policy_choice(start, "caws_average") == 1};
}

static void start(void *state, const ww_policy_start *start)
{
    caws_avg *s = state;
    ww_caws_start(&s->caws, start);
    s->average = ww_caws_read_average(start);
}

static void classify(ww_caws *s, double threshold, unsigned slot, double cycles,
                     const ww_known_times *all)
{
    double average = (double)all->cycles / (double)all->warps;
    if (cycles > average * (1 + threshold))
        s->critical |= 1ull << slot;
    else if (cycles < average * (1 - threshold))
        s->fast |= 1ull << slot;
}

static ww_known_times times_of_all(const ww_warp_pool *pool)
{
    ww_known_times all = {0};
    uint64_t added = 0;
    for (uint64_t rest = pool->present; rest; rest &= rest - 1) {
        unsigned group = pool->group[__builtin_ctzll(rest)];
        if (added >> group & 1)
            continue;
        added |= 1ull << group;
        all.cycles += pool->of_group[group].cycles;
        all.warps += pool->of_group[group].warps;
    }
    return all;
}

void ww_caws_mark_avg(ww_caws *s, const ww_caws_average *average, const ww_warp_pool *pool)
{
    ww_known_times all = times_of_all(pool);
    for (uint64_t rest = pool->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (pool->profiled[slot])
            classify(s, average->threshold, slot, pool->profiled[slot],
                     average->by_group ? &pool->of_group[pool->group[slot]] : &all);
    }
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    caws_avg *s = state;
    ww_caws_update_pool(&s->caws, pool);
    ww_caws_mark_avg(&s->caws, &s->average, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 2);
}

static const ww_key keys[] = {WW_CAWS_KEYS, WW_CAWS_AVERAGE_KEYS};

extern const ww_scheduler ww_scheduler_caws_avg;
const ww_scheduler ww_scheduler_caws_avg = {
    .policy = {.name = "caws_avg",
               .doc = "oracle: warps slower than the average issue more often, faster ones less "
                      "often",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(caws_avg),
               .start = start,
               .storage_bits = storage_bits,
               .first_pass = &ww_caws_first_pass},
    .pool_changed = pool_changed,
    WW_CAWS_FUNCTIONS,
};
