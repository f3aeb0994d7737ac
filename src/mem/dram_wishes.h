/* What each bank of a channel would do next for the requests of one direction: kept from one choice to the next,
 * and looked at again only where something changed.
 *
 * wish       the next command for the request that a bank serves: a read or write of a burst, or on the way there an
 *            activate or a precharge
 * serve      a bank serves the oldest request for its open row, unless its oldest of all waits for longer than it
 *            lets others pass
 * patience   how long that is; who has waited for longer is impatient. A write waits from the start of the writes'
 *            turn on: before, nobody waited for it.
 * stale      a bank whose wish has to be looked up again: it had a command, or a request came that changes it
 * first      of some banks, those whose wishes are allowed at the earliest cycle: those that read or write, or
 *            when there are none, the others
 *
 * A wish is allowed when its own bank says so (dram_ripening.h) and when group, rank and bus do, which is the
 * same for all wishes of a kind in a group (dram_device.h), and not while a refresh is due. */
#ifndef WW_MEM_DRAM_WISHES_H
#define WW_MEM_DRAM_WISHES_H

#include "mem/dram_queue.h"
#include "mem/dram_ripening.h"

typedef struct ww_dram_wishes {
    ww_dram_queue *queue;
    const ww_dram_device *device;
    unsigned direction; /* WW_DRAM_READ or WW_DRAM_WRITE */
    bool impatient;     /* somebody is */
    uint64_t patience;
    uint64_t patient_until; /* nobody is impatient before this cycle */
    uint64_t turn;          /* of the writes: the cycle in which it began */
    /* Banks, a bit for each. A wish is in one of the next three, with the bank's other state up to date, but
     * for the stale ones. */
    uint64_t columns, activates, precharges;
    uint64_t stale;
    uint64_t passing; /* that serve another than their oldest */
    uint64_t refused; /* that do not, because it is impatient */
    ww_dram_ripening ripening;
    uint64_t age[WW_DRAM_BANKS]; /* of the request served: its order, and below that the bank */
    ww_dram_entry *entry[WW_DRAM_BANKS];
} ww_dram_wishes;

typedef struct ww_dram_first {
    uint64_t cycle; /* WW_DRAM_NEVER: none before a refresh */
    uint64_t banks; /* a bit for each */
} ww_dram_first;

/* Commands have changed the state of these banks. */
static inline void ww_dram_wishes_touch(ww_dram_wishes *wishes, uint64_t banks)
{
    wishes->stale |= banks;
}

/* A request is about to join the queue. Returns whether it changes its bank's wish. */
static inline bool ww_dram_wishes_arrival(ww_dram_wishes *wishes, const ww_dram_entry *entry)
{
    uint64_t bit = UINT64_C(1) << entry->bank;
    bool first = !(wishes->queue->banks[wishes->direction] & bit);
    bool hit = wishes->device->bank[entry->bank].row == entry->row && !(wishes->columns & bit);
    if (!first && !hit)
        return false;
    wishes->stale |= bit;
    return true;
}

/* The writes' turn begins. */
void ww_dram_wishes_begin_turn(ww_dram_wishes *wishes, uint64_t cycle);

/* A bank's activate or precharge was issued: its request goes on to the next command. */
static inline void ww_dram_wishes_go_on(ww_dram_wishes *wishes, uint32_t bank, ww_dram_op op)
{
    const ww_dram_bank *state = &wishes->device->bank[bank];
    uint64_t bit = UINT64_C(1) << bank, time = state->column;
    if (op == WW_DRAM_ACTIVATE) {
        wishes->activates &= ~bit;
        wishes->columns |= bit;
    } else {
        wishes->precharges &= ~bit;
        wishes->refused &= ~bit;
        wishes->activates |= bit;
        time = state->activate;
    }
    ww_dram_ripening_remove(&wishes->ripening, bank);
    ww_dram_ripening_add(&wishes->ripening, bank, time);
}

/* For ww_dram_wishes_update. */
void ww_dram_wishes_look_up(ww_dram_wishes *wishes);
void ww_dram_wishes_find_impatient(ww_dram_wishes *wishes, uint64_t cycle);

/* Brings everything up to a cycle, which is not before that of the last time. What follows holds for then. */
static inline void ww_dram_wishes_update(ww_dram_wishes *wishes, uint64_t cycle)
{
    ww_dram_ripening_advance(&wishes->ripening, cycle);
    if (cycle >= wishes->patient_until)
        ww_dram_wishes_find_impatient(wishes, cycle);
    if (wishes->stale)
        ww_dram_wishes_look_up(wishes);
}

/* All banks that have a wish. */
static inline uint64_t ww_dram_wishes_banks(const ww_dram_wishes *wishes)
{
    return wishes->columns | wishes->activates | wishes->precharges;
}

ww_dram_first ww_dram_wishes_first(const ww_dram_wishes *wishes, uint64_t banks);

/* For ww_dram_wishes_now: the banks of groups in which a command is allowed at once. */
static inline uint64_t ww_dram_wishes_allowed(const ww_dram_wishes *wishes, unsigned op)
{
    const ww_dram_device *device = wishes->device;
    uint64_t cycle = wishes->ripening.cycle, allowed = 0;
    for (uint32_t i = 0; i < device->groups; i++)
        allowed |= device->group[i].ready[op] <= cycle ? device->group[i].members : 0;
    return allowed;
}

/* A short cut: the first of all banks, if they are allowed at once. 0: they are not, or a refresh is due. */
static inline uint64_t ww_dram_wishes_now(const ww_dram_wishes *wishes)
{
    const ww_dram_device *device = wishes->device;
    uint64_t cycle = wishes->ripening.cycle, ripe = wishes->ripening.ripe;
    uint64_t columns = ripe & wishes->columns, activates = ripe & wishes->activates;
    if (cycle >= device->first_due)
        return 0;
    if (columns && cycle + device->data_start[wishes->direction] >= device->data_end) {
        columns &= ww_dram_wishes_allowed(wishes, wishes->direction);
        if (columns)
            return columns;
    }
    if (activates)
        activates &= ww_dram_wishes_allowed(wishes, WW_DRAM_ACTIVATE);
    return activates | (ripe & wishes->precharges);
}

/* The one that serves the oldest request, of one at least. */
static inline uint32_t ww_dram_wishes_oldest(const ww_dram_wishes *wishes, uint64_t banks)
{
    uint64_t oldest = wishes->age[__builtin_ctzll(banks)];
    while ((banks &= banks - 1)) {
        uint64_t age = wishes->age[__builtin_ctzll(banks)];
        oldest = age < oldest ? age : oldest;
    }
    return (uint32_t)(oldest % WW_DRAM_BANKS);
}
/* When the wish of a bank that has one is allowed; WW_DRAM_NEVER: not before a refresh. */
uint64_t ww_dram_wishes_start(const ww_dram_wishes *wishes, uint32_t bank);
/* The banks whose wishes are of the same kind as this one's. */
uint64_t ww_dram_wishes_kind(const ww_dram_wishes *wishes, uint32_t bank);
/* The command that a bank wishes for. */
static inline ww_dram_op ww_dram_wishes_op(const ww_dram_wishes *wishes, uint32_t bank)
{
    if (wishes->columns >> bank & 1)
        return (ww_dram_op)wishes->direction;
    return wishes->activates >> bank & 1 ? WW_DRAM_ACTIVATE : WW_DRAM_PRECHARGE;
}

#endif
