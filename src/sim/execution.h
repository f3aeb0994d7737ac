/* Runs a workload of the catalogue or a launch file on a device made from a configuration: the
 * functional one, for its values alone, or the timed one. */
#ifndef WW_SIM_EXECUTION_H
#define WW_SIM_EXECUTION_H

#include "exec/exec.h"
#include "host/compile.h"
#include "host/hints.h"
#include "sim/result.h"
#include "sim/run_observer.h"

typedef struct ww_execution {
    const ww_config *config; /* outlives the result */
    const char *machine;     /* its name, for the result */
    const char *workload;    /* a name of the catalogue, or the path of a launch file */
    const char *size;        /* as after --size; NULL: the default */
    uint64_t seed;
    uint64_t max_instructions; /* 0: no limit */
    bool verify;
    const char *dump_folder; /* where dumps of a launch file go (launch_file.h); NULL: beside it */
    bool no_dump;
    bool timed;                    /* on the timed device, else on the functional one */
    ww_run_observer_options watch; /* of a timed run */
    ww_region region;              /* of a timed run; all zero: the whole */
    ww_sample sample;              /* of a timed run without a region; error 0: none */
    const ww_hint_list *hints;     /* override the program's own; NULL: none */
    FILE *output; /* of kernels and for the compiler's warnings; NULL: standard error */
    /* As in ww_exec_options; may be NULL. It is called once more at the end, with 0 groups: nonzero
     * withdraws the verdict, as a verification cannot be stopped. */
    int (*progress)(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all);
    /* After a launch, except in a first pass: what the result says of it. Nonzero stops the run.
     * May be NULL. */
    int (*launched)(void *context, const json_t *kernel);
    /* Before a launch: its number, from 1, and how many there are; 0: not known before the run. */
    void (*launch)(void *context, size_t number, size_t count);
    /* A pass begins; `first`: it only records for the next one (first_pass.h). May be NULL. */
    void (*pass)(void *context, bool first);
    void *context;
} ww_execution;

/* The compiler that the configuration names; its warnings go to `log`. */
ww_compiler *ww_compiler_configured(const ww_config *config, FILE *log);

/* Adds what the result depends on, besides the host program (ww_host_program_identify) and warpwalk
 * itself. */
void ww_execution_identify(const ww_execution *what, ww_hash128 *identity);

/* Fills the result if anything ran: to its end, right or wrong, or until it failed or was stopped.
 * Then `complete` is false, and all counters are 0 if that was in the first pass. If filled,
 * result->kernels is not NULL, and the caller clears the result. */
int ww_execute(const ww_execution *what, ww_result *result, ww_errors *errors);

#endif
