/* Compute units: execute warps from their group's dispatch to its end, cycle by cycle.
 *
 * compute unit   (CU, SM) schedulers, functional units, local data share, and a load/store unit
 * slot           holds one warp; a scheduler owns every n-th slot
 * cycle          of the core clock; ticks are the engine's
 * attribution    for every warp and cycle, the one reason why it did not issue, or that it did
 *                (dissertation, section 3.2, Algorithm 2); the sums are the warps' lifetimes
 *
 * The executor computes values at issue (exec/); time is charged here. A compute unit ticks only in
 * cycles in which something can issue. */
#ifndef WW_CORE_CORE_H
#define WW_CORE_CORE_H

#include "config/config.h"
#include "core/code.h"
#include "core/criticality.h"
#include "core/scheduler.h"
#include "core/warp_times.h"
#include "engine/clock.h"
#include "exec/warp.h"
#include "mem/mem.h"
#include "vm/vm.h"

typedef struct ww_unit_timing {
    uint32_t latency;  /* cycles from issue to when a dependent instruction can issue */
    uint32_t interval; /* cycles from issue to when the unit takes the next instruction */
} ww_unit_timing;

typedef struct ww_cu_config {
    ww_clock clock;
    unsigned width; /* lanes of a warp */
    unsigned slots;
    unsigned schedulers;
    unsigned issue_period; /* a scheduler is active every so many cycles */
    unsigned issue_width;  /* instructions of different units, and warps, in such a cycle */
    unsigned groups;
    uint64_t registers;        /* 32-bit, lanes times registers */
    uint64_t scalar_registers; /* 32-bit; 0: there are none */
    bool scalar_unit;
    unsigned argument_block; /* bytes, as of ww_timed_code_create */
    bool end_waits;          /* likewise */
    uint64_t lds_bytes;
    unsigned lds_banks;
    unsigned lds_bank_bytes;
    unsigned lds_conflict; /* cycles for each further access to a bank */
    ww_unit_timing units[WW_UNIT_COUNT];
    unsigned instruction_bytes;
    unsigned instruction_buffer; /* instructions of a warp */
    unsigned l0_lines;           /* of a scheduler's own instruction cache; 0: it has none */
    unsigned l0_latency;         /* cycles from a fetch that hits there to the buffer */
    unsigned memory_queue;       /* memory instructions in the load/store unit, */
    unsigned address_queue;      /* and those of them with pages still to look up */
    bool holds_slots;            /* a group keeps the slots of its ended warps until it ends */
    bool rotates;                /* the scheduler that goes first rotates; else always number 0 */
    bool one_pool;               /* the policy says which goes first, if it compares all warps */
    bool in_order; /* vector memory instructions complete in the order of their issue */
    unsigned
        reorder;   /* lines of these in flight, until all older ones are answered; 0: any number */
    bool own_page; /* a data access starts when its own page is translated */
    unsigned line; /* bytes of a line: the coalescer makes a request for each */
    unsigned sector;
    unsigned requests_per_cycle; /* of the load/store unit to the L1 */
    unsigned page_shift;         /* a page has 2 to this power bytes */
    unsigned blame_every;        /* one of so many memory instructions is sampled for blame */
    bool run_ahead;              /* execute cycles early that nothing else can observe */
    bool compute_ahead;          /* execute instructions early that nothing else can observe */
    const ww_scheduler *scheduler;
    const ww_criticality *criticality; /* NULL: none */
} ww_cu_config;

/* X(name, statistic, doc): Algorithm 2's reasons, MSHRs apart from the other structural hazards. */
#define WW_REASONS(X)                                                                          \
    X(SCHEDULING, "scheduling", "could issue, or was not considered: another warp went first") \
    X(SYNCHRONISATION, "synchronisation", "at a barrier or a fence")                           \
    X(FETCH, "fetch", "no instruction in its buffer")                                          \
    X(CONTROL, "control", "a branch is not decided yet")                                       \
    X(DATA_HAZARD, "data_hazard", "an operand is not ready yet")                               \
    X(DATA_CACHE, "data_cache", "an operand comes from a load that missed in the L1")          \
    X(STRUCTURAL, "structural", "its functional unit is busy")                                 \
    X(MSHR, "mshr",                                                                            \
      "the load/store unit is full behind a request without a miss register or a way")         \
    X(EXECUTION, "execution", "issued an instruction")

typedef enum ww_reason {
#define WW_REASON_NAME(name, statistic, doc) WW_REASON_##name,
    WW_REASONS(WW_REASON_NAME)
#undef WW_REASON_NAME
        WW_REASON_COUNT
} ww_reason;

/* Recorded for the sampled instructions; blame is computed from it. */
typedef struct ww_cu_noted {
    ww_blame_sum before_l1, after_l1; /* of their answered requests */
    ww_blame_sum last;                /* of the last request of each load that missed */
    ww_blame_sum last_hit;            /* likewise of each load that hit */
    uint64_t behind_memory;           /* warps' cycles behind a full load/store unit */
} ww_cu_noted;

/* Of one compute unit; statistics add those of all. What is of all compute units together is in one
 * more of these, which has nothing else: `cycles`, `blame`, `warp_units`, `warp_blame`, `walks`,
 * `first_wave_cycles`, `imbalance`. */
typedef struct ww_cu_counters {
    uint64_t cycles;       /* in launches; the GPU adds them */
    uint64_t instructions; /* warp instructions issued */
    uint64_t lifetime;     /* cycles of all warps, from dispatch to end */
    uint64_t reasons[WW_REASON_COUNT];
    uint64_t load_hazard;              /* of DATA_HAZARD: waits for loads that hit in the L1 */
    uint64_t resident_cycles;          /* cycles of compute units with at least one warp */
    uint64_t issue_cycles;             /* of them, those with an instruction issued */
    uint64_t warp_cycles;              /* warps in slots, over resident cycles */
    uint64_t register_cycles;          /* registers of groups, over cycles */
    uint64_t scalar_register_cycles;   /* likewise */
    uint64_t lds_cycles;               /* bytes of local memory of groups, over cycles */
    uint64_t unit_busy[WW_UNIT_COUNT]; /* cycles */
    uint64_t unit_issues[WW_UNIT_COUNT];
    uint64_t unit_lanes[WW_UNIT_COUNT]; /* active, over these instructions */
    uint64_t float_lanes;               /* of the simd unit's: floating point */
    uint64_t groups;
    uint64_t warps;
    uint64_t fetches;
    uint64_t l0_hits; /* of them, served by a scheduler's own cache */
    uint64_t lds_conflict_cycles;
    uint64_t memory_instructions;
    uint64_t lines;        /* requests made of them */
    uint64_t translations; /* pages of them that were looked up */
    uint64_t load_latency; /* cycles from issue to the last value, over global loads */
    uint64_t loads;
    uint64_t stages[WW_STAGE_COUNT]; /* ticks of data requests by where they were */
    uint64_t request_ticks;          /* their sum: from made to answered */
    uint64_t blame[WW_CAUSE_COUNT];  /* the same ticks by what they waited for */
    /* What warps finally waited for in cycles of reason `structural`, `mshr` or `data_cache` and of
     * `load_hazard`. As `blame`, ww_cu_resolve_blame brings it up to date. */
    uint64_t warp_units;
    uint64_t warp_blame[WW_CAUSE_COUNT];
    uint64_t walks;             /* page walks that were completed */
    uint64_t first_wave_cycles; /* from launches to the ends of their first waves (disparity.h) */
    double imbalance; /* of compute units with a group: deviation of instructions over their mean */
    ww_cu_noted noted;
} ww_cu_counters;

/* A launch, shared by all compute units that have begun it. */
typedef struct ww_cu_launch {
    ww_executor *executor;
    const ww_timed_code *code;
    uint64_t code_address;  /* of the first instruction */
    uint16_t asid;          /* the address space that it runs in */
    uint64_t local_address; /* of the first warp slot's private memory */
    uint32_t warps;         /* of a group */
    uint64_t registers;     /* of a group */
    uint64_t scalar_registers;
    uint64_t lds_bytes;
    const ww_launch *launch;
    uint64_t number;               /* of the launch, from 1 */
    const ww_warp_times *profiled; /* of a first pass; NULL: there was none */
} ww_cu_launch;

typedef struct ww_cu ww_cu;

/* To a cache: where requests go, and the numbers by which replies find the way back. */
typedef struct ww_cu_link {
    ww_port *port;
    uint16_t source; /* of the cache, in the network */
    uint16_t sharer; /* of this compute unit, among those that share the cache */
    /* Cycles of the compute unit from when the cache sends a reply to when it arrives; 0: not
     * known. Only for instructions. */
    uint32_t latency;
} ww_cu_link;

/* To an L1 TLB. Without a port, addresses are translated in no time. */
typedef struct ww_tlb_link {
    ww_port *port;
    uint32_t latency; /* of a lookup there, in cycles */
    uint32_t lookups; /* in a cycle */
    uint16_t source;  /* of the TLB, among all L1 TLBs */
    uint16_t unit;    /* of this compute unit, among those that share it */
} ww_tlb_link;

/* A request's `warp`: the slot, and which sharer it belongs to. */
#define WW_SHARER_SHIFT 8

typedef struct ww_cu_wiring {
    ww_engine *engine;
    uint64_t *instructions;        /* issued by all compute units so far: for checks of progress */
    uint64_t *memory_instructions; /* of the whole GPU so far: their numbers */
    ww_request_pool *pool;
    ww_policy_start start; /* for its policies */
    ww_cu_link data;
    ww_cu_link instruction;
    ww_cu_link scalar; /* without a port where the machine has no scalar unit */
    ww_tlb_link data_tlb;
    ww_tlb_link scalar_tlb;
    /* Asks the owner of frames about an address, in no time (vm/driver.h: touch). False: no memory
     * is left for its page, and the run is over. NULL: physical addresses equal virtual ones. */
    bool (*touch)(void *context, uint16_t asid, uint64_t address, uint64_t *physical);
    bool walks_allocate; /* pages that are translated get their frames from walks, not by a touch */
    ww_fault_handler faults;
    ww_cu_walker *walker;          /* its own; NULL: it makes no walks */
    ww_walk_records *walk_records; /* told when all pages of an instruction are translated */
    /* Cycles before `cycle` (at most the next one) in which a request waited for a miss register
     * of the L1. */
    uint64_t (*mshr_cycles)(void *context, unsigned cu, uint64_t cycle);
    /* Whether no group starts here before a warp has ended. NULL: one may start at any time. */
    bool (*is_closed)(void *context, unsigned cu);
    /* A warp has ended, its slot is free, and its group goes on (core.slot_release: warp). */
    void (*slot_freed)(void *context, unsigned cu);
    /* A group has ended, and its resources are free. */
    void (*group_done)(void *context, unsigned cu);
    /* The program is at fault: the run stops. */
    void (*failed)(void *context, int status);
    void *context;
    const struct ww_cu_observer *observers; /* observer.h; NULL: none */
    struct ww_checker *check;               /* checked_mode.h; NULL: no checks */
} ww_cu_wiring;

ww_cu *ww_cu_create(unsigned number, const ww_cu_config *config, const ww_cu_wiring *wiring);
void ww_cu_destroy(ww_cu *cu);

/* Where the caches send their replies. */
ww_port *ww_cu_data_replies(ww_cu *cu);
ww_port *ww_cu_instruction_replies(ww_cu *cu);
ww_port *ww_cu_scalar_replies(ww_cu *cu);
/* Where L1 TLBs send their answers. */
ww_port *ww_cu_data_translations(ww_cu *cu);
ww_port *ww_cu_scalar_translations(ww_cu *cu);
/* The page's parked instructions return to their load/store unit, as soon as it has a free entry,
 * and request the page again. An instruction with faults of several pages returns after the last.
 * False: all instructions that need the page wait for another one, too. */
bool ww_cu_replay(ww_cu *cu, uint16_t asid, uint64_t page);
/* While the compute unit is blocked, its load/store units send no lookups to their L1 TLBs, except
 * those of pages that are requested again. One entry of each unit is kept for instructions that
 * return. A handler blocks when it is told of a fault, and unblocks when the page is `translated`,
 * not when the instruction is `completed`: lookups of its other pages may wait. */
void ww_cu_block(ww_cu *cu, bool blocked);
/* Invalidates translations of instructions that have requests to send: their pages are requested
 * again. Each load/store unit with requests in flight acknowledges when those are answered, since
 * they may use an old frame. Returns how many acknowledgements follow. One at a time. */
unsigned ww_cu_invalidate(ww_cu *cu, const ww_invalidation *what);
/* Whether the compute unit can make a walk (cuptw.mode). The first one of a launch that can be made
 * takes registers and local memory that the launch has left, when no group can start any more
 * before one ends. */
bool ww_cu_can_walk(ww_cu *cu);
/* The task that its walker wakes. */
ww_task *ww_cu_task(ww_cu *cu);
/* Outstanding requests of the load/store units. */
uint64_t ww_cu_requests_in_flight(const ww_cu *cu);
/* No memory instruction is in flight, or waits for a replay. */
bool ww_cu_is_quiet(const ww_cu *cu);
unsigned ww_cu_warps(const ww_cu *cu); /* in slots */
/* When a data reply came last. */
ww_tick ww_cu_last_reply(const ww_cu *cu);

/* Before groups of the launch start here, and after they have ended with all that they had in
 * flight. Groups of several launches may be resident at once; each launch has its own executor. */
void ww_cu_begin(ww_cu *cu, const ww_cu_launch *launch);
void ww_cu_end(ww_cu *cu, const ww_cu_launch *launch);

/* Whether the resources for a group of the launch are free. */
bool ww_cu_can_accept(const ww_cu *cu, const ww_cu_launch *launch);
/* Starts group `number` of a launch that has begun; ww_cu_can_accept holds. */
void ww_cu_add_group(ww_cu *cu, const ww_cu_launch *launch, uint64_t number);
/* Brings the counters up to a cycle in which nothing has happened yet, and returns it. Call it
 * before reading counters while warps are resident. The cycle is the present one, or a later one
 * when a fault stops the launch after the compute unit ran ahead. */
uint64_t ww_cu_update_stats(ww_cu *cu);
const ww_cu_counters *ww_cu_count(const ww_cu *cu);
/* Adds what the compute unit has recorded for blame to `sum`. */
void ww_cu_add_recorded(ww_cu_counters *sum, const ww_cu *cu);
/* Computes blame from what all compute units recorded since `before`, which becomes `sum`. Call it
 * before reading the counters. */
void ww_cu_resolve_blame(ww_cu_counters *blame, const ww_cu_counters *sum, ww_cu_counters *before);
/* Begins to watch all warps for loops without progress (exec/warp.h). */
void ww_cu_watch_loops(ww_cu *cu);
/* Whether all warps that can run are looping. *shown becomes the warp to report if it is a better
 * one than *shown. */
bool ww_cu_only_loops(const ww_cu *cu, const ww_warp **shown);
/* No warp is resident, and every store has been acknowledged. */
bool ww_cu_is_idle(const ww_cu *cu);

/* WW_OK when a group of the launch fits into an empty compute unit. */
int ww_cu_check_fit(const ww_cu_config *config, const ww_cu_launch *launch, ww_errors *errors);

#endif
