/* The MMU: walk buffer, walkers, walk caches, and reads of page-table entries.
 *
 * in         requests that missed in every TLB. A request starts at once if a walker is idle, else
 *            it waits in the walk buffer. When that is full, it waits here; then in a miss register
 *            of the TLB above.
 * walker     makes one walk at a time: looks up the walk caches through one of their ports, then
 *            reads entry after entry, each at the address that the entry before contains. If the
 *            merging policy batches (walkmerge.h), it has several walks, and reads one entry of
 *            each.
 * PTE cache  lines of entries that were read, by their physical addresses; with 0 entries there is
 *            none
 * memory     where entries are read: the network to the L2, or the DRAM's channels
 * fault      a walk that reads an entry that is not present answers with a far-fault
 * out        answers, to the TLB above; its capacity is that of all requests that can be here
 *
 * An entry has the value that the page table has when its read completes. */
#ifndef WW_VM_MMU_H
#define WW_VM_MMU_H

#include "engine/clock.h"
#include "mem/mem.h"
#include "stats/histogram.h"
#include "vm/lru.h"
#include "vm/walk_records.h"
#include "vm/walkmerge.h"
#include "vm/walksched.h"

/* X(field, statistic, unit, doc) */
#define WW_WALK_COUNTERS(X)                                                                     \
    X(count, "count", "walks", "requests that missed in every TLB")                             \
    X(at_once, "at_once", "walks", "started at once: a walker was idle")                        \
    X(selected, "selected", "walks", "waited in the buffer until they were selected")           \
    X(merged, "merged", "walks", "waited, and were answered by the line of another walk")       \
    X(resumed, "resumed", "walks", "started at a node that the line of another walk named")     \
    X(held, "held", "times", "a walk was held back until another one has read its next line")   \
    X(pte_reads, "pte_reads", "reads", "of page-table entries, in memory")                      \
    X(pte_reads_1, "pte_reads_level1", "reads", "of them, of level 1, the leaf of small pages") \
    X(pte_reads_2, "pte_reads_level2", "reads", "likewise of level 2")                          \
    X(pte_reads_3, "pte_reads_level3", "reads", "likewise of level 3")                          \
    X(pte_reads_4, "pte_reads_level4", "reads", "likewise of level 4, the root")                \
    X(shared_leaf, "shared_leaf", "reads",                                                      \
      "of leaf entries whose line another request needed, too (walk.opportunity)")              \
    X(shared_upper, "shared_upper", "reads", "likewise of entries above the leaf")              \
    X(pte_cache_hits, "pte_cache_hits", "reads",                                                \
      "of page-table entries, in the cache of their lines")                                     \
    X(latency, "latency_ticks", "ticks",                                                        \
      "from the miss in the last TLB to the answer, of all walks")                              \
    X(waiting, "waiting_ticks", "ticks", "in the buffer, of all walks")                         \
    X(cache_waiting, "cache_waiting_ticks", "ticks",                                            \
      "walkers waited for a port of the walk caches")                                           \
    X(reading, "reading_ticks", "ticks",                                                        \
      "from an entry's read to its bytes, of all reads in memory")                              \
    X(busy, "busy_ticks", "ticks", "of walkers at work")                                        \
    X(ticks, "ticks", "ticks", "time in launches")                                              \
    X(full, "full_ticks", "ticks", "the buffer was full and another request waited outside")    \
    WW_INSTRUCTION_COUNTERS(X)

typedef struct ww_walk_counters {
#define WW_WALK_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_WALK_COUNTERS(WW_WALK_COUNTER_FIELD)
#undef WW_WALK_COUNTER_FIELD
    uint64_t answered; /* no statistic of its own: compute units report it (translation.walks) */
    uint64_t cache_lookups, cache_hits[WW_LEVELS + 1];
    uint64_t estimates, estimate_hits, protected_victims;
} ww_walk_counters;

typedef struct ww_mmu_config {
    ww_clock clock;
    uint32_t walkers;
    uint32_t buffer;       /* requests */
    uint32_t queue;        /* requests that arrive, or wait for the buffer */
    uint32_t suppliers;    /* components that send replies of memory */
    uint32_t instructions; /* that may have walks at the same time */
    ww_walk_cache_kind cache;
    uint32_t cache_entries;
    bool protect;            /* entries of the walk caches, with schedulers that have scores */
    uint32_t cache_latency;  /* cycles of a lookup */
    uint32_t cache_ports;    /* of the walk caches; 0: as many as there are walkers */
    uint32_t cache_interval; /* cycles for which a lookup keeps its port */
    ww_lru_config pte_cache; /* entries: lines */
    uint32_t pte_cache_latency;
    const ww_walksched *scheduler;
    const ww_walkmerge *merge;
    bool opportunity; /* count reads that could be shared */
    bool runs;        /* answers are for runs of their lines, too (tlbmerge.h) */
    uint64_t aging;
    ww_policy_start start; /* for its policies */
    unsigned page_shift;
    uint32_t line, sector; /* bytes, of memory requests */
} ww_mmu_config;

typedef struct ww_mmu_wiring {
    ww_port *out;
    ww_port **memory;
    uint32_t (*route)(const void *context, uint64_t address); /* the index in `memory` for a line */
    const void *route_context;
    uint16_t source; /* of requests, in the network */
} ww_mmu_wiring;

typedef struct ww_mmu ww_mmu;

ww_mmu *ww_mmu_create(const ww_mmu_config *config, ww_engine *engine, ww_request_pool *pool);
void ww_mmu_destroy(ww_mmu *mmu);
/* Once, before the first request; `memory` outlives it. */
void ww_mmu_connect(ww_mmu *mmu, const ww_mmu_wiring *wiring);
/* Before the first request of an address space; the table outlives the MMU. A table that replaces
 * another one is used after the space's translations are invalidated. */
void ww_mmu_set_table(ww_mmu *mmu, uint16_t asid, const ww_page_table *table);
ww_port *ww_mmu_in(ww_mmu *mmu);
ww_port *ww_mmu_replies(ww_mmu *mmu); /* of memory */

/* For load/store units: they tell it of the end of an instruction's walks (vm.h). */
ww_walk_records *ww_mmu_records(ww_mmu *mmu);
/* Removes the pages' entries of the walk caches, and all PTE lines. Walks of the pages that are in
 * flight start again at the root when their read is done. Acknowledged when it returns: what was
 * answered before, the TLB above has to drop. */
void ww_mmu_invalidate(ww_mmu *mmu, const ww_invalidation *what);
/* For walks that compute units make: when a port of the walk caches is free; where a walk starts,
 * by a lookup through a free port now; and what it adds to them. */
ww_tick ww_mmu_cache_free_at(const ww_mmu *mmu);
ww_walk_start ww_mmu_look_up_start(ww_mmu *mmu, uint64_t address);
void ww_mmu_keep_node(ww_mmu *mmu, uint64_t address, unsigned level, uint64_t node);
/* A walk in no time, while the MMU is idle: it uses and fills the walk caches and the PTE cache as
 * others do. Calls `read` for each line of entries that it reads in memory. Returns the page's
 * entry; its run is what an answer would have. */
typedef struct ww_warm_walk {
    uint64_t address; /* virtual, with its address space (ww_walk_address) */
    void (*read)(void *context, uint64_t line, uint32_t sectors);
    void *context;
    ww_page_run run;
} ww_warm_walk;
uint64_t ww_mmu_warm(ww_mmu *mmu, ww_warm_walk *walk);
/* Whether a request that is sent now finds an idle walker. */
bool ww_mmu_can_start(const ww_mmu *mmu);
/* Brings counters up to the present, before they are read. `elapsed`: ticks in launches. */
void ww_mmu_update_stats(ww_mmu *mmu, ww_tick elapsed);
const ww_walk_counters *ww_mmu_count(const ww_mmu *mmu);
uint32_t ww_mmu_waiting(const ww_mmu *mmu); /* in the buffer */
uint32_t ww_mmu_busy(const ww_mmu *mmu);    /* walkers */

#endif
