/* What each bank of a channel would do next, for reads and for writes: kept from one choice to the next, and
 * looked at again only where something changed.
 *
 * stale    a bank whose wish has to be looked up again: it had a command, or a request came that changes it
 * local    when a wish would be allowed as far as its own bank says; what groups, ranks and the bus say is the
 *          same for many banks, and added for each choice */
#ifndef WW_MEM_DRAM_WISHES_H
#define WW_MEM_DRAM_WISHES_H

#include "mem/dram_queue.h"
#include "mem/dramsched.h"

typedef struct ww_dram_wishes {
    ww_dram_queue *queue;
    const ww_dram_device *device;
    const ww_dramsched *scheduler;
    const void *policy_state;
    uint64_t stale[2];   /* banks, for each direction */
    uint64_t passing[2]; /* that serve another than their oldest: judged anew each time */
    uint64_t turn;       /* the cycle in which the writes' turn began: they wait from then on */
    uint64_t local[2][WW_DRAM_BANKS];
    ww_dram_entry *entry[2][WW_DRAM_BANKS];
    ww_dram_wish wish[2][WW_DRAM_BANKS];
} ww_dram_wishes;

/* Commands have changed the state of these banks. */
static inline void ww_dram_wishes_touch(ww_dram_wishes *wishes, uint64_t banks)
{
    wishes->stale[WW_DRAM_READ] |= banks;
    wishes->stale[WW_DRAM_WRITE] |= banks;
}

/* Writes are served from this cycle on. Before, nobody waited for them: they stay until there are many. */
static inline void ww_dram_wishes_begin_writes(ww_dram_wishes *wishes, uint64_t cycle)
{
    wishes->turn = cycle;
    wishes->stale[WW_DRAM_WRITE] = UINT64_MAX;
}

/* A request is about to join the queue. Returns whether it changes its bank's wish. */
bool ww_dram_wishes_arrival(ww_dram_wishes *wishes, const ww_dram_entry *entry);

/* The next command for the requests of a direction, of which there are some, and its entry. The command's
 * cycle is not before `cycle`; WW_DRAM_NEVER: nothing before a refresh. */
ww_dram_entry *ww_dram_wishes_choose(ww_dram_wishes *wishes, unsigned direction, uint64_t cycle,
                                     ww_dram_command *command);

#endif
