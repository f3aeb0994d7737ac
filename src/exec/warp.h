/* Warps and groups in execution: registers, divergent lanes, barriers.
 *
 * split      lanes of a warp that share a program counter; a warp starts as one split
 * join       a split that waits at a reconvergence point (or after a call) for its children, the
 *            splits that hold its lanes
 * live lane  one that has not ended
 * A divergent branch makes its split a join at the immediate post-dominator with two children. A
 * child that arrives there is freed; when the last one has arrived, the join continues with all its
 * lanes. While a split waits at a barrier, other splits of its warp run: barriers count work-items,
 * not warps.
 * Each lane of a join belongs to a child or has arrived; lanes that exit leave all splits. */
#ifndef WW_EXEC_WARP_H
#define WW_EXEC_WARP_H

#include "exec/rows.h"
#include "exec/storage.h"
#include "exec/uop.h"

#define WW_MOST_LANES 64
#define WW_BARRIERS 16
#define WW_NO_SPLIT (-1)

typedef enum ww_split_state {
    WW_SPLIT_FREE,
    WW_SPLIT_READY,
    WW_SPLIT_JOIN,
    WW_SPLIT_BARRIER,
    WW_SPLIT_WARP_BARRIER,
} ww_split_state;

typedef struct ww_split {
    uint64_t lanes;
    uint32_t pc;
    uint32_t reconverge; /* pc at which it joins its parent; WW_NO_PC: at its end */
    int32_t parent;      /* WW_NO_SPLIT: none */
    uint32_t children;
    uint32_t frame;  /* start of the local frame */
    uint16_t code;   /* function */
    uint8_t state;   /* ww_split_state */
    uint8_t barrier; /* the one it waits at */
    bool is_call;    /* a join that waits for a call to return */
    uint64_t age;    /* order of creation: the youngest ready split runs */
    uint8_t *saved;  /* registers of the caller, for recursion; or NULL */
} ww_split;

/* The lanes of a split that continue at one program counter. */
typedef struct ww_way {
    uint64_t lanes;
    uint32_t pc;
} ww_way;

typedef struct ww_barrier {
    uint32_t arrived;  /* work-items */
    uint32_t expected; /* 0: all that are alive */
    uint32_t count;    /* of true predicates, for bar.red */
} ww_barrier;

struct ww_group;

typedef struct ww_warp {
    struct ww_group *group;
    uint8_t *rows;
    uint64_t *predicates;
    uint8_t *local; /* [lane][kernel->local_bytes] */
    uint64_t lanes; /* those that exist */
    uint64_t lane_count;
    uint64_t live;
    uint64_t carry;
    ww_split *splits;
    uint32_t split_capacity;
    int32_t current; /* the ready split that runs, or WW_NO_SPLIT */
    uint32_t index;  /* in the group */
    uint64_t age;
    uint64_t executed;          /* instructions */
    uint64_t fingerprint;       /* of an earlier state, for finding loops without progress */
    uint64_t fingerprint_count; /* states that could be compared, so far */
    bool spent;                 /* has used up its quantum */
    bool looping;               /* was seen in the same state twice while no memory changed */
} ww_warp;

typedef struct ww_group {
    uint64_t number; /* in launch order */
    uint32_t id[3];
    uint8_t *shared;
    ww_warp *warps;
    uint32_t warp_count;
    bool fresh;       /* was never started: the rows of lane specials are not filled */
    uint32_t live;    /* work-items */
    uint32_t running; /* warps that are not finished */
    ww_barrier barriers[WW_BARRIERS];
} ww_group;

/* What the last memory instruction accessed, lane by lane: the result of its step, which the timing
 * model charges. An asynchronous copy's is what it reads. Valid until the next instruction. */
typedef struct ww_access {
    uint64_t lanes; /* that accessed memory; 0: none, and the other members mean nothing */
    uint8_t space;  /* ww_space, of the instruction */
    uint8_t bytes;  /* a lane */
    bool sequence;  /* lanes are known to access consecutive elements, which are aligned */
    bool physical;  /* addresses need no translation; a program's always do */
    _Alignas(64) uint64_t address[WW_MOST_LANES];
} ww_access;

/* Host addresses of the lanes of an access: row[lane] + bias. */
typedef struct ww_hosts {
    const uint64_t *row;
    uint64_t bias;
} ww_hosts;

/* Everything that executing an instruction needs. One for each program. */
typedef struct ww_executor {
    const ww_kernel *kernel;
    ww_memory *memory;
    ww_storage *storage;
    const ww_row_tools *tools;
    unsigned width;
    unsigned blocks;
    uint64_t shared_bytes; /* of a group, static and dynamic */
    const uint8_t *params;
    uint64_t param_bytes;
    uint64_t argument_address; /* of the parameter block in memory; 0: it is in its window only */
    uint32_t group_size[3];
    const ww_buffer **hints; /* by program counter: the buffer it touched last */
    ww_exec_counters *counters;
    uint64_t categories[WW_CATEGORY_COUNT];
    FILE *output;  /* of kernels */
    bool silent;   /* it is dropped */
    bool released; /* a barrier has released warps */
    bool watching; /* stores that change memory set `changed` */
    bool changed;
    ww_errors *errors;
    /* After each memory instruction: `access` is what it accessed. NULL: no one is told. */
    void (*accessed)(void *context, const ww_warp *warp, uint32_t pc);
    void *accessed_context;
    ww_access access;
    _Alignas(64) uint64_t hosts[WW_MOST_LANES]; /* of an access whose lanes have no common bias */
    _Alignas(64) uint64_t scratch[WW_MOST_LANES];
    _Alignas(64) uint64_t scratch2[WW_MOST_LANES];
} ww_executor;

static inline bool ww_warp_is_ready(const ww_warp *warp)
{
    return warp->current != WW_NO_SPLIT;
}

/* How many lanes of the warp these are: most often all. */
static inline uint64_t ww_warp_count_lanes(const ww_warp *warp, uint64_t lanes)
{
    return lanes == warp->lanes ? warp->lane_count : (uint64_t)__builtin_popcountll(lanes);
}

/* Counts an instruction of ww_warp_compute as executed. */
static inline void ww_count_computed(ww_executor *x, uint64_t lanes)
{
    x->counters->warp_instructions++;
    x->counters->thread_instructions += lanes;
    x->categories[WW_CATEGORY_ARITHMETIC]++;
}

static inline void *ww_row_at(const ww_executor *x, const ww_warp *w, ww_slot slot)
{
    return slot >= 0 ? w->rows + slot : x->kernel->constant_rows + ~slot;
}

static inline uint64_t ww_predicate(const ww_warp *w, const ww_uop *u)
{
    uint64_t value = w->predicates[u->c];
    return u->flags & WW_UOP_NEGATE_C ? ~value : value;
}

static inline void ww_set_predicate(ww_warp *w, ww_slot index, uint64_t value, uint64_t lanes)
{
    w->predicates[index] = (w->predicates[index] & ~lanes) | (value & lanes);
}

/* Writes a computed row to a register for some lanes. */
static inline void ww_write_row(const ww_executor *x, ww_warp *w, ww_slot d, const void *row,
                                uint64_t lanes, bool wide)
{
    (wide ? x->tools->blend64 : x->tools->blend32)(w->rows + d, row, lanes, x->blocks);
}

/* Begins a launch whose warps the caller drives: checks it and prepares the executor. NULL with
 * errors when the launch is invalid. Only one launch at a time: end it before the next begin. */
ww_executor *ww_program_begin(ww_program *program, const ww_launch *launch, ww_errors *errors);
void ww_program_end(ww_program *program);

/* Groups (group.c). A group's storage is allocated once and reused for the groups after it. */
ww_group *ww_group_create(const ww_executor *x);
void ww_group_destroy(const ww_executor *x, ww_group *group);
void ww_group_start(const ww_executor *x, ww_group *group, uint64_t number, const uint32_t *id);
/* For a group without a ready warp: some lanes wait at a barrier, others at a join for those lanes.
 * Lanes at joins that returned before the barrier only have to end, and this function lets them.
 * x->released says whether that completed a barrier. If not, *elsewhere is the pc of a lane that
 * went around the barrier, or WW_NO_PC. */
int ww_group_unblock(ww_executor *x, ww_group *group, uint32_t *elsewhere);
/* After an unblock that completed no barrier: the fault of a barrier that is never complete. */
int ww_group_report_barrier(ww_executor *x, const ww_group *group, uint32_t elsewhere);

/* Runs the warp until it is not ready, or `budget` instructions have run. */
int ww_warp_run(ww_executor *x, ww_warp *warp, uint64_t budget);
/* Runs one instruction of a ready warp that has reconverged, and reconverges it again. After a
 * memory instruction without a fault, x->access is what it accessed. */
int ww_warp_step(ww_executor *x, ww_warp *warp);
/* Executes the instructions of a ready warp that has reconverged up to the first that does not only
 * compute (compute.h), in all lanes of the current split. Returns how many. The split's program
 * counter is after them: reconverge when the last one counts as executed. Counts nothing. */
uint32_t ww_warp_compute(ww_executor *x, ww_warp *warp);
/* Joins the splits that are at their reconvergence points. Then the current split, if there is one,
 * is at the instruction that runs next. */
void ww_warp_reconverge(ww_executor *x, ww_warp *warp);

/* Loops without progress (progress.c). While x->watching, stores note whether they change memory,
 * and a warp that returns to a state it was in since ww_warp_watch is `looping`. */
void ww_warp_watch(ww_warp *warp);
bool ww_warp_was_here_before(const ww_executor *x, ww_warp *warp);
/* Which of two warps to report for a lack of progress: ready warps before others, and of these
 * warps with waiting lanes first. `shown` may be NULL. */
const ww_warp *ww_warp_to_show(const ww_warp *shown, const ww_warp *warp);
int ww_report_no_progress(ww_executor *x, const ww_warp *warp);

/* Splits (split.c). All leave warp->current at the split that runs next. */
void ww_split_start(ww_warp *warp, uint32_t pc, uint64_t lanes);
void ww_split_fork(ww_warp *warp, const ww_way *ways, unsigned count, uint32_t reconverge);
void ww_split_arrive(ww_warp *warp);                              /* current is at its join */
void ww_split_leave(ww_warp *warp, uint64_t lanes, bool of_call); /* lanes end, or return */
ww_split *ww_split_call(ww_warp *warp, uint64_t lanes, uint32_t target, uint32_t next);
int32_t ww_split_new(ww_warp *warp, int32_t parent, uint64_t lanes, uint32_t pc,
                     uint32_t reconverge);
void ww_split_choose(ww_warp *warp);
/* Makes a ready split of the lanes that have arrived at a join, so that they stop waiting for the
 * other lanes. False when no join has such lanes. */
bool ww_split_detach_arrived(ww_warp *warp);

/* Instructions that are not lane arithmetic: return WW_OK or a fault's status. */
int ww_exec_load(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_store(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_atomic(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_async_copy(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_across(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_barrier(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_call(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_call_indirect(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
int ww_exec_return(ww_executor *x, ww_warp *w, uint64_t lanes);
void ww_exec_resume(ww_executor *x, ww_warp *w, ww_split *join); /* a call's join continues */
int ww_exec_print(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
/* The fault of a lane that calls __assertfail. */
int ww_exec_assertion(ww_executor *x, const ww_warp *w, const ww_uop *u, int lane);
void ww_exec_exit(ww_executor *x, ww_warp *w, uint64_t lanes);

/* Computes the addresses of a memory operand into x->access. False: no lane accesses memory. */
bool ww_exec_addresses(ww_executor *x, const ww_warp *w, const ww_uop *u, uint64_t lanes);
/* Checks them and finds their host addresses. The addresses of lanes in x->access do not change,
 * unless there is a fault. */
int ww_exec_resolve(ww_executor *x, ww_warp *w, const ww_uop *u, bool write, ww_hosts *hosts);

/* A fault of the simulated program at the current instruction (fault.c). Lane -1: the warp. */
int ww_fault(ww_executor *x, const ww_warp *w, int lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int ww_fault_at(ww_executor *x, const ww_warp *w, uint32_t pc, int lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Writes the location of a program counter into `text`: "x.cl:12" or "PTX line 40". */
const char *ww_pc_location(const ww_executor *x, uint32_t pc, char *text, size_t size);

#endif
