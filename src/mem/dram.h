/* A DRAM channel: the memory controller's queues and the DRAM behind it.
 *
 * in        requests come in here: reads and writes of one line, or of some of its sectors
 * out       replies leave here. A read's comes with its last data; a write's when the write queue
 *           accepts it, though not before replies sent earlier; a write-back has none, its request
 *           is freed when it is accepted.
 * burst     one read or write command; a request has one for each part of its line that it touches
 * drain     to serve writes while reads wait: from `write_high` waiting writes down to `write_low`.
 *           Otherwise writes are served when no reads wait.
 * forward   a read gets sectors that wait to be written from the write queue, a cycle later; only
 *           the rest comes from the DRAM
 * hit       a request whose first command is a read or write; a miss opens a row of a closed bank
 *           first, a conflict closes another row before that
 * page      `open`: a row stays open until another is wanted or the bank is refreshed; `closed`:
 *           the last burst that waits for the row closes it
 *
 * Everything happens at the edges of the DRAM's command clock, one command a cycle. The task sleeps
 * until a read or write may be allowed, or a request arrives. Other commands before that are issued
 * late, each with its own cycle, because nothing observable depends on them. While nothing waits
 * the task is not woken: refreshes of that time are issued late when the next request comes.
 *
 * A read keeps its queue entry until its reply is in `out`. WW_STAGE_DRAM_QUEUE ends with a
 * request's first command (a write's with its acceptance), WW_STAGE_DRAM with its last data, when
 * the reply arrives. */
#ifndef WW_MEM_DRAM_H
#define WW_MEM_DRAM_H

#include "config/config.h"
#include "engine/clock.h"
#include "mem/dram_device.h"
#include "mem/dram_map.h"
#include "mem/dram_timing.h"
#include "mem/dramsched.h"
#include "mem/mem.h"

/* X(field, statistic, unit, doc) */
#define WW_DRAM_COUNTERS(X)                                                                    \
    X(reads, "dram.reads", "requests", "reads that the DRAM served")                           \
    X(writes, "dram.writes", "requests", "writes that the DRAM served")                        \
    X(forwarded, "dram.forwarded", "requests", "reads served from the write queue")            \
    X(row_hits, "dram.row_hits", "requests", "found their row open")                           \
    X(row_misses, "dram.row_misses", "requests", "found their bank closed")                    \
    X(row_conflicts, "dram.row_conflicts", "requests", "found another row open")               \
    X(activates, "dram.activates", "commands", "rows opened")                                  \
    X(refreshes, "dram.refreshes", "commands", "refreshes of a rank or a bank")                \
    X(read_bytes, "dram.read_bytes", "bytes", "read from the DRAM")                            \
    X(write_bytes, "dram.write_bytes", "bytes", "written to the DRAM")                         \
    X(bytes, "dram.bytes", "bytes", "moved over the pins of all channels")                     \
    X(pte_bytes, "dram.pte_bytes", "bytes", "of them, read for page-table entries")            \
    X(busy_cycles, "dram.busy_cycles", "DRAM cycles", "data bus in use, summed over channels") \
    X(cycles, "dram.cycles", "DRAM cycles", "time in launches, summed over channels")

typedef struct ww_dram_counters {
#define WW_DRAM_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_DRAM_COUNTERS(WW_DRAM_COUNTER_FIELD)
#undef WW_DRAM_COUNTER_FIELD
} ww_dram_counters;

/* Copied at creation; ww_dram_configure fills it. */
typedef struct ww_dram_config {
    ww_dram_type type; /* with every key applied; timing.burst is set */
    ww_dram_map map;
    ww_clock clock; /* beside the base clock */
    uint32_t line_bytes;
    uint32_t sector_bytes; /* line_bytes where lines have no sectors */
    uint32_t read_entries, write_entries;
    uint32_t write_high, write_low;
    uint32_t latency; /* DRAM cycles from the end of the data to the reply: controller and wires */
    bool closed_page;
    const ww_dramsched *scheduler;
    ww_policy_start start; /* for the scheduler; its geometry is set here */
} ww_dram_config;

/* Each command as it is issued; refreshes of idle times come late, and some are left out. */
typedef void ww_dram_trace_fn(void *owner, const ww_dram_command *command);

typedef struct ww_dram_wiring {
    ww_engine *engine;
    ww_request_pool *pool;
    ww_port *in;             /* becomes this channel's */
    ww_port *out;            /* this channel is one of its producers */
    ww_port *pte_out;        /* likewise, for page-table entries read past the L2; NULL: none are */
    uint16_t pte_source;     /* that reads them; others read entries through the L2 */
    ww_dram_trace_fn *trace; /* NULL: none */
    void *trace_owner;
    uint32_t index; /* of the channel, for messages */
} ww_dram_wiring;

typedef struct ww_dram ww_dram;

/* Reads between their command and `out` when the data bus is never idle: `out` limits the rate
 * unless it has as many entries more than the receiver's queue is meant to have. */
uint32_t ww_dram_flight(const ww_dram_config *config);

/* Lives as long as its engine. */
ww_dram *ww_dram_create(const ww_dram_config *config, const ww_dram_wiring *wiring);
void ww_dram_destroy(ww_dram *dram);

/* Updates the counters, before they are read. `elapsed`: the ticks that count as time. */
void ww_dram_update_stats(ww_dram *dram, ww_tick elapsed);
/* Moved so far; always up to date. */
uint64_t ww_dram_bytes(const ww_dram *dram);
const ww_dram_counters *ww_dram_get_counters(const ww_dram *dram);
void ww_dram_counters_add(ww_dram_counters *sum, const ww_dram_counters *counters);

#endif
