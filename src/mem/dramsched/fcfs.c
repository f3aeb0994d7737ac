#include "mem/dramsched.h"

static void start(void *state, const struct ww_config *config)
{
    (void)state;
    (void)config;
}

static uint64_t patience(const void *state)
{
    (void)state;
    return 0;
}

static ww_dram_choice choose(const void *state, const ww_dram_wishes *wishes)
{
    uint32_t oldest = ww_dram_wishes_oldest(wishes, ww_dram_wishes_banks(wishes));
    (void)state;
    return (ww_dram_choice){ww_dram_wishes_start(wishes, oldest), oldest};
}

extern const ww_dramsched ww_dramsched_fcfs;
const ww_dramsched ww_dramsched_fcfs = {
    .policy = {.name = "fcfs", .doc = "the oldest request alone, until its last burst"},
    .start = start,
    .patience = patience,
    .choose = choose,
};
