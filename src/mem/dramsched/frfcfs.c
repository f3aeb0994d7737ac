/* First ready, first come first served (Rixner et al., ISCA 2000), with an age cap. */
#include "mem/dramsched/frfcfs.h"

void ww_frfcfs_start(void *state, const ww_policy_start *start)
{
    ((ww_frfcfs *)state)->age_cap = ww_policy_u64(start, "age_cap");
}

uint64_t ww_frfcfs_age_cap(const void *state)
{
    return ((const ww_frfcfs *)state)->age_cap;
}

static ww_dram_choice choose(const void *state, const ww_dram_next *next)
{
    (void)state;
    return ww_dram_first_ready(next, ww_dram_banks(next));
}

const ww_key ww_frfcfs_keys[1] = {
    {.key = "age_cap",
     .type = WW_KEY_U64,
     .unit = "DRAM cycles",
     .min = "0",
     .initial = "2000",
     .doc = "how long younger requests that find their row open may pass a request; a write "
            "waits from when its channel begins to serve writes"},
};

extern const ww_dramsched ww_dramsched_frfcfs;
const ww_dramsched ww_dramsched_frfcfs = {
    .policy = {.name = "frfcfs",
               .doc = "row hits first, then the oldest, with an age cap",
               WW_POLICY_KEYS(ww_frfcfs_keys),
               .state_size = sizeof(ww_frfcfs),
               .start = ww_frfcfs_start},
    .age_cap = ww_frfcfs_age_cap,
    .choose = choose,
};
