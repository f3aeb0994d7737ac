/* Walk warps (cuptw.mode softwalker) between mocks: a distributor, compute units that have nothing
 * else to do, a memory, and the TLB above.
 *
 * log   what happened, in order: "18L" at tick 18 a walk warp issued an instruction to local
 *       memory (S to a SIMD unit, M to the memory unit; "18L1" on compute unit 1 where there are
 *       several), "102^a" at tick 102 the answer of a came to the TLB ("102!a" a far-fault)
 * Every answer is checked against the page table. */
#ifndef WW_TESTS_SUPPORT_WALK_RIG_H
#define WW_TESTS_SUPPORT_WALK_RIG_H

#include "support/mmu_rig.h"
#include "vm/cuptw/cu_walker.h"
#include "vm/cuptw/distributor.h"

enum { WALK_RIG_CUS = 4, WALK_RIG_REQUESTS = 16 };

typedef struct walk_rig walk_rig;

typedef struct walk_rig_config {
    ww_distributor_config distributor;
    ww_cu_walker_config walker;
    ww_tick memory; /* ticks from a read's arrival to its reply */
} walk_rig_config;

/* One compute unit with 4 threads. The way takes 5 cycles, a lookup of the walkers' cache (8
 * entries) 2. Latencies: local memory 3, integers 2, memory unit 1; 2 instructions to decode, 1 for
 * the offset, 2 to check. The memory takes 10 ticks; its lines have 64 bytes. */
walk_rig_config walk_rig_plain(void);
walk_rig *walk_rig_create(const walk_rig_config *config);
/* Everything was answered once. */
void walk_rig_destroy(walk_rig *rig);
/* In the order of ticks: comes to the distributor then. */
void walk_rig_plan(walk_rig *rig, ww_tick tick, char name, uint64_t page);
void walk_rig_plan_absent(walk_rig *rig, ww_tick tick, char name, uint64_t page);
void walk_rig_run_until(walk_rig *rig, ww_tick limit);
/* Runs, checks the log, and empties it. */
void walk_rig_expect(walk_rig *rig, const char *log);
ww_cu_walker *walk_rig_walker(walk_rig *rig, unsigned cu);
ww_driver *walk_rig_driver(walk_rig *rig);
unsigned walk_rig_reads(const walk_rig *rig); /* requests that came to the memory */

#endif
