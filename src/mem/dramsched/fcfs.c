#include "mem/dramsched.h"

static void start(void *state, const struct ww_config *config)
{
    (void)state;
    (void)config;
}

static bool may_pass(const void *state, uint64_t waited)
{
    (void)state;
    (void)waited;
    return false;
}

static uint32_t choose(const void *state, const ww_dram_wish *wishes, uint64_t banks,
                       uint64_t cycle)
{
    uint32_t oldest = (uint32_t)__builtin_ctzll(banks);
    (void)state;
    (void)cycle;
    for (; banks; banks &= banks - 1) {
        uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        if (wishes[bank].order < wishes[oldest].order)
            oldest = bank;
    }
    return oldest;
}

extern const ww_dramsched ww_dramsched_fcfs;
const ww_dramsched ww_dramsched_fcfs = {
    .policy = {.name = "fcfs", .doc = "the oldest request alone, until its last burst"},
    .start = start,
    .may_pass = may_pass,
    .choose = choose,
};
