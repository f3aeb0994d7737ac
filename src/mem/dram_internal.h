/* The state of a DRAM channel, for its own files: dram_arrivals.c accepts requests and sends
 * replies, dram_commands.c decides which command is next and issues it, dram.c runs both. */
#ifndef WW_MEM_DRAM_INTERNAL_H
#define WW_MEM_DRAM_INTERNAL_H

#include "mem/dram.h"
#include "mem/dram_device.h"
#include "mem/dram_next.h"
#include "mem/dram_queue.h"
#include "mem/dram_stats.h"

/* The command that is issued next if no request arrives before; cycle WW_DRAM_NEVER: none. */
typedef struct ww_dram_plan {
    ww_dram_command command;
    ww_dram_entry *entry; /* NULL: a refresh */
} ww_dram_plan;

/* What every cycle needs comes first. */
struct ww_dram {
    ww_task task;
    uint64_t next_command; /* the command bus is free from this cycle on */
    bool draining;
    bool planned;         /* `plan` is up to date */
    unsigned direction;   /* to be served */
    ww_dram_next *served; /* of the direction planned for last */
    uint64_t
        touched; /* banks with commands since the direction changed: the other one's are stale */
    ww_dram_plan plan;
    uint64_t wake_cycle;     /* the cycle that starts at `wake` */
    ww_tick wake;            /* when a read or write may be issued next, unless requests arrive */
    ww_tick last_arrival;    /* of a reply in `out` */
    ww_request *held, *last; /* replies that wait for a full `out`: a list */
    uint32_t held_reads;     /* of them, that still have a queue entry */
    uint32_t burst_bytes;
    ww_blame_clock blame; /* of `in` and of the queue */
    uint32_t burst_ticks; /* of the data bus, for one burst */
    ww_dram_wiring w;
    ww_dram_config c;
    ww_dram_tally tally;
    ww_dram_counters counters;
    void *policy_state;
    ww_dram_queue queue;
    ww_dram_device device;
    ww_dram_next next[2]; /* of reads and of writes */
};

static inline ww_tick ww_dram_edge(const ww_dram *dram, uint64_t cycle)
{
    return ww_clock_edge(dram->c.clock, cycle);
}

static inline bool ww_dram_is_idle(const ww_dram *dram)
{
    return !(dram->queue.count[WW_DRAM_READ] | dram->queue.count[WW_DRAM_WRITE]);
}

/* ---- dram_arrivals.c ---- */

/* Updates what the channel's requests wait for from now on. */
void ww_dram_note_blame(ww_dram *dram, ww_tick now);

/* Sends the reply of a request whose data ends at request->since, or holds it: `out` is full. */
void ww_dram_reply(ww_dram *dram, ww_request *request, ww_tick now);
/* Sends held replies while `out` has free entries. */
void ww_dram_send_held(ww_dram *dram, ww_tick now);
/* After the queue has changed: whether reads or writes are to be served. */
void ww_dram_choose_direction(ww_dram *dram);
void ww_dram_accept_arrivals(ww_dram *dram, uint64_t cycle, ww_tick now);
/* When the next request can be accepted, as far as is known; WW_NEVER: not before `wake`. */
ww_tick ww_dram_arrival_time(ww_dram *dram, uint64_t cycle, ww_tick now);

/* ---- dram_commands.c ---- */

/* Issues the commands before cycle `end`; new plans are for `start` or later. */
void ww_dram_issue_commands(ww_dram *dram, uint64_t start, uint64_t end);
/* Issues commands before a cycle late: nothing observable depended on them. */
void ww_dram_catch_up(ww_dram *dram, uint64_t cycle);
/* Issues the refreshes that were due before a cycle while nothing waited. */
void ww_dram_issue_idle_refreshes(ww_dram *dram, uint64_t cycle);
/* A cycle before which nothing observable happens unless requests arrive: that of the next read or
 * write, or an earlier one when that depends on commands before it. */
uint64_t ww_dram_first_observable(const ww_dram *dram);

#endif
