#include "mem/dramsched.h"

static uint64_t age_cap(const void *state)
{
    (void)state;
    return 0;
}

static ww_dram_choice choose(const void *state, const ww_dram_next *next)
{
    uint32_t oldest = ww_dram_oldest_bank(next, ww_dram_banks(next));
    (void)state;
    return (ww_dram_choice){ww_dram_bank_start(next, oldest), oldest};
}

extern const ww_dramsched ww_dramsched_fcfs;
const ww_dramsched ww_dramsched_fcfs = {
    .policy = {.name = "fcfs", .doc = "the oldest request alone, until its last burst"},
    .age_cap = age_cap,
    .choose = choose,
};
