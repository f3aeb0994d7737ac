/* Internal to library*.c. */
#ifndef WW_SIM_LIBRARY_INTERNAL_H
#define WW_SIM_LIBRARY_INTERNAL_H

#include "config/machine.h"
#include "sim/execution.h"
#include "warpwalk.h"

struct ww_simulation {
    ww_config *config;
    ww_machine_file machine;
    bool machine_chosen;
    WW_VEC(char *) settings; /* KEY=VALUE, in order */
    uint64_t seed;
    uint64_t limit;
    bool no_verify;
    bool no_dump;
    char *dump_folder;
    ww_region region;
    ww_hint_list *hints;
    char *timeline;
    bool traced;
    ww_trace_selector trace;
    char *trace_file;
    ww_run_progress_fn *on_progress;
    void *progress_context;
    ww_run_progress progress;
    ww_run_launch_fn *on_launch;
    void *launch_context;
    ww_run_output_fn *on_output;
    void *output_context;
    char *result;   /* of the last run: its JSON text; NULL: nothing ran */
    json_t *values; /* the same as an object */
    char *errors;
};

/* Keeps the lines for ww_simulation_errors; takes the errors over. Returns the status. */
int ww_library_end_call(ww_simulation *simulation, int status, ww_errors *errors);
/* WW_BAD_INPUT with this line. */
int ww_library_refuse(ww_simulation *simulation, const char *what);

#endif
