/* CAWS-avg on literal turns (turns.h). */
#include "core/sched/turns.h"

typedef struct turns_avg {
    ww_turns turns;
    ww_caws_average average;
} turns_avg;

static void start(void *state, const ww_policy_start *start)
{
    turns_avg *s = state;
    ww_turns_start(&s->turns, start);
    s->average = ww_caws_read_average(start);
}

static void pool_changed(void *state, const ww_warp_pool *pool)
{
    turns_avg *s = state;
    ww_turns_update_pool(&s->turns, pool);
    ww_caws_mark_avg(&s->turns.caws, &s->average, pool);
}

static uint64_t storage_bits(const ww_policy_start *start)
{
    return ww_caws_storage_bits(start, 2);
}

static const ww_key keys[] = {WW_CAWS_KEYS, WW_CAWS_AVERAGE_KEYS};

extern const ww_scheduler ww_scheduler_turns_avg;
const ww_scheduler ww_scheduler_turns_avg = {
    .policy =
        {.name = "turns_avg",
         .doc =
             "oracle: turns, and warps slower than the average have them more often, faster ones "
             "less often",
         WW_POLICY_KEYS(keys),
         .state_size = sizeof(turns_avg),
         .start = start,
         .storage_bits = storage_bits,
         .first_pass = &ww_turns_first_pass},
    .pool_changed = pool_changed,
    WW_TURNS_FUNCTIONS,
};
