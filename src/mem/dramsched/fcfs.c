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

static size_t choose(const void *state, const ww_dram_wish *wishes, size_t count, uint64_t cycle)
{
    size_t oldest = 0;
    (void)state;
    (void)cycle;
    for (size_t i = 1; i < count; i++)
        if (wishes[i].order < wishes[oldest].order)
            oldest = i;
    return oldest;
}

extern const ww_dramsched ww_dramsched_fcfs;
const ww_dramsched ww_dramsched_fcfs = {
    .policy = {.name = "fcfs", .doc = "the oldest request alone, until its last burst"},
    .start = start,
    .may_pass = may_pass,
    .choose = choose,
};
