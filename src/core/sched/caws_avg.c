/* CAWS-avg: warps that took clearly longer than the average are critical; those that took clearly
 * less are fast and issue less often (dissertation, 3.4.1 and 3.4.2). There may be none of either
 * kind. The average is that of the resident warps, of the compute unit or of the warp's group: the
 * dissertation names both. */
#include "core/sched/caws.h"

typedef struct caws_avg {
    ww_caws caws;
    double threshold;
    bool by_group;
} caws_avg;

static void start(void *state, const ww_policy_start *start)
{
    caws_avg *s = state;
    ww_caws_start(&s->caws, start);
    s->threshold = ww_policy_double(start, "caws_threshold");
    s->by_group = ww_policy_choice(start, "caws_average") == 1;
}

typedef struct sums {
    uint64_t cycles, warps;
} sums;

static void classify(caws_avg *s, unsigned slot, double cycles, const sums *all)
{
    double average = (double)all->cycles / (double)all->warps;
    if (cycles > average * (1 + s->threshold))
        s->caws.critical |= 1ull << slot;
    else if (cycles < average * (1 - s->threshold))
        s->caws.fast |= 1ull << slot;
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    caws_avg *s = state;
    sums all[WW_MOST_SLOTS] = {{0}};
    ww_caws_update_pool(&s->caws, pool);
    for (uint64_t rest = pool->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        sums *one = &all[s->by_group ? pool->group[slot] : 0];
        one->cycles += pool->profiled[slot];
        one->warps += pool->profiled[slot] != 0;
    }
    for (uint64_t rest = pool->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        if (pool->profiled[slot])
            classify(s, slot, pool->profiled[slot], &all[s->by_group ? pool->group[slot] : 0]);
    }
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 2);
}

static const char *const scopes[] = {"compute_unit", "group", NULL};

static const ww_key keys[] = {
    WW_CAWS_KEYS,
    {.key = "caws_threshold",
     .type = WW_KEY_DOUBLE,
     .min = "0",
     .max = "1",
     .initial = "0.2",
     .doc = "share of the average by which a critical warp took longer, and a fast one less "
            "(0.2: dissertation, 3.4.2)"},
    {.key = "caws_average",
     .type = WW_KEY_CHOICE,
     .choices = scopes,
     .initial = "compute_unit",
     .doc = "whose average a warp is compared with: that of all in the compute unit, or of its "
            "group"},
};

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
