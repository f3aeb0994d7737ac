/* Page walks on a compute unit (Chen et al., cuPTW, 2026, sections 5 and 6).
 *
 * wavefront   a translation wavefront: up to `threads` walks in lockstep. There is one for each
 *             scheduler of the compute unit, if the launch leaves it registers. It needs no slot.
 * thread      one walk: a translation that the L2 TLB forwarded
 * set-up      the address translator gives a translation to a thread, one a cycle. A wavefront
 *             is filled until it is full, or `timeout` cycles have passed since its first
 *             thread, and it issues.
 * stage       what the wavefront does next (vm.h). Each stage needs a unit of the compute unit;
 *             core/cu_walks.c finds a free one. The next stage can issue after the latency.
 * working     (VCC) threads that have more entries to read
 * cache       idle local memory as a walk cache (lds_walk_cache.h)
 *
 * A walk warp (cuptw.mode softwalker; Jang et al., MICRO 2025) is one wavefront of a compute unit,
 * with registers and local memory of its own. It makes walks that distributor.h sends: it starts as
 * soon as it is free with all that wait, reads its requests from local memory, and sends entries of
 * upper levels to the walkers' cache and answers to the distributor.
 *
 * Entries are read through the scalar cache, or, in the NVIDIA form, the L1 data cache, past the
 * TLB. An entry has the value that the page table has when its read completes. Walks of pages that
 * are invalidated start again at the root. An entry that is not present ends the walk with a
 * far-fault. */
#ifndef WW_VM_CUPTW_CU_WALKER_H
#define WW_VM_CUPTW_CU_WALKER_H

#include "engine/clock.h"
#include "vm/cuptw/lds_walk_cache.h"
#include "vm/vm.h"

#define WW_MOST_WALK_THREADS 64
#define WW_WAVEFRONT_CONTEXT_BITS 224 /* section 8: IDs, state, masks, offsets, table base */
/* SoftWalker: the context of a walk warp; page, node and level of a request, 96 bits. */
#define WW_WALK_WARP_CONTEXT_BITS 1470
#define WW_WALK_REQUEST_BYTES 12

/* X(field, statistic, unit, doc) */
#define WW_CUPTW_COUNTERS(X)                                                                     \
    X(walks, "walks", "walks", "made by compute units")                                          \
    X(faults, "faults", "walks", "of them, that found an entry that is not present")             \
    X(restarts, "restarts", "walks", "started again: their page was invalidated")                \
    X(latency, "latency_ticks", "ticks",                                                         \
      "from the miss in the L2 TLB to the answer, of these walks, with the wait for a thread")   \
    X(waiting, "waiting_ticks", "ticks", "of it, until a thread was set up")                     \
    X(wavefronts, "wavefronts", "wavefronts", "translation wavefronts that issued")              \
    X(timeouts, "timeouts", "wavefronts", "of translation wavefronts, that were not full")       \
    X(pte_reads, "pte_reads", "reads", "of page-table entries by compute units")                 \
    X(pte_reads_1, "pte_reads_level1", "reads", "of them, of level 1, the leaf of small pages")  \
    X(pte_reads_2, "pte_reads_level2", "reads", "likewise of level 2")                           \
    X(pte_reads_3, "pte_reads_level3", "reads", "likewise of level 3")                           \
    X(pte_reads_4, "pte_reads_level4", "reads", "likewise of level 4, the root")                 \
    X(pte_misses, "pte_misses", "reads", "of all of them, that missed in the cache")             \
    X(coalesced_1, "coalesced_level1", "reads",                                                  \
      "of level 1, that share a line with one of a thread before in the same wavefront")         \
    X(coalesced_2, "coalesced_level2", "reads", "likewise of level 2")                           \
    X(coalesced_3, "coalesced_level3", "reads", "likewise of level 3")                           \
    X(coalesced_4, "coalesced_level4", "reads", "likewise of level 4")                           \
    X(cache_lookups, "cache_lookups", "lookups", "of walks in the cache in local memory")        \
    X(cache_misses, "cache_misses", "lookups", "of them, that found no entry")                   \
    X(cache_hits_2, "cache_hits_level2", "lookups", "that found an entry of level 2")            \
    X(cache_hits_3, "cache_hits_level3", "lookups", "likewise of level 3")                       \
    X(cache_hits_4, "cache_hits_level4", "lookups", "likewise of level 4")                       \
    X(cache_writes, "cache_writes", "entries", "written to that cache")                          \
    X(conflicts, "conflict_cycles", "cycles", "latency added by bank conflicts there")           \
    X(lds_issues, "lds_issues", "instructions", "of wavefronts, to the local data share's unit") \
    X(lds_busy, "lds_busy", "cycles", "for which they kept it busy")                             \
    X(simd_issues, "simd_issues", "instructions", "likewise to SIMD units")                      \
    X(simd_busy, "simd_busy", "cycles", "for which they kept them busy")                         \
    X(scalar_issues, "scalar_issues", "instructions", "likewise to the scalar unit")             \
    X(scalar_busy, "scalar_busy", "cycles", "for which they kept it busy")                       \
    X(branch_issues, "branch_issues", "instructions", "likewise to the branch unit")             \
    X(branch_busy, "branch_busy", "cycles", "for which they kept it busy")                       \
    X(memory_issues, "memory_issues", "instructions", "likewise to the vector memory unit")      \
    X(memory_busy, "memory_busy", "cycles", "for which they kept it busy")                       \
    X(delay, "delay", "cycles",                                                                  \
      "of warps that were ready while their unit was busy with a translation wavefront")         \
    X(launches, "launches", "launches", "times that a compute unit set wavefronts up")           \
    X(room, "room", "wavefronts", "that it had registers for, summed over them")                 \
    X(cache_rows, "cache_rows", "rows", "of local memory in the cache, summed likewise")

typedef struct ww_cuptw_counters {
#define WW_CUPTW_COUNTER_FIELD(field, statistic, unit, doc) uint64_t field;
    WW_CUPTW_COUNTERS(WW_CUPTW_COUNTER_FIELD)
#undef WW_CUPTW_COUNTER_FIELD
} ww_cuptw_counters;

typedef enum ww_wavefront_stage {
    WW_WAVEFRONT_FETCH,  /* of its requests, from local memory: only walk warps */
    WW_WAVEFRONT_DECODE, /* of them: likewise */
    WW_WAVEFRONT_LOOKUP, /* in the walk cache in the local data share */
    WW_WAVEFRONT_OFFSET, /* of the next entry in its node */
    WW_WAVEFRONT_MEMORY, /* entries are requested, one after the other */
    WW_WAVEFRONT_UPDATE, /* of the walk cache */
    WW_WAVEFRONT_CHECK,  /* whether all threads have their leaf */
    WW_WAVEFRONT_DONE,   /* frames go to those that wait */
    WW_WAVEFRONT_STAGES
} ww_wavefront_stage;

/* A stage's unit, and cycles of an instruction: to the next one, and until its unit is free. Each
 * instruction of a stage needs the one before. */
typedef struct ww_stage_timing {
    uint32_t latency, interval;
    ww_walk_unit unit;
    unsigned instructions; /* 0: one */
} ww_stage_timing;

typedef struct ww_cu_walker_config {
    ww_clock clock;
    unsigned wavefronts; /* one for each scheduler */
    unsigned threads;    /* of a wavefront */
    uint32_t timeout;    /* cycles */
    bool nvidia;         /* entries are read through the L1 data cache */
    bool goes_first;     /* a walk warp */
    bool coalesces;      /* threads whose entries are in one line share a request */
    bool answers_each;   /* a thread answers as soon as it has its leaf */
    bool waits_outside;  /* nothing is forwarded while no thread is free */
    bool caches;         /* walks, in local memory */
    ww_wavefront_registers registers;
    ww_stage_timing stages[WW_WAVEFRONT_STAGES];
    uint32_t conflict; /* cycles for each further row of a bank */
    ww_lds_walk_cache_config cache;
    unsigned page_shift;
    uint32_t line, sector;   /* bytes, of memory requests */
    uint32_t queue;          /* translations that may be here */
    uint32_t answer_latency; /* cycles; 0: a tick */
} ww_cu_walker_config;

typedef struct ww_cu_walker_wiring {
    ww_engine *engine;
    ww_request_pool *pool;
    ww_task *task;   /* of the compute unit: it is woken for what arrives */
    ww_port *memory; /* the cache that entries are read through */
    uint16_t source; /* of that cache, in the network */
    uint16_t sharer; /* of the walker, among those that the cache replies to */
    /* Where answers go: the L1 TLB that the translation came through, or the distributor. */
    ww_port *(*answers_of)(void *context, const ww_translation *t);
    /* The page's entry is kept in the L2 TLB, too. NULL: it gets the answer. */
    void (*keep)(void *context, uint64_t key, uint64_t entry, ww_page_run run);
    /* The walkers' cache keeps an entry of an upper level. NULL: it does not. */
    void (*keep_node)(void *context, const ww_translation *t, unsigned level, uint64_t node);
    uint64_t (*root)(void *context, uint16_t asid); /* the node of level 4 */
    uint64_t (*read)(void *context, uint16_t asid, uint64_t physical);
    /* Pages beside that of a leaf entry at `physical` (tlb.merge). NULL: nobody uses them. */
    ww_page_run (*run)(void *context, uint16_t asid, uint64_t entry, uint64_t physical);
    void *context;
} ww_cu_walker_wiring;

ww_cu_walker *ww_cu_walker_create(const ww_cu_walker_config *config, ww_engine *engine);
void ww_cu_walker_destroy(ww_cu_walker *walker);
/* Once, before the first translation. */
void ww_cu_walker_connect(ww_cu_walker *walker, const ww_cu_walker_wiring *wiring);
ww_port *ww_cu_walker_in(ww_cu_walker *walker);      /* forwarded translations */
ww_port *ww_cu_walker_replies(ww_cu_walker *walker); /* of memory */
/* Walks of the pages start again. Acknowledged when it returns. */
void ww_cu_walker_invalidate(ww_cu_walker *walker, const ww_invalidation *what);
const ww_cuptw_counters *ww_cu_walker_count(const ww_cu_walker *walker);
uint32_t ww_cu_walker_waiting(const ww_cu_walker *walker); /* translations: for a thread, now */
uint32_t ww_cu_walker_walking(const ww_cu_walker *walker); /* in threads */

#endif
