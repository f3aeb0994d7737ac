/* CAWS-SM: the warps of the compute unit that took longest are critical, as many as it has groups,
 * whichever groups they belong to (dissertation, 3.4.1). */
#include "core/sched/caws.h"

void ww_caws_mark_sm(ww_caws *s, const ww_warp_pool *pool)
{
    for (unsigned n = 0; n < pool->groups; n++) {
        unsigned longest = ww_caws_longest(pool, pool->present & ~s->critical);
        if (longest < WW_MOST_SLOTS)
            s->critical |= 1ull << longest;
    }
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    ww_caws_update_pool(state, pool);
    ww_caws_mark_sm(state, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 1);
}

static const ww_key keys[] = {WW_CAWS_KEYS};

extern const ww_scheduler ww_scheduler_caws_sm;
const ww_scheduler ww_scheduler_caws_sm = {
    .policy = {.name = "caws_sm",
               .doc = "oracle: the slowest warps of the compute unit, one for each of its groups, "
                      "issue more often",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(ww_caws),
               .start = ww_caws_start,
               .storage_bits = storage_bits,
               .first_pass = &ww_caws_first_pass},
    .pool_changed = pool_changed,
    WW_CAWS_FUNCTIONS,
};
