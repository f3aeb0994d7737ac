/* Compute units: warps from their group's dispatch to its end, cycle by cycle.
 *
 * compute unit   (CU, SM) schedulers, functional units, local data share, and a load/store unit
 * slot           a place for a warp; a scheduler owns every n-th one
 * cycle          of the core clock; ticks are the engine's
 * attribution    for every warp and cycle, the one reason why it did not issue, or that it did
 *                (dissertation, section 3.2, Algorithm 2); the sums are exactly the warps' lifetimes
 *
 * Values happen at issue (exec); time is charged here. A compute unit ticks only in cycles in which something
 * can issue. */
#ifndef WW_CORE_CORE_H
#define WW_CORE_CORE_H

#include "config/config.h"
#include "core/code.h"
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

typedef struct ww_core_config {
    ww_clock clock;
    unsigned width; /* lanes of a warp */
    unsigned slots;
    unsigned schedulers;
    unsigned issue_period; /* a scheduler's turn comes every so many cycles */
    unsigned issue_width;  /* instructions of different units, and warps, in a turn */
    unsigned groups;
    uint64_t registers;        /* 32-bit, lanes times registers */
    uint64_t scalar_registers; /* 32-bit; 0: there are none */
    bool scalar_unit;
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
    unsigned address_queue;      /* and those of them that have not asked for all their pages */
    bool rotates;                /* schedulers are served first in turn, not the first one always */
    bool in_order; /* vector memory instructions complete in the order of their issue */
    bool own_page; /* a data access starts when its own page is translated */
    unsigned line; /* bytes that the coalescer makes a request for */
    unsigned sector;
    unsigned requests_per_cycle; /* of the load/store unit to the L1 */
    unsigned page_shift;         /* a page has 2 to this power bytes */
    unsigned blame_every;        /* memory instructions: one of so many is followed */
    bool run_ahead;              /* several cycles at a time while nothing from outside can come */
    const ww_scheduler *scheduler;
} ww_core_config;

/* X(name, statistic, doc): Algorithm 2's reasons, MSHRs apart from the other structural hazards. */
#define WW_REASONS(X)                                                                         \
    X(SCHEDULING, "scheduling", "could issue, or was not looked at: another warp went first") \
    X(SYNCHRONISATION, "synchronisation", "at a barrier or a fence")                          \
    X(FETCH, "fetch", "no instruction in its buffer")                                         \
    X(CONTROL, "control", "a branch is not decided yet")                                      \
    X(DATA_HAZARD, "data_hazard", "an operand is not there yet")                              \
    X(DATA_CACHE, "data_cache", "an operand comes from a load that missed in the L1")         \
    X(STRUCTURAL, "structural", "its functional unit is busy")                                \
    X(MSHR, "mshr", "the load/store unit is full behind a request without a miss register")   \
    X(EXECUTION, "execution", "issued an instruction")

typedef enum ww_reason {
#define WW_REASON_NAME(name, statistic, doc) WW_REASON_##name,
    WW_REASONS(WW_REASON_NAME)
#undef WW_REASON_NAME
        WW_REASON_COUNT
} ww_reason;

/* What `blame` and `warp_blame` are made of: what was noted of the instructions that are followed. */
typedef struct ww_core_waits {
    struct ww_core_noted {
        ww_blame_sum before_l1, after_l1; /* of their requests that were answered */
        ww_blame_sum last;                /* of the last request of each load that missed */
        uint64_t behind_memory;           /* warps' cycles behind a full load/store unit */
    } noted, settled;                     /* so far, and when it was settled last */
    uint64_t settled_ticks, settled_reasons[WW_REASON_COUNT];
} ww_core_waits;

/* Counted by all compute units together. */
typedef struct ww_core_counters {
    uint64_t cycles;       /* in launches: who runs them adds it */
    uint64_t instructions; /* warp instructions issued */
    uint64_t lifetime;     /* cycles of all warps, from dispatch to end */
    uint64_t reasons[WW_REASON_COUNT];
    uint64_t resident_cycles;          /* cycles of compute units with at least one warp */
    uint64_t issue_cycles;             /* of them, those with an instruction issued */
    uint64_t warp_cycles;              /* warps in slots, over resident cycles */
    uint64_t unit_busy[WW_UNIT_COUNT]; /* cycles */
    uint64_t unit_issues[WW_UNIT_COUNT];
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
    uint64_t blame[WW_CAUSE_COUNT];  /* the same ticks by what they waited for, when settled */
    /* Of the reasons `structural`, `mshr` and `data_cache`: what warps waited for in the end, when settled. */
    uint64_t warp_units;
    uint64_t warp_blame[WW_CAUSE_COUNT];
    ww_core_waits waits;
} ww_core_counters;

/* One launch, shared by all compute units while it runs. */
typedef struct ww_core_launch {
    ww_executor *executor;
    const ww_timed_code *code;
    uint64_t code_address;  /* of the first instruction */
    uint64_t local_address; /* of the first warp slot's private memory */
    uint32_t warps;         /* of a group */
    uint64_t registers;     /* of a group */
    uint64_t scalar_registers;
    uint64_t lds_bytes;
    const ww_launch *launch;
    uint64_t number;               /* of the launch, from 1 */
    const ww_warp_times *foretold; /* of a first pass; NULL: there was none */
} ww_core_launch;

typedef struct ww_core ww_core;

/* To a cache: where requests go, and what they carry so that their replies come back. */
typedef struct ww_core_link {
    ww_port *port;
    uint16_t source; /* of the cache, in the network */
    uint16_t sharer; /* of this compute unit, among those that share the cache */
} ww_core_link;

/* To an L1 TLB; without a port where addresses are translated at once. */
typedef struct ww_tlb_link {
    ww_port *port;
    uint32_t latency; /* of a lookup there, in cycles */
    uint32_t lookups; /* in a cycle */
    uint16_t source;  /* of the TLB, among all L1 TLBs */
    uint16_t unit;    /* of this compute unit, among those that share it */
} ww_tlb_link;

/* A request's `warp`: the slot, and which sharer it belongs to. */
#define WW_SHARER_SHIFT 8

typedef struct ww_core_wiring {
    ww_engine *engine;
    uint64_t *memory_instructions; /* of the whole GPU so far: their numbers */
    ww_request_pool *pool;
    ww_core_counters *counters;
    const ww_config *config; /* for policies */
    ww_core_link data;
    ww_core_link instruction;
    ww_core_link scalar; /* without a port where the machine has no scalar unit */
    ww_tlb_link data_tlb;
    ww_tlb_link scalar_tlb;
    /* The physical address of a virtual one, whose page has a frame after this. False: there is no memory for it, and
     * the run is over. NULL: every address is its own place. */
    bool (*place)(void *context, uint64_t address, uint64_t *physical);
    /* All pages of a memory instruction are translated. */
    void (*translated)(void *context, const ww_story *story);
    /* Cycles before `cycle`, which is not later than the next, in which a request waited for a miss register of the L1. */
    uint64_t (*mshr_cycles)(void *context, unsigned core, uint64_t cycle);
    /* No group will come before one has ended. NULL: one may come at any time. */
    bool (*is_closed)(void *context, unsigned core);
    /* A group has ended, or room for one was freed. */
    void (*group_done)(void *context, unsigned core);
    /* The program is at fault: nothing goes on after this. */
    void (*failed)(void *context, int status);
    void *context;
    const struct ww_core_observer *observers; /* observer.h; NULL: nobody looks */
    struct ww_check *check;                   /* check.h; NULL: nothing is checked */
} ww_core_wiring;

ww_core *ww_core_create(unsigned number, const ww_core_config *config,
                        const ww_core_wiring *wiring);
void ww_core_destroy(ww_core *core);

/* Where the caches send their replies. */
ww_port *ww_core_data_replies(ww_core *core);
ww_port *ww_core_instruction_replies(ww_core *core);
ww_port *ww_core_scalar_replies(ww_core *core);
/* Where L1 TLBs send their answers. */
ww_port *ww_core_data_translations(ww_core *core);
ww_port *ww_core_scalar_translations(ww_core *core);
/* Without a reply. */
uint64_t ww_core_requests_in_flight(const ww_core *core);
unsigned ww_core_warps(const ww_core *core); /* in slots */
/* When a data reply came last. */
ww_tick ww_core_last_reply(const ww_core *core);

/* Between launches; no group is there. */
void ww_core_begin(ww_core *core, const ww_core_launch *launch);
void ww_core_end(ww_core *core);

bool ww_core_has_room(const ww_core *core);
/* Starts group `number`; there is room. */
void ww_core_add_group(ww_core *core, uint64_t number);
/* Brings the counters up to a cycle in which nothing has happened yet, and returns it: for those who read them while warps
 * are there. It is the present cycle, or a later one when a fault stops the launch after the compute unit ran ahead. */
uint64_t ww_core_settle(ww_core *core);
/* Brings blame up to the counters: before they are read. */
void ww_core_resolve_blame(ww_core_counters *counters);
/* Loops without progress (exec/warp.h): begins to watch all warps. */
void ww_core_watch(ww_core *core);
/* Whether all warps that can run are looping. *shown becomes the one to report if it is better than what is there. */
bool ww_core_only_loops(const ww_core *core, const ww_warp **shown);
/* No warp is there, and every store has taken effect. */
bool ww_core_is_idle(const ww_core *core);

/* WW_OK when a group of the launch fits into an empty compute unit. */
int ww_core_check_fit(const ww_core_config *config, const ww_core_launch *launch,
                      ww_errors *errors);

#endif
