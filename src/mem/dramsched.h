/* DRAM scheduling: for which waiting request a channel issues its next command.
 *
 * choice    a bank whose next command (dram_next.h) is issued, and when
 *
 * Reads and writes are never mixed: the channel decides which it serves (dram.h), and the policy
 * chooses among these alone. The channel does not call the policy every cycle: the chosen command
 * is issued at the cycle at which it is allowed, unless a request arrives before. */
#ifndef WW_MEM_DRAMSCHED_H
#define WW_MEM_DRAMSCHED_H

#include "config/policy.h"
#include "mem/dram_next.h"

typedef struct ww_dram_choice {
    uint64_t cycle; /* WW_DRAM_NEVER: nothing before a refresh; then the bank does not matter */
    uint32_t bank;
} ww_dram_choice;

typedef struct ww_dramsched {
    ww_policy policy;
    /* For how many cycles younger requests for the open row may pass a bank's oldest. */
    uint64_t (*age_cap)(const void *state);
    /* `next` is up to date, and has at least one bank. */
    ww_dram_choice (*choose)(const void *state, const ww_dram_next *next);
} ww_dramsched;

extern const ww_policy_family ww_dramsched_family;

#endif
