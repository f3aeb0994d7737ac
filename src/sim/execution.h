/* Runs a workload of the catalogue or a launch file on a device made from a configuration: the functional one, for
 * its values alone, or the timed one. */
#ifndef WW_SIM_EXECUTION_H
#define WW_SIM_EXECUTION_H

#include "exec/exec.h"
#include "host/compile.h"
#include "sim/result.h"
#include "sim/watch.h"

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
    bool timed;             /* on a machine with time, else for the values alone */
    ww_watch_options watch; /* of a timed run */
    ww_region region;       /* of a timed run; all zero: the whole */
    /* As in ww_exec_options; may be NULL. It is asked once more at the end, with 0 groups: nonzero
     * takes the verdict back, as a verification cannot be stopped on its way. `launch` is told which launch is next, from 1, and how many
     * there are, 0 when only the run can tell. */
    int (*progress)(void *context, const ww_exec_counters *counters, uint64_t groups_done,
                    uint64_t groups_all);
    void (*launch)(void *context, size_t number, size_t count);
    /* A pass begins; `first`: one that only records what the next one has to know (first_pass.h). May be NULL. */
    void (*pass)(void *context, bool first);
    void *context;
} ww_execution;

/* The compiler that the configuration asks for. */
ww_compiler *ww_compiler_configured(const ww_config *config);

/* Adds what the result depends on, besides the host program (ww_host_program_identify) and warpwalk itself. */
void ww_execution_identify(const ww_execution *what, ww_hash128 *identity);

/* The result is filled when anything ran: to its end, right or wrong, or until it failed or was
 * stopped (`complete` is false then; it has counted nothing when that was in the first pass). result->kernels is not NULL and the caller clears it. */
int ww_execute(const ww_execution *what, ww_result *result, ww_errors *errors);

#endif
