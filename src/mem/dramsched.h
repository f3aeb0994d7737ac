/* DRAM scheduling: which of the waiting requests of a channel has the next command.
 *
 * wish      what a bank would do next for the request it serves: read or write a burst, or on the way
 *           there open or close a row
 * wait      how many cycles from now a wish is allowed
 * order     of a request's arrival: the smaller is the older
 *
 * Reads and writes are never mixed: the channel decides which it serves (dram.h), and asks for these alone.
 * It asks when a choice is to be made, not every cycle: what was chosen goes at the cycle at which it is
 * allowed, unless a request arrives before, which is a new choice. */
#ifndef WW_MEM_DRAMSCHED_H
#define WW_MEM_DRAMSCHED_H

#include "config/policy.h"
#include "mem/dram_device.h"

/* Of one bank. */
typedef struct ww_dram_wish {
    uint64_t order;
    uint64_t
        since; /* the cycle from which on it waits: a read's arrival, a write's if its turn had begun */
    uint32_t wait; /* WW_DRAM_LONG_WAIT: not before its bank is refreshed */
    ww_dram_op op;
} ww_dram_wish;

#define WW_DRAM_LONG_WAIT (1u << 22)

typedef struct ww_dramsched {
    ww_policy policy;
    /* Prepares policy.state_size bytes of state; called once before a run. */
    void (*start)(void *state, const struct ww_config *config);
    /* A bank's open row serves a younger request: may that go before the bank's oldest, which has waited
     * for so many cycles and needs another row? */
    bool (*may_pass)(const void *state, uint64_t waited);
    /* The bank whose wish goes next. Wishes are indexed by bank; `banks` has a bit for each that has one, and
     * at least two. Waits count from `cycle`. */
    uint32_t (*choose)(const void *state, const ww_dram_wish *wishes, uint64_t banks,
                       uint64_t cycle);
} ww_dramsched;

extern const ww_policy_family ww_dramsched_family;

#endif
