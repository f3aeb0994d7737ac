/* CAWS-sm on literal turns (turns.h). */
#include "core/sched/turns.h"

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    ww_turns *s = state;
    ww_turns_update_pool(s, pool);
    ww_caws_mark_sm(&s->caws, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 1);
}

static const ww_key keys[] = {WW_CAWS_KEYS};

extern const ww_scheduler ww_scheduler_turns_sm;
const ww_scheduler ww_scheduler_turns_sm = {
    .policy = {.name = "turns_sm",
               .doc = "oracle: turns, and the slowest warps of the compute unit, one for each of "
                      "its groups, "
                      "have them more often",
               WW_POLICY_KEYS(keys),
               .state_size = sizeof(ww_turns),
               .start = ww_turns_start,
               .storage_bits = storage_bits,
               .first_pass = &ww_turns_first_pass},
    .pool_changed = pool_changed,
    WW_TURNS_FUNCTIONS,
};
