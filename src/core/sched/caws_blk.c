/* CAWS-blk: in each group, the warp that took longest is critical, so that groups end earlier
 * (dissertation, 3.4.1). When it has ended, the longest of the remaining ones is critical. */
#include "core/sched/caws.h"

void ww_caws_mark_blk(ww_caws *s, const ww_warp_pool *pool)
{
    uint64_t of_group[WW_MOST_SLOTS] = {0}, groups = 0;
    for (uint64_t rest = pool->present; rest; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        of_group[pool->group[slot]] |= 1ull << slot;
        groups |= 1ull << pool->group[slot];
    }
    for (; groups; groups &= groups - 1) {
        unsigned longest = ww_caws_longest(pool, of_group[__builtin_ctzll(groups)]);
        if (longest < WW_MOST_SLOTS)
            s->critical |= 1ull << longest;
    }
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    ww_caws_update_pool(state, pool);
    ww_caws_mark_blk(state, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 1);
}

static const ww_key keys[] = {WW_CAWS_KEYS};

extern const ww_scheduler ww_scheduler_caws_blk;
const ww_scheduler ww_scheduler_caws_blk = {
    .policy = {.name = "caws_blk",
               .doc = "oracle: the slowest warp of each group issues more often",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(ww_caws),
               .start = ww_caws_start,
               .storage_bits = storage_bits,
               .first_pass = &ww_caws_first_pass},
    .pool_changed = pool_changed,
    WW_CAWS_FUNCTIONS,
};
