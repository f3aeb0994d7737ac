/* The catalogue: all workloads by name, their sizes, and a run of one of them.
 *
 * choice   a workload and a value for each of its parameters, checked one by one; what only makes
 *          sense together is checked when the run starts
 * Every folder of kernels/ is in it; its kernel was compiled when warpwalk was built. */
#ifndef WW_WORKLOAD_CATALOGUE_H
#define WW_WORKLOAD_CATALOGUE_H

#include "host/hints.h"
#include "host/verdict.h"
#include "workload/workload.h"

#define WW_DEFAULT_SIZE "small"

/* By name, in alphabetical order. */
extern const ww_workload *const ww_catalogue[];
extern const size_t ww_catalogue_count;

const ww_workload *ww_catalogue_find(const char *name); /* NULL when there is none */
const char *ww_catalogue_nearest(const char *misspelt); /* a likely name, or NULL */
const ww_named_size *ww_workload_size(const ww_workload *workload, const char *name);

typedef struct ww_choice {
    const ww_workload *workload;
    const ww_named_size *named; /* NULL when a parameter was changed */
    char *text;                 /* as the user wrote it */
    char *words[WW_MOST_PARAMETERS];
    uint64_t numbers[WW_MOST_PARAMETERS]; /* of a choice: its index in the list */
    bool given[WW_MOST_PARAMETERS];       /* by the user's text, not by the size it starts from */
} ww_choice;

/* Reads "small", "n=4096,group=64" (from the default size) or "tiny,group=64"; NULL: the default. A
 * parameter that the chosen graph does not have is refused, as is one given twice. All errors are
 * reported at once. Free with ww_choice_clear, also after an error. */
int ww_choice_read(const ww_workload *workload, const char *text, ww_choice *choice,
                   ww_errors *errors);
void ww_choice_clear(ww_choice *choice);
/* "n=4096,group=64", to be freed: ww_choice_read of it gives the same choice. */
char *ww_choice_values(const ww_choice *choice);

typedef struct ww_workload_options {
    uint64_t seed;
    bool verify;
    const ww_hint_list *hints; /* override those of the workload */
    json_t *hints_given;       /* hints about buffers are added, by name; or NULL */
    /* Called after each launch, or NULL. A nonzero result ends the run with WW_FAILED. */
    int (*launched)(void *context, size_t index, const char *entry, ww_errors *errors);
    void *context;
} ww_workload_options;

/* The workload's kernel, ready for a device; it has to outlive the device. NULL with errors. */
ww_module *ww_workload_module(const ww_workload *workload, ww_errors *errors);

/* Runs the choice on a new device. WW_BAD_INPUT when the size makes no sense; WW_FAILED when the
 * simulated program is at fault, the result is wrong (the verdict is WW_WRONG then), or the host
 * lacks memory. */
int ww_workload_run(const ww_choice *choice, const ww_module *module, ww_device *device,
                    const ww_workload_options *options, ww_verdict *verdict, ww_errors *errors);

/* Bytes in arrays, found by allocating them without touching them; 0 with errors. */
uint64_t ww_workload_footprint(const ww_choice *choice, uint64_t seed, ww_errors *errors);

#endif
