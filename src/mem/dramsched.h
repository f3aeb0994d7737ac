/* DRAM scheduling: which of the waiting requests of a channel has the next command.
 *
 * wish      what a bank would do next for the request it serves: read or write a burst, or on the way
 *           there open or close a row
 * choice    a bank whose wish goes next, and when
 *
 * Reads and writes are never mixed: the channel decides which it serves (dram.h), and asks for these alone.
 * It asks when a choice is to be made, not every cycle: what was chosen goes at the cycle at which it is
 * allowed, unless a request arrives before, which is a new choice. */
#ifndef WW_MEM_DRAMSCHED_H
#define WW_MEM_DRAMSCHED_H

#include "config/policy.h"
#include "mem/dram_wishes.h"

typedef struct ww_dram_choice {
    uint64_t cycle; /* WW_DRAM_NEVER: nothing before a refresh; then the bank does not matter */
    uint32_t bank;
} ww_dram_choice;

typedef struct ww_dramsched {
    ww_policy policy;
    /* Prepares policy.state_size bytes of state; called once before a run. */
    void (*start)(void *state, const struct ww_config *config);
    /* For how many cycles a bank's oldest request lets younger ones of the open row pass; asked once. */
    uint64_t (*patience)(const void *state);
    /* Wishes are up to date, and there is one at least. */
    ww_dram_choice (*choose)(const void *state, const ww_dram_wishes *wishes);
} ww_dramsched;

extern const ww_policy_family ww_dramsched_family;

#endif
