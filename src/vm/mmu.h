/* Walkers and what belongs to them: the walk buffer, walk caches, and the reads of page-table entries.
 *
 * in         requests that missed in every TLB. One that finds a walker idle starts at once, others wait in the walk buffer; when
 *            that is full, they wait here, and behind them in the miss registers of the TLB above.
 * walker     walks for one request at a time: looks up the walk caches, then reads one entry after the other, each where the one
 *            before says
 * PTE cache  lines of entries that were read; with 0 entries there is none
 * memory     where entries are read: an L2 slice's network, or the DRAM's channels
 * out        answers, to the TLB above; it has room for every request that can be here
 *
 * The bytes of an entry are those in the page table when its read comes back. */
#ifndef WW_VM_MMU_H
#define WW_VM_MMU_H

#include "engine/clock.h"
#include "mem/mem.h"
#include "stats/histogram.h"
#include "vm/lru.h"
#include "vm/walkmerge.h"
#include "vm/walksched.h"

/* X(field, statistic, unit, doc) */
#define WW_WALK_COUNTERS(X)                                                                     \
    X(count, "count", "walks", "requests that missed in every TLB")                             \
    X(at_once, "at_once", "walks", "found a walker idle")                                       \
    X(selected, "selected", "walks", "waited in the buffer until they were selected")           \
    X(merged, "merged", "walks", "waited, and were answered by the line of another walk")       \
    X(resumed, "resumed", "walks", "started where the line of another walk had led to")         \
    X(held, "held", "times", "a walk was held back, since its next line was being read")        \
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
    X(reading, "reading_ticks", "ticks",                                                        \
      "from an entry's read to its bytes, of all reads in memory")                              \
    X(busy, "busy_ticks", "ticks", "of walkers at work")                                        \
    X(ticks, "ticks", "ticks", "time in launches")                                              \
    X(full, "full_ticks", "ticks", "the buffer was full and another request waited outside")    \
    X(instructions, "instructions", "instructions", "memory instructions with a walk")          \
    X(several, "several", "instructions", "of them, with two walks or more")                    \
    X(interleaved, "interleaved", "instructions",                                               \
      "of those, with another one's walk between theirs, as they came to the buffer")           \
    X(first_latency, "first_latency_ticks", "ticks",                                            \
      "latency of the walk of each that was answered first, from its own miss to its answer")   \
    X(last_latency, "last_latency_ticks", "ticks", "likewise of the one answered last")         \
    X(first_answer, "first_answer_ticks", "ticks",                                              \
      "from the miss of their first walk in the last TLB to their first answer")                \
    X(last_answer, "last_answer_ticks", "ticks", "likewise to their last answer")               \
    X(work_16, "work_16", "instructions", "whose walks read 1 to 16 entries")                   \
    X(work_32, "work_32", "instructions", "likewise 17 to 32")                                  \
    X(work_48, "work_48", "instructions", "likewise 33 to 48")                                  \
    X(work_64, "work_64", "instructions", "likewise 49 to 64")                                  \
    X(work_80, "work_80", "instructions", "likewise 65 to 80")                                  \
    X(work_256, "work_256", "instructions", "likewise 81 or more")                              \
    X(work_0, "work_0", "instructions", "likewise none: others read what they needed")

typedef struct ww_walk_counters {
#define WW_WALK_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_WALK_COUNTERS(WW_WALK_COUNTER_FIELD)
#undef WW_WALK_COUNTER_FIELD
    uint64_t cache_lookups, cache_hits[WW_LEVELS + 1];
    uint64_t estimates, estimate_hits, protected_victims;
} ww_walk_counters;

typedef struct ww_mmu_config {
    ww_clock clock;
    uint32_t walkers;
    uint32_t buffer;    /* requests */
    uint32_t queue;     /* requests that come in, or wait for the buffer */
    uint32_t suppliers; /* who send replies of memory */
    ww_walk_cache_kind cache;
    uint32_t cache_entries;
    bool protect;            /* its entries, for schedulers with scores */
    uint32_t cache_latency;  /* cycles of a lookup */
    ww_lru_config pte_cache; /* entries: lines */
    uint32_t pte_cache_latency;
    const ww_walksched *scheduler;
    const ww_walkmerge *merge;
    bool merge_leaf, merge_upper; /* which levels */
    bool opportunity;             /* count reads that could be shared */
    uint64_t aging;
    uint64_t seed;
    unsigned page_shift;
    uint32_t line, sector; /* bytes, of memory requests */
} ww_mmu_config;

typedef struct ww_mmu_wiring {
    ww_port *out;
    ww_port **memory;
    uint32_t (*route)(const void *context, uint64_t address); /* of a line: which of `memory` */
    const void *route_context;
    uint16_t source; /* of requests, in the network */
    /* The page of an address has no frame: nothing goes on after this. */
    void (*fault)(void *context, uint64_t address);
    void *context;
} ww_mmu_wiring;

typedef struct ww_mmu ww_mmu;

/* The table outlives it. */
ww_mmu *ww_mmu_create(const ww_mmu_config *config, ww_engine *engine, ww_request_pool *pool,
                      const ww_page_table *table);
void ww_mmu_destroy(ww_mmu *mmu);
/* Once, before the first request; `memory` outlives it. */
void ww_mmu_connect(ww_mmu *mmu, const ww_mmu_wiring *wiring);
ww_port *ww_mmu_in(ww_mmu *mmu);
ww_port *ww_mmu_replies(ww_mmu *mmu); /* of memory */

/* All pages of an instruction have their answers. */
void ww_mmu_end_story(ww_mmu *mmu, const ww_story *story);
/* What caches know about the way to an address, or anything, is not used any more; walks on their way are not touched. */
void ww_mmu_invalidate(ww_mmu *mmu, uint64_t address);
void ww_mmu_invalidate_all(ww_mmu *mmu);
/* Brings counters up to the present; before they are read. `elapsed`: the ticks that count as time. */
void ww_mmu_settle(ww_mmu *mmu, ww_tick elapsed);
const ww_walk_counters *ww_mmu_count(const ww_mmu *mmu);
uint32_t ww_mmu_waiting(const ww_mmu *mmu); /* in the buffer */
uint32_t ww_mmu_busy(const ww_mmu *mmu);    /* walkers */

#endif
