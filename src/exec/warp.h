/* Warps and groups in execution: registers, lanes that went different ways, barriers.
 *
 * split      lanes of a warp that are at the same place; a warp starts as one
 * join       a split that waits at a reconvergence point (or after a call) for its children, the
 *            splits that its lanes went into
 * live lane  one that has not ended
 * A branch whose lanes disagree turns its split into a join at the immediate post-dominator with
 * two children; a child that arrives there disappears, and when the last has, the join goes on with
 * all its lanes. A split that waits at a barrier lets the others of its warp run: barriers count
 * work-items, not warps.
 * The lanes of a join all belong to its children or have arrived; exited lanes leave all splits. */
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
    uint32_t reconverge; /* where it joins its parent; WW_NO_PC: at its end */
    int32_t parent;      /* WW_NO_SPLIT: none */
    uint32_t children;
    uint32_t frame;  /* start of the local frame */
    uint16_t code;   /* function */
    uint8_t state;   /* ww_split_state */
    uint8_t barrier; /* that it waits at */
    bool is_call;    /* a join that waits for a call to return */
    uint64_t age;    /* order of creation: the youngest ready split runs */
    uint8_t *saved;  /* registers of the caller, for recursion; or NULL */
} ww_split;

/* Where some lanes of a split go. */
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
    uint64_t lanes; /* that exist */
    uint64_t lane_count;
    uint64_t live;
    uint64_t carry;
    ww_split *splits;
    uint32_t split_capacity;
    int32_t current; /* the ready split that runs, or WW_NO_SPLIT */
    uint32_t index;  /* in the group */
    uint64_t age;
    uint64_t executed;         /* instructions */
    uint64_t fingerprint;      /* of an earlier state, for finding loops without progress */
    uint64_t fingerprint_turn; /* how many states were looked at */
    bool spent;                /* has used up its turn */
    bool looping;              /* was seen in the same state twice while no memory changed */
} ww_warp;

typedef struct ww_group {
    uint64_t number; /* in launch order */
    uint32_t id[3];
    uint8_t *shared;
    ww_warp *warps;
    uint32_t warp_count;
    bool fresh;       /* was never started: the rows of lane specials are not there */
    uint32_t live;    /* work-items */
    uint32_t running; /* warps that are not finished */
    ww_barrier barriers[WW_BARRIERS];
} ww_group;

/* One memory instruction: what it touched, lane by lane. The timing model reads this. */
typedef struct ww_access {
    uint64_t lanes;
    uint8_t space; /* never GENERIC when all lanes are in one space */
    uint8_t bytes; /* a lane */
    _Alignas(64) uint64_t address[WW_MOST_LANES];
} ww_access;

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
    uint32_t group_size[3];
    const ww_buffer **hints; /* by program counter: the buffer it touched last */
    ww_exec_counters *counters;
    uint64_t categories[WW_CATEGORY_COUNT];
    bool silent;   /* what kernels print is dropped */
    bool released; /* a barrier let warps go on */
    bool watching; /* note whether stores change memory */
    bool changed;
    ww_errors *errors;
    ww_access access;
    _Alignas(64) uint64_t scratch[WW_MOST_LANES];
    _Alignas(64) uint64_t scratch2[WW_MOST_LANES];
} ww_executor;

static inline bool ww_warp_is_ready(const ww_warp *warp)
{
    return warp->current != WW_NO_SPLIT;
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

/* A launch that someone else drives, warp by warp: checks it, and makes the executor ready for its groups. NULL with
 * errors when the launch makes no sense. Ended before the next one begins. */
ww_executor *ww_program_begin(ww_program *program, const ww_launch *launch, ww_errors *errors);
void ww_program_end(ww_program *program);

/* Groups (group.c). Storage is made once and used for one group after the other. */
ww_group *ww_group_create(const ww_executor *x);
void ww_group_destroy(const ww_executor *x, ww_group *group);
void ww_group_start(const ww_executor *x, ww_group *group, uint64_t number, const uint32_t *id);
/* No warp of the group is ready: some lanes wait at a barrier, others where those would meet them
 * again. Of the latter, lets those end that have nothing left to do: they returned before the
 * barrier. x->released says whether that completed a barrier. If not, *elsewhere is where a lane
 * without the barrier has come to, or WW_NO_PC. */
int ww_group_unblock(ww_executor *x, ww_group *group, uint32_t *elsewhere);
/* After an unblock that completed nothing: the fault of those that wait for others that never come. */
int ww_group_report_barrier(ww_executor *x, const ww_group *group, uint32_t elsewhere);

/* Runs the warp until it cannot go on, or `budget` instructions have run. */
int ww_warp_run(ww_executor *x, ww_warp *warp, uint64_t budget);
/* Runs one instruction of a warp that is ready and settled, and settles it again. */
int ww_warp_step(ww_executor *x, ww_warp *warp);
/* Splits that have come to where they join do so: then the current split, if there is one, is at the instruction that
 * runs next. */
void ww_warp_settle(ww_executor *x, ww_warp *warp);

/* Loops without progress (progress.c). While x->watching, stores note whether they change memory, and a warp that comes
 * back to a state it was in since its watch began is `looping`. */
void ww_warp_watch(ww_warp *warp); /* its watch begins */
bool ww_warp_was_here_before(const ww_executor *x, ww_warp *warp);
/* Which of two warps shows better why nothing goes on; `shown` may be NULL, and is the result for a warp that is not
 * ready. */
const ww_warp *ww_warp_to_show(const ww_warp *shown, const ww_warp *warp);
int ww_report_no_progress(ww_executor *x, const ww_warp *warp);

/* Splits (split.c). All leave warp->current at the split that runs next. */
void ww_split_start(ww_warp *warp, uint32_t pc, uint64_t lanes);
void ww_split_fork(ww_warp *warp, const ww_way *ways, unsigned count, uint32_t reconverge);
void ww_split_arrive(ww_warp *warp);                              /* current has reached its join */
void ww_split_leave(ww_warp *warp, uint64_t lanes, bool of_call); /* lanes end, or return */
ww_split *ww_split_call(ww_warp *warp, uint64_t lanes, uint32_t target, uint32_t next);
int32_t ww_split_new(ww_warp *warp, int32_t parent, uint64_t lanes, uint32_t pc,
                     uint32_t reconverge);
void ww_split_choose(ww_warp *warp);
/* Lanes that have arrived at a join do not wait for the others any longer; false when there are
 * none. */
bool ww_split_go_alone(ww_warp *warp);

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
void ww_exec_resume(ww_executor *x, ww_warp *w, ww_split *join); /* a call's join goes on */
int ww_exec_print(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);
/* The fault of a lane that calls __assertfail. */
int ww_exec_assertion(ww_executor *x, const ww_warp *w, const ww_uop *u, int lane);
void ww_exec_exit(ww_executor *x, ww_warp *w, uint64_t lanes);

/* The addresses of a memory operand, into x->access; then where they are on the host. */
void ww_exec_addresses(ww_executor *x, const ww_warp *w, const ww_uop *u, uint64_t lanes);
/* Sets *bias so that access.address[lane] + *bias is a host address for each lane. */
int ww_exec_resolve(ww_executor *x, ww_warp *w, const ww_uop *u, unsigned bytes, bool write,
                    uint64_t *bias);

/* A fault of the simulated program at the current instruction (fault.c). Lane -1: the warp. */
int ww_fault(ww_executor *x, const ww_warp *w, int lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int ww_fault_at(ww_executor *x, const ww_warp *w, uint32_t pc, int lane, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* "x.cl:12" or "PTX line 40": where a program counter comes from; into `text`. */
const char *ww_place_of(const ww_executor *x, uint32_t pc, char *text, size_t size);

#endif
