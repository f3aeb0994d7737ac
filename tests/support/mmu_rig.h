/* Walkers between mocks: requests come at planned ticks, as from a TLB above; reads of page-table
 * entries are answered after a time that a test sets, by a mock memory.
 *
 * request   of a page, by an instruction; its name is a letter in logs
 * log       what happened, in order: "5va4" at tick 5 the read of a's entry of level 4 came to the
 *           memory, "9^a" at tick 9 the answer of a came to the TLB ("9!a" a far-fault, "9#a" a
 *           protection fault)
 * The rig looks at every read and every answer: the address of the one is that of the entry, the
 * frame in the other is that of the page, and there is one for each request. */
#ifndef WW_TESTS_SUPPORT_MMU_RIG_H
#define WW_TESTS_SUPPORT_MMU_RIG_H

#include "base/rng.h"
#include "support/pages.h"
#include "vm/driver.h"
#include "vm/mmu.h"

typedef struct mmu_rig_config {
    ww_mmu_config mmu;
    const char *scheduler, *merge, *frames;
    const char *merge_levels;  /* of neighborhood */
    const char *batch_entries; /* of mpw */
    uint64_t page_bytes;
    uint32_t memory_ports; /* entries go to them by their address over 64 */
    uint32_t memory_queue;
    ww_tick read_time;   /* from when a walker sends a read to its bytes; at least 1 */
    ww_tick read_more;   /* up to so much is added at random */
    ww_tick memory_hold; /* the memory takes nothing before this tick */
    uint16_t spaces;     /* address spaces, from 0; in one memory */
    uint32_t most;       /* requests in flight, as the registers of the TLB above */
} mmu_rig_config;

typedef struct mmu_rig_request {
    ww_translation translation;
    ww_tick planned; /* it arrives at the walkers then, or when their queue has space */
    ww_tick answered;
    unsigned answers;
    unsigned reads;
    char name;
} mmu_rig_request;

typedef struct mmu_rig mmu_rig;

/* fcfs, no merging, one walker, a buffer of 64, no walk caches, 0 cycles; 4 KiB; one wide port to
 * the memory, 10 ticks. */
mmu_rig_config mmu_rig_plain(void);
/* For up to `count` requests of instructions below `instructions`. */
mmu_rig *mmu_rig_create(const mmu_rig_config *config, size_t count, size_t instructions);
/* Everything was answered once, and the statistics obey their laws. */
void mmu_rig_destroy(mmu_rig *rig);

/* In the order of their ticks, which are at least 1. The page gets a frame now. Of space 0, unless
 * `asid` says another one. */
mmu_rig_request *mmu_rig_plan(mmu_rig *rig, ww_tick tick, char name, unsigned instruction,
                              uint64_t page);
mmu_rig_request *mmu_rig_plan_in(mmu_rig *rig, uint16_t asid, ww_tick tick, char name,
                                 unsigned instruction, uint64_t page);
/* The same for a page that has no frame, unless another request gave it one. */
mmu_rig_request *mmu_rig_plan_absent(mmu_rig *rig, ww_tick tick, char name, unsigned instruction,
                                     uint64_t page);
ww_driver *mmu_rig_driver(mmu_rig *rig);
void mmu_rig_run_until(mmu_rig *rig, ww_tick limit);
/* Runs until nothing is due; false: not all have come back. */
bool mmu_rig_run(mmu_rig *rig);
/* Runs, checks the log, and empties it. */
void mmu_rig_expect(mmu_rig *rig, const char *log);
/* Runs and checks the order of the answers alone. */
void mmu_rig_expect_answers(mmu_rig *rig, const char *names);

ww_mmu *mmu_rig_mmu(mmu_rig *rig);
const ww_walk_counters *mmu_rig_count(mmu_rig *rig);
/* As it was when the instruction ended last. */
const ww_walk_record *mmu_rig_record(const mmu_rig *rig, unsigned instruction);
uint64_t mmu_rig_memory_reads(const mmu_rig *rig);
void mmu_rig_silence(mmu_rig *rig); /* keeps no log */

#endif
