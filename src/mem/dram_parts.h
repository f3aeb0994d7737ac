/* The parts of a DRAM channel: dram_arrivals.c takes requests and gives replies, dram_commands.c decides which command is
 * next and issues it, dram.c runs both. */
#ifndef WW_MEM_DRAM_PARTS_H
#define WW_MEM_DRAM_PARTS_H

#include "mem/dram.h"
#include "mem/dram_device.h"
#include "mem/dram_queue.h"
#include "mem/dram_stats.h"
#include "mem/dram_wishes.h"

/* What is issued next if no request arrives before; holds when its cycle is not WW_DRAM_NEVER. */
typedef struct ww_dram_plan {
    ww_dram_command command;
    ww_dram_entry *entry; /* NULL: a refresh */
} ww_dram_plan;

/* What every cycle needs comes first. */
struct ww_dram {
    ww_task task;
    uint64_t next_command; /* the command bus is free from this cycle on */
    bool draining;
    bool planned;           /* `plan` holds */
    unsigned direction;     /* that is to be served */
    ww_dram_wishes *served; /* of the direction for which was planned last */
    uint64_t
        touched; /* banks that had commands of which the other direction's wishes do not know */
    ww_dram_plan plan;
    uint64_t wake_cycle;     /* the cycle that starts at `wake` */
    ww_tick wake;            /* when a read or write may come next, unless requests arrive */
    ww_tick last_arrival;    /* of a reply in `out` */
    ww_request *held, *last; /* replies that wait for room in `out`: a list */
    uint32_t held_reads;     /* of them, that still have a place in the queue */
    uint32_t burst_bytes;
    ww_blame_clock blame; /* of `in` and of the queue */
    uint32_t burst_ticks; /* that the data bus is busy for one */
    ww_dram_wiring w;
    ww_dram_config c;
    ww_dram_tally tally;
    ww_dram_counters counters;
    uint64_t *policy_state;
    ww_dram_queue queue;
    ww_dram_device device;
    ww_dram_wishes wishes[2]; /* of reads and of writes */
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

/* What its requests wait for from now on. */
void ww_dram_note_blame(ww_dram *dram, ww_tick now);

/* A request's data ends at request->since; its reply leaves then, or when there is room above. */
void ww_dram_reply(ww_dram *dram, ww_request *request, ww_tick now);
/* Replies that found no room. */
void ww_dram_send_held(ww_dram *dram, ww_tick now);
/* After the queue has changed: whether reads or writes are to be served. */
void ww_dram_choose_direction(ww_dram *dram);
void ww_dram_take_arrivals(ww_dram *dram, uint64_t cycle, ww_tick now);
/* When the next arrival can be taken, as far as is known in a cycle, if that is before `wake`. */
ww_tick ww_dram_next_arrival(ww_dram *dram, uint64_t cycle);

/* ---- dram_commands.c ---- */

/* Commands before cycle `end`; what is planned anew is planned for `start` or later. */
void ww_dram_carry_out(ww_dram *dram, uint64_t start, uint64_t end);
/* Commands before a cycle, which nobody has seen. */
void ww_dram_catch_up(ww_dram *dram, uint64_t cycle);
/* Refreshes that happened while nothing waited. */
void ww_dram_make_up(ww_dram *dram, uint64_t cycle);
/* The first cycle at which somebody may see something, unless requests arrive: that of the next read or write, or an
 * earlier one when that depends on commands before it. */
uint64_t ww_dram_next_seen(const ww_dram *dram);

#endif
