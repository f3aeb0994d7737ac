/* warpwalk as a library: run GPU kernels from a C program.
 *
 *     ww_simulation *s = ww_simulation_create();
 *     if (ww_simulation_machine(s, "v100") == 0 &&
 *         ww_simulation_set(s, "core.scheduler=gto") == 0 &&
 *         ww_simulation_run(s, "atax", "tiny") == 0)
 *         puts(ww_simulation_result(s));
 *     else
 *         fputs(ww_simulation_errors(s), stderr);
 *     ww_simulation_destroy(s);
 *
 * Functions return 0 on success, 1 when the simulated program or the run is at fault, 2 when the
 * input is wrong; ww_simulation_errors then has a line for each reason, and nothing is printed.
 * Simulations are independent of each other: threads can run one each at the same time. Only when
 * the host has no memory left, the process ends. docs/library.md explains. Link
 * with -lwarpwalk; with the static library also with -lyaml -ljansson -lzstd -lm. */
#ifndef WARPWALK_H
#define WARPWALK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_simulation ww_simulation;

/* NULL for a simulation, or for a text that is needed, is an error: status 2. */
ww_simulation *ww_simulation_create(void);
void ww_simulation_destroy(ww_simulation *simulation);

/* How to run: a preset's name or a YAML file; then single keys; what is set later wins. A machine
 * replaces the one before; a machine or a key that is refused changes nothing. */
int ww_simulation_machine(ww_simulation *simulation, const char *machine);
int ww_simulation_set(ww_simulation *simulation, const char *key_equals_value);
void ww_simulation_seed(ww_simulation *simulation, uint64_t seed);
void ww_simulation_limit(ww_simulation *simulation, uint64_t max_warp_instructions);
/* Whether results are verified; the default is yes. */
void ww_simulation_verify(ww_simulation *simulation, int verify);
/* The folder of dumps, as after --dump-dir; "" writes none; NULL: that of the launch file. */
int ww_simulation_dump_dir(ww_simulation *simulation, const char *folder);

/* Of timed runs, as after --region, --hint, --timeline, --trace and --trace-file; NULL: none. Each
 * call of ww_simulation_hint adds hints. */
int ww_simulation_region(ww_simulation *simulation, const char *region);
int ww_simulation_hint(ww_simulation *simulation, const char *hints);
int ww_simulation_timeline(ww_simulation *simulation, const char *file);
int ww_simulation_trace(ww_simulation *simulation, const char *warp, const char *file);

/* What is called during a run, in its thread, with the context that was given. None of these
 * functions may call the simulation. */

/* Called now and then while a workload runs. Nonzero cancels the run: it returns 1, and its result
 * has `complete` false. */
typedef struct ww_run_progress {
    uint64_t warp_instructions; /* so far, of all launches */
    uint64_t launch;            /* the one that runs, from 1 */
    uint64_t launches;          /* of the workload; 0: not known before its end */
    uint64_t groups_done;       /* of the launch that runs */
    uint64_t groups;
    int first_pass; /* nonzero: this pass only records what a policy has to know */
} ww_run_progress;

typedef int ww_run_progress_fn(void *context, const ww_run_progress *progress);

/* NULL: none. */
void ww_simulation_on_progress(ww_simulation *simulation, ww_run_progress_fn *function,
                               void *context);

/* Called after each launch that came to its end, but not in a first pass. Nonzero cancels the
 * run. */
typedef struct ww_run_launch {
    const char *kernel;           /* its name; gone after the call */
    uint64_t launch;              /* from 1 */
    uint64_t launches;            /* of the workload; 0: not known before its end */
    uint64_t cycles;              /* of this launch; 0 without time */
    uint64_t warp_instructions;   /* of this launch */
    uint64_t thread_instructions; /* of this launch */
} ww_run_launch;

typedef int ww_run_launch_fn(void *context, const ww_run_launch *launch);

/* NULL: none. */
void ww_simulation_on_launch(ww_simulation *simulation, ww_run_launch_fn *function, void *context);

/* Gets what kernels print and what the compiler warns of: `bytes` bytes, not ended by a 0. */
typedef void ww_run_output_fn(void *context, const char *text, size_t bytes);

/* NULL: it goes to standard error. */
void ww_simulation_on_output(ww_simulation *simulation, ww_run_output_fn *function, void *context);

/* Runs a workload of the catalogue, or a launch file: for its values (exec), or with time (run),
 * which needs a machine. The size is as after --size; NULL for the default and for launch files. */
int ww_simulation_exec(ww_simulation *simulation, const char *workload, const char *size);
int ww_simulation_run(ww_simulation *simulation, const char *workload, const char *size);

/* Of the last run: one JSON object, as `warpwalk exec --json -` or `warpwalk run --json -` prints;
 * NULL when nothing ran. */
const char *ww_simulation_result(const ww_simulation *simulation);
/* One number of the last run: a statistic (docs/stats.md), or `cycles`, `warp_instructions`,
 * `thread_instructions`, `footprint`, `host_seconds`. A name that the run does not have: status 2,
 * and the value stays. */
int ww_simulation_statistic(ww_simulation *simulation, const char *name, double *value);
/* Of the last call: a line for each error; "" when there was none. */
const char *ww_simulation_errors(const ww_simulation *simulation);

const char *ww_version(void);

#ifdef __cplusplus
}
#endif

#endif
