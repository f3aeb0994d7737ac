/* Functional execution: runs a launch to its end, with exact results and without time.
 *
 * program   a module ready to run: micro-ops for one warp width, its variables allocated in a
 *           simulated memory
 * launch    one kernel invocation: entry, grid, group, parameter bytes
 * group     a work-group (thread block); warp: `width` lanes of a group; lane: a work-item
 * The timing model drives warps one instruction at a time through warp.h; this header is for
 * callers that only need the result. */
#ifndef WW_EXEC_EXEC_H
#define WW_EXEC_EXEC_H

#include "base/error.h"
#include "exec/lane.h"
#include "exec/memory.h"
#include "ptx/module.h"

typedef struct ww_program ww_program;

/* Most work-items in a group, as in CUDA and common OpenCL devices. */
#define WW_MOST_GROUP 1024

typedef struct ww_launch {
    const char *entry;
    uint32_t groups[3];        /* grid, in groups */
    uint32_t group[3];         /* group, in work-items */
    uint32_t global_offset[3]; /* OpenCL's global work offset */
    uint32_t work_dim;         /* OpenCL's get_work_dim: 1 to 3 */
    const uint8_t *params;     /* the entry's parameter block, function->param_bytes long */
    uint64_t dynamic_shared;   /* bytes after the static .shared ones */
    ww_where at;               /* location of the launch, for errors */
} ww_launch;

/* X(field, statistic, unit, doc): counted by every execution. */
#define WW_EXEC_COUNTERS(X)                                                                      \
    X(warp_instructions, "exec.warp_instructions", "instructions", "warp instructions executed") \
    X(thread_instructions, "exec.thread_instructions", "instructions",                           \
      "instructions executed times active lanes")                                                \
    X(arithmetic, "exec.arithmetic", "instructions", "arithmetic, moves and comparisons")        \
    X(memory, "exec.memory", "instructions", "loads, stores and atomics of any space")           \
    X(control, "exec.control", "instructions", "branches, calls, returns and exits")             \
    X(synchronisation, "exec.synchronisation", "instructions",                                   \
      "barriers, fences, shuffles and votes")                                                    \
    X(branches, "exec.branches", "instructions", "conditional branches executed")                \
    X(divergent_branches, "exec.divergent_branches", "instructions",                             \
      "conditional branches that split their warp")                                              \
    X(global_loads, "exec.global_loads", "instructions", "loads from global or constant memory") \
    X(global_stores, "exec.global_stores", "instructions", "stores to global memory")            \
    X(shared_accesses, "exec.shared_accesses", "instructions", "accesses to shared memory")      \
    X(local_accesses, "exec.local_accesses", "instructions", "accesses to local memory")         \
    X(atomics, "exec.atomics", "instructions", "atomic operations")                              \
    X(barriers, "exec.barriers", "instructions", "group barriers executed")                      \
    X(groups, "exec.groups", "groups", "work-groups executed")                                   \
    X(warps, "exec.warps", "warps", "warps executed")

typedef struct ww_exec_counters {
#define WW_COUNTER_FIELD(field, name, unit, doc) uint64_t field;
    WW_EXEC_COUNTERS(WW_COUNTER_FIELD)
} ww_exec_counters;

typedef struct ww_exec_options {
    unsigned width;                 /* lanes a warp, 1 to 64 */
    ww_lane_level level;            /* which build of the lane operators */
    uint64_t max_instructions;      /* over the program's life; 0: no limit */
    const struct ww_order *order;   /* which group and warp runs next (order.h) */
    const struct ww_config *config; /* for the order's own keys */
    struct ww_policies *policies;   /* of the simulation (config/policy.h); NULL: not recorded */
    uint64_t seed;                  /* for the order */
    FILE *output;                   /* of kernels; NULL: standard error */
    bool silent;                    /* output of kernels is dropped */
    bool loads_arguments;           /* ld.param accesses memory; else it is a move */
    /* Called after a warp has run, with the counters so far; a nonzero result stops the run. */
    int (*progress)(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all);
    void *progress_context;
} ww_exec_options;

/* Decodes all entries, allocates and initialises the module's .global and .const variables. The
 * module and the memory outlive the program. NULL with errors when a call is unresolved, an image
 * is used, or an instruction cannot run at this width. */
ww_program *ww_program_create(const ww_module *module, ww_memory *memory,
                              const ww_exec_options *options, ww_errors *errors);
/* Frees what launches keep for later ones; the next launch allocates it again. */
void ww_program_trim(ww_program *program);
void ww_program_destroy(ww_program *program);

/* Runs one launch to its end. WW_BAD_INPUT when the launch is invalid (sizes, limits); WW_FAILED
 * when the simulated program is at fault: the error names kernel, PTX line, source line if known,
 * group, lane, address and nearest buffer.
 * A module that has a .const variable `__ww_launch_state` (16 bytes, .extern) reads there, as
 * four u32, work_dim and global_offset[0..2] of the launch that runs. */
int ww_program_run(ww_program *program, const ww_launch *launch, ww_errors *errors);

/* The .shared address at which the dynamic part of an entry's launches starts: arguments declared
 * `.ptr .shared` point there. */
int ww_program_dynamic_shared(ww_program *program, const char *entry, ww_where at,
                              uint64_t *address, ww_errors *errors);

/* The memory of a .global or .const variable of the module, by its index there; NULL for others.
 * The buffer of a .const one may be larger than its variable. */
const ww_buffer *ww_program_variable(const ww_program *program, uint32_t index);

const ww_exec_counters *ww_program_counters(const ww_program *program);

#endif
