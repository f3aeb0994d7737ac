/* The walker of a compute unit alone: translations come at planned ticks, reads are answered by a
 * mock, and the rig issues stages as an idle compute unit does. A tick is a cycle.
 *
 * log      what happened, in order: "11o0" in cycle 11 the wavefront of scheduler 0 issued its
 *          offset stage (l lookup, o offset, m memory, u update, c check, d done); "16va4" at tick
 *          16 the read of level 4 of a came to memory; "160^a" at tick 160 the answer of a came
 *          above ("!" a far-fault, "#" a protection fault)
 * table    made up: every page is there, but for entries that a test takes out. A page's frame
 *          changes with each move. Every answer has the frame that the page has when it is given.
 * busy     cycles in which a warp of a kernel can issue: no stage does */
#ifndef WW_TESTS_SUPPORT_CU_WALKER_RIG_H
#define WW_TESTS_SUPPORT_CU_WALKER_RIG_H

#include "vm/cuptw/cu_walker_internal.h"

enum { CU_WALKER_RIG_REQUESTS = 256 };

typedef struct cu_walker_rig_request {
    ww_translation translation;
    ww_tick planned, answered;
    unsigned answers;
    char name;
} cu_walker_rig_request;

typedef struct cu_walker_rig {
    /* May be changed until the first request. */
    ww_cu_walker_config config;
    unsigned room;           /* wavefronts that have registers */
    uint64_t lds_bytes;      /* that are free */
    unsigned period;         /* of issue */
    ww_tick read_time;       /* from coming to memory to the reply */
    ww_tick busy_from, busy; /* before `busy` */
    ww_tick move_at;         /* when page `moved` gets another frame and is invalidated; 0: never */
    uint64_t moved;          /* its number */
    uint64_t absent;         /* the physical address of an entry that is not present; 0: none */
    unsigned memory_capacity; /* requests */

    ww_engine *engine;
    ww_request_pool *pool;
    ww_cu_walker *walker;
    ww_task cycle, memory_task, above, feeder, mover;
    ww_port memory, out;
    ww_tick unit_free[4 + 64]; /* local memory, scalar, branch, memory; a SIMD for each scheduler */
    cu_walker_rig_request requests[CU_WALKER_RIG_REQUESTS];
    size_t planned, fed, answered;
    uint64_t reads, kept, moves;
    bool silent;
    size_t used;
    char log[16384];
} cu_walker_rig;

/* mi100-cuptw's latencies, one wavefront for each of 4 schedulers with one thread, no cache, every
 * scheduler active in every cycle; 28 ticks for a read. */
void cu_walker_rig_init(cu_walker_rig *rig);
/* In the order of their ticks. */
cu_walker_rig_request *cu_walker_rig_plan(cu_walker_rig *rig, ww_tick tick, char name,
                                          uint64_t page);
/* Everything is answered. */
void cu_walker_rig_run(cu_walker_rig *rig);
void cu_walker_rig_expect(const cu_walker_rig *rig, const char *log);
void cu_walker_rig_destroy(cu_walker_rig *rig);
const ww_cuptw_counters *cu_walker_rig_count(const cu_walker_rig *rig);
/* The physical address of a page's entry. */
uint64_t cu_walker_rig_entry(const cu_walker_rig *rig, uint64_t page, unsigned level);

#endif
