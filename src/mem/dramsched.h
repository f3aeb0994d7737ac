/* DRAM scheduling: for which waiting request a channel issues its next command.
 *
 * Reads and writes are never mixed: the channel decides which it serves (dram.h: `drain`), and the
 * policy chooses among these alone. The channel does not call the policy every cycle: the chosen
 * command is issued at the cycle at which it is allowed, unless a request arrives before. What the
 * policy may ask is in dram_banks.h. */
#ifndef WW_MEM_DRAMSCHED_H
#define WW_MEM_DRAMSCHED_H

#include "config/policy.h"
#include "mem/dram_banks.h"
#include "mem/request.h"

typedef struct ww_dramsched {
    ww_policy policy;
    /* Called once for each request that is accepted, read or write, even if the write queue answers
     * it: smaller ranks go first in their bank. NULL: all ranks are 0. The only function that may
     * change the state, and so count a statistic. */
    uint8_t (*rank)(void *state, const ww_request *request);
    /* For how many cycles younger requests may pass a bank's oldest. Called once, when the channel
     * is created. */
    uint64_t (*age_cap)(const void *state);
    /* At least one bank serves a request. */
    ww_dram_choice (*choose)(const void *state, const ww_dram_next *next);
} ww_dramsched;

extern const ww_policy_family ww_dramsched_family;

#endif
