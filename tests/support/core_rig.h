/* A compute unit between mock caches, running a kernel given as PTX text.
 *
 * mock        a cache that answers each request a number of ticks after it arrived, in order
 * warm        the instruction buffers hold the whole kernel from the start, so that nothing is
 *             fetched
 * issue log   what issued when: "0:a0 4:a1 4:b0" is the instruction 0 of the warp in slot a in
 *             cycle 0, then 1 of a and 0 of b in cycle 4. Cycles count from the first issue.
 * mock log    what arrived when: "3:R100" at tick 3 a read of the line 0x100 bytes into the buffer
 *             (or of the code); W full write, w partial write, A atomic; then ":" and the sectors
 *             in hexadecimal where they are not all
 *
 * TLBs      none, or mocks (tlb_mock.h) once their links have lookups; then pages have 2 to the
 *           power of config.page_shift bytes
 *
 * The kernel is the entry "k"; its first parameter is the address of a buffer of CORE_RIG_BUFFER
 * bytes, and up to seven more are 0. */
#ifndef TESTS_SUPPORT_CORE_RIG_H
#define TESTS_SUPPORT_CORE_RIG_H

#include "core/checked_mode.h"
#include "core/core_internal.h"
#include "support/tlb_mock.h"
#include "vm/walk_records.h"

#define CORE_RIG_BUFFER 65536
#define CORE_RIG_CODE 0x100000000ull
#define CORE_RIG_ARGUMENTS 0x400 /* in the buffer, where they are in memory */
#define CORE_RIG_LOG 8192

/* The text of a kernel with these instructions and some registers of each kind. */
#define CORE_RIG_HEAD                                                                             \
    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<32>; .reg .b64 %d<16>; .reg .f32 %f<16>; " \
    ".reg .f64 %g<16>; .reg .pred %q<4>;\n"
#define CORE_RIG_TAIL "\nret;\n}\n"
#define CORE_RIG_KERNEL(instructions) CORE_RIG_HEAD instructions CORE_RIG_TAIL
char *core_rig_kernel(const char *instructions); /* the caller frees it */

struct core_rig;

typedef struct core_mock {
    struct core_rig *rig;
    ww_port in;
    ww_port *out;
    ww_task task;
    ww_tick latency; /* ticks */
    ww_tick hold;    /* takes nothing before this tick */
    bool missed;     /* what it answers was a miss */
    /* Before it answers: may change the request; returns how often to send it. NULL: once. */
    unsigned (*spoil)(ww_request *request);
    uint64_t base;    /* address from which the log counts */
    uint64_t arrived; /* requests */
    ww_tick last;     /* when the last reply arrives */
    size_t used;
    char log[CORE_RIG_LOG];
} core_mock;

typedef struct core_rig {
    ww_cu_config config; /* may be changed until core_rig_load */
    bool warm;
    bool refuse; /* the L1 says that it is out of miss registers */
    unsigned groups, group;
    uint64_t dynamic_shared;
    const char *scheduler;
    const char *setting;       /* -s, or NULL */
    const ww_mapping *mapping; /* that checked mode compares with */

    ww_engine *engine;
    ww_request_pool *pool;
    ww_checker *check; /* always on */
    ww_config *keys;
    ww_memory *memory;
    ww_module *module;
    ww_analysis *analysis;
    ww_program *program;
    ww_timed_code *code;
    ww_executor *executor;
    ww_errors *errors;
    ww_launch launch;
    uint64_t params[8]; /* of the kernel; the first is the buffer's address */
    ww_cu_launch cu_launch;
    ww_cu_counters counters; /* at the end of the last step */
    uint64_t instructions;
    ww_cu *cu;
    core_mock data, instruction, scalar;
    tlb_mock tlb, scalar_tlb; /* `link` and the like may be changed until core_rig_load */
    ww_mapping tlb_mapping;   /* that of the TLB */
    uint64_t memory_instructions;
    ww_walk_records *walk_records;
    ww_fault_handler faults;
    ww_cu_walker *walker; /* set by prepare_vm; NULL: there is none */
    /* Instead of the mocks: sets `mapping`, `data_tlb` and `mmu_records`. NULL: there is none. */
    void (*prepare_vm)(struct core_rig *rig);
    ww_tlb_link data_tlb;
    ww_walk_records *mmu_records;
    ww_task dispatch;
    ww_scheduler spy;
    uint64_t started, done, issues;
    uint64_t first_issue, last_issue; /* cycles */
    int status;
    size_t used;
    char log[CORE_RIG_LOG];
} core_rig;

/* 32 lanes, 8 slots, one scheduler (rr), one issue a cycle, every unit with latency 4 and interval
 * 1, memory that answers after 10 ticks, warm; one group of 32. */
void core_rig_init(core_rig *rig);
/* Makes the compute unit and the kernel ready. */
void core_rig_load(core_rig *rig, const char *text);
/* Runs what is before `limit`; false when nothing is due any more. Groups start at tick 0 and when
 * slots are free, so that the first can issue in the first cycle after it. */
bool core_rig_step(core_rig *rig, ww_tick limit);
/* Runs until all groups have ended and nothing is due; more than 1,000,000 ticks fail the test. */
void core_rig_run(core_rig *rig);
/* The laws of the counters hold, and nothing is in flight. */
void core_rig_end(core_rig *rig);
/* Runs what must fail in checked mode, with one line that has `words` in it. */
void core_rig_fail(core_rig *rig, const char *text, const char *words);
/* Ends without checks. */
void core_rig_drop(core_rig *rig);

/* Loads and runs. */
void core_rig_play(core_rig *rig, const char *text);
void core_rig_expect(const core_rig *rig, const char *log);

#endif
