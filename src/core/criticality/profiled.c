/* The cycles that each warp took in a first pass: the longest one is the most critical. */
#include "core/criticality.h"

static void warp_started(void *state, unsigned slot, const ww_started_warp *warp)
{
    ((ww_warp_criticality *)state)->of_slot[slot] = warp->profiled;
}

static void warp_ended(void *state, unsigned slot)
{
    ((ww_warp_criticality *)state)->of_slot[slot] = 0;
}

static const ww_key keys[] = {WW_CRITICALITY_KEYS};
static const ww_stat stats[] = {WW_CRITICALITY_STATS};
static const ww_first_pass_need need = {.instead = "none", .records = WW_RECORD_WARP_TIMES};

extern const ww_criticality ww_criticality_profiled;
const ww_criticality ww_criticality_profiled = {
    .policy = {.name = "profiled",
               .doc = "oracle: the cycles that the warp took in a first pass",
               WW_POLICY_KEYS(keys),
               WW_POLICY_STATS(stats),
               .state_size = sizeof(ww_warp_criticality),
               .first_pass = &need},
    .warp_started = warp_started,
    .warp_ended = warp_ended,
};
