/* The next command of each bank of a channel, for the requests of one direction. It is kept from
 * one choice to the next and found again only where something changed.
 *
 * next command  for the request that a bank serves: a read or write of a burst, or on the way there
 *               an activate or a precharge
 * serve         a bank serves the oldest request for its open row, unless the bank's oldest request
 *               is over the age cap
 * age cap       for how many cycles younger requests may pass a waiting one. A write waits from the
 *               cycle at which the channel begins to serve writes.
 * stale         of a bank: its next command is to be found again, after a command or an arrival
 * earliest      of some banks, those whose next commands are allowed at the earliest cycle: those
 *               that read or write, or when there are none, the others
 *
 * A command is allowed when its bank is ready (dram_ready.h), when group, rank and bus are, which
 * is the same for all commands of a kind in a group (dram_device.h), and no refresh is due. */
#ifndef WW_MEM_DRAM_NEXT_H
#define WW_MEM_DRAM_NEXT_H

#include "mem/dram_queue.h"
#include "mem/dram_ready.h"

typedef struct ww_dram_next {
    ww_dram_queue *queue;
    const ww_dram_device *device;
    unsigned direction; /* WW_DRAM_READ or WW_DRAM_WRITE */
    bool over_age_cap;  /* a request is */
    uint64_t age_cap;
    uint64_t within_cap_until; /* no request is over the age cap before this cycle */
    uint64_t writes_since;     /* the cycle in which the channel began to serve writes */
    /* Banks, a bit for each. A bank with a next command is in one of the first three; its bits and
     * its entries below are up to date unless it is stale. */
    uint64_t columns, activates, precharges;
    uint64_t stale;
    uint64_t passing; /* that serve another request than their oldest */
    uint64_t refused; /* that do not, because it is over the age cap */
    ww_dram_ready_times times;
    uint64_t age[WW_DRAM_BANKS]; /* of the request served: its order, and below that the bank */
    ww_dram_entry *entry[WW_DRAM_BANKS];
} ww_dram_next;

typedef struct ww_dram_earliest {
    uint64_t cycle; /* WW_DRAM_NEVER: none before a refresh */
    uint64_t banks; /* a bit for each */
} ww_dram_earliest;

/* Commands have changed the state of these banks: they are stale. */
static inline void ww_dram_next_invalidate(ww_dram_next *next, uint64_t banks)
{
    next->stale |= banks;
}

/* A request is about to join the queue. Returns whether it changes its bank's next command. */
static inline bool ww_dram_next_note_arrival(ww_dram_next *next, const ww_dram_entry *entry)
{
    uint64_t bit = UINT64_C(1) << entry->bank;
    bool first = !(next->queue->banks[next->direction] & bit);
    bool hit = next->device->bank[entry->bank].row == entry->row && !(next->columns & bit);
    if (!first && !hit)
        return false;
    next->stale |= bit;
    return true;
}

/* The channel begins to serve writes. */
void ww_dram_next_begin_writes(ww_dram_next *next, uint64_t cycle);

/* A bank's activate or precharge was issued: advances its request to the command after it. */
static inline void ww_dram_next_advance(ww_dram_next *next, uint32_t bank, ww_dram_op op)
{
    const ww_dram_bank *state = &next->device->bank[bank];
    uint64_t bit = UINT64_C(1) << bank, time = state->column;
    if (op == WW_DRAM_ACTIVATE) {
        next->activates &= ~bit;
        next->columns |= bit;
    } else {
        next->precharges &= ~bit;
        next->refused &= ~bit;
        next->activates |= bit;
        time = state->activate;
    }
    ww_dram_ready_remove(&next->times, bank);
    ww_dram_ready_add(&next->times, bank, time);
}

/* For ww_dram_next_update. */
void ww_dram_next_update_stale(ww_dram_next *next);
void ww_dram_next_check_age(ww_dram_next *next, uint64_t cycle);

/* Updates everything to a cycle, not before the last one. The functions below are for that. */
static inline void ww_dram_next_update(ww_dram_next *next, uint64_t cycle)
{
    ww_dram_ready_advance(&next->times, cycle);
    if (cycle >= next->within_cap_until)
        ww_dram_next_check_age(next, cycle);
    if (next->stale)
        ww_dram_next_update_stale(next);
}

/* All banks that have a next command. */
static inline uint64_t ww_dram_next_banks(const ww_dram_next *next)
{
    return next->columns | next->activates | next->precharges;
}

ww_dram_earliest ww_dram_next_earliest(const ww_dram_next *next, uint64_t banks);

/* For ww_dram_next_ready_now: the banks of groups in which a command is allowed now. */
static inline uint64_t ww_dram_next_allowed(const ww_dram_next *next, unsigned op)
{
    const ww_dram_device *device = next->device;
    uint64_t cycle = next->times.cycle, allowed = 0;
    for (uint32_t i = 0; i < device->groups; i++)
        allowed |= device->group[i].ready[op] <= cycle ? device->group[i].members : 0;
    return allowed;
}

/* A short cut: the earliest of all banks, if allowed now. 0: they are not, or a refresh is due. */
static inline uint64_t ww_dram_next_ready_now(const ww_dram_next *next)
{
    const ww_dram_device *device = next->device;
    uint64_t cycle = next->times.cycle, ready = next->times.ready;
    uint64_t columns = ready & next->columns, activates = ready & next->activates;
    if (cycle >= device->first_due)
        return 0;
    if (columns && cycle + device->data_start[next->direction] >= device->data_end) {
        columns &= ww_dram_next_allowed(next, next->direction);
        if (columns)
            return columns;
    }
    if (activates)
        activates &= ww_dram_next_allowed(next, WW_DRAM_ACTIVATE);
    return activates | (ready & next->precharges);
}

/* The bank that serves the oldest request; there is at least one bank. */
static inline uint32_t ww_dram_next_oldest(const ww_dram_next *next, uint64_t banks)
{
    uint64_t oldest = next->age[__builtin_ctzll(banks)];
    while ((banks &= banks - 1)) {
        uint64_t age = next->age[__builtin_ctzll(banks)];
        oldest = age < oldest ? age : oldest;
    }
    return (uint32_t)(oldest % WW_DRAM_BANKS);
}
/* When the next command of a bank is allowed; WW_DRAM_NEVER: not before a refresh. */
uint64_t ww_dram_next_start(const ww_dram_next *next, uint32_t bank);
/* The banks whose next commands are of the same kind as this one's. */
uint64_t ww_dram_next_kind(const ww_dram_next *next, uint32_t bank);
/* The next command of a bank. */
static inline ww_dram_op ww_dram_next_op(const ww_dram_next *next, uint32_t bank)
{
    if (next->columns >> bank & 1)
        return (ww_dram_op)next->direction;
    return next->activates >> bank & 1 ? WW_DRAM_ACTIVATE : WW_DRAM_PRECHARGE;
}

#endif
