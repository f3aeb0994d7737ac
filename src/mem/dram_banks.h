/* What a DRAM scheduler may ask about the requests of its channel and their next commands.
 *
 * bank       serves one of its requests at a time. Sets of banks are masks, a bit for each.
 * rank       of a request: the policy's (dramsched.h), smaller goes first; not a rank of devices
 * serve      a bank serves, of its requests with the smallest rank, the oldest for its open row,
 *            else the oldest; but its oldest of all when that is over the age cap
 * next command  for the request that a bank serves: a read or write of a burst, or on the way there
 *            an activate or a precharge
 * allowed    of a command: the bank, its group, the rank of devices and the buses are ready for it,
 *            and no refresh is due before
 *
 * The channel keeps all of this up to date (dram_next.h); no function changes anything. */
#ifndef WW_MEM_DRAM_BANKS_H
#define WW_MEM_DRAM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ww_dram_next ww_dram_next;

/* A bank whose next command is issued, and when. */
typedef struct ww_dram_choice {
    uint64_t cycle; /* WW_DRAM_NEVER: nothing before a refresh; then the bank does not matter */
    uint32_t bank;
} ww_dram_choice;

/* The banks that serve a request, and those of them whose request has a rank. */
uint64_t ww_dram_banks(const ww_dram_next *next);
uint64_t ww_dram_banks_of_rank(const ww_dram_next *next, uint8_t rank);
/* Of some banks, at least one: that which serves the request that arrived first. */
uint32_t ww_dram_oldest_bank(const ww_dram_next *next, uint64_t banks);
/* When the next command of a bank is allowed; WW_DRAM_NEVER: not before a refresh. */
uint64_t ww_dram_bank_start(const ww_dram_next *next, uint32_t bank);
/* Whether a request waits longer than the age cap. */
bool ww_dram_is_over_age_cap(const ww_dram_next *next);
/* First ready, first come first served: of the commands of some banks, at least one, those allowed
 * first; of these, reads and writes before others; of these, the oldest request's. When the oldest
 * of the requests is over the age cap, no other command of the same kind precedes its own;
 * otherwise switching ranks, directions or groups could delay it for ever. */
ww_dram_choice ww_dram_first_ready(const ww_dram_next *next, uint64_t banks);

#endif
