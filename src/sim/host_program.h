/* A host program: what drives a device, from a launch file or from the catalogue. It can run many
 * times, each time on a new device. */
#ifndef WW_SIM_HOST_PROGRAM_H
#define WW_SIM_HOST_PROGRAM_H

#include "base/hash.h"
#include "host/launch_file.h"
#include "workload/catalogue.h"

typedef struct ww_host_program {
    const ww_launch_file *file; /* NULL: a workload of the catalogue */
    const ww_choice *choice;
    const ww_module *module;
    size_t launches; /* 0: not known before a run */
} ww_host_program;

typedef struct ww_host_program_options {
    uint64_t seed;
    bool verify;
    bool leave_no_files;       /* dumps of a launch file are not written */
    const ww_hint_list *hints; /* override the program's own */
    json_t *hints_given;       /* hints about buffers are added, by name */
    /* After each launch; nonzero ends the run. */
    int (*launched)(void *context, size_t index, const char *entry, ww_errors *errors);
    void *context;
} ww_host_program_options;

int ww_host_program_run(const ww_host_program *program, ww_device *device,
                        const ww_host_program_options *options, ww_verdict *verdict,
                        ww_errors *errors);

/* Adds all that a run's values depend on, besides the seed and warpwalk itself: kernels, sizes,
 * contents of files. */
void ww_host_program_identify(const ww_host_program *program, ww_hash128 *identity);

#endif
