/* First come, first served: what hardware does (ISCA 2018, section II). */
#include "vm/walksched.h"

static ww_walk *choose(void *state, const ww_walk_buffer *buffer)
{
    (void)state;
    return ww_walk_buffer_oldest(buffer);
}

extern const ww_walksched ww_walksched_fcfs;
const ww_walksched ww_walksched_fcfs = {
    .policy = {.name = "fcfs", .doc = "the oldest"},
    .choose = choose,
};
