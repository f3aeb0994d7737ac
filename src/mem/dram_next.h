/* The next command of each bank of a channel, for the requests of one direction. It is kept from
 * one choice to the next and found again only where something changed. dram_banks.h has the words,
 * and what policies ask of it.
 *
 * age cap       for how many cycles younger requests may pass a waiting one. A write waits from the
 *               cycle at which the channel begins to serve writes.
 * stale         of a bank: its next command is to be found again, after a command or an arrival
 *
 * A command is allowed when its bank is ready (dram_ready.h), when group, rank and bus are, which
 * is the same for all commands of a kind in a group (dram_device.h), and no refresh is due. */
#ifndef WW_MEM_DRAM_NEXT_H
#define WW_MEM_DRAM_NEXT_H

#include "mem/dram_banks.h"
#include "mem/dram_queue.h"
#include "mem/dram_ready.h"

struct ww_dram_next {
    ww_dram_queue *queue;
    const ww_dram_device *device;
    unsigned direction; /* WW_DRAM_READ or WW_DRAM_WRITE */
    bool over_age_cap;  /* a request is */
    bool ranked;        /* requests have ranks */
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
};

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
    if (!first && !hit && !next->ranked)
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

/* The next command of a bank. */
static inline ww_dram_op ww_dram_next_op(const ww_dram_next *next, uint32_t bank)
{
    if (next->columns >> bank & 1)
        return (ww_dram_op)next->direction;
    return next->activates >> bank & 1 ? WW_DRAM_ACTIVATE : WW_DRAM_PRECHARGE;
}

#endif
