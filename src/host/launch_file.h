/* Launch files: a host program without a line of C (docs/launch-files.md).
 *
 * launch file   a kernel source, buffers with their contents, launches, results to write or check
 * parameter     a number with a name, that --size can set and expressions in the file can use
 * A file is read and checked as a whole, its kernel compiled and its arguments compared with the
 * entries' parameters, before anything runs. It can be run many times, on any kind of device. */
#ifndef WW_HOST_LAUNCH_FILE_H
#define WW_HOST_LAUNCH_FILE_H

#include "base/hash.h"
#include "config/config.h"
#include "host/compile.h"
#include "host/device.h"
#include "host/hints.h"
#include "host/verdict.h"

typedef struct ww_launch_file ww_launch_file;

typedef struct ww_launch_file_options {
    uint64_t seed;             /* of random fills that have no seed of their own */
    bool verify;               /* false: `check` is skipped */
    bool no_dump;              /* `dump` is skipped */
    const ww_hint_list *hints; /* override those of the file */
    json_t *hints_given;       /* hints about buffers are added, by name; or NULL */
    /* Called after each launch, or NULL. A nonzero result ends the run with WW_FAILED. */
    int (*launched)(void *context, size_t index, const char *entry, ww_errors *errors);
    void *context;
} ww_launch_file_options;

/* What the numbers of a file may depend on. */
typedef struct ww_launch_setting {
    const char *size;        /* "rounds=4,stride=2": values of parameters; NULL: the file's own */
    const ww_config *config; /* the machine */
    const char *dump_folder; /* of dumps; NULL: beside the file, if that is in the current folder */
    bool no_dump;            /* there are no dumps, whatever the file says */
} ww_launch_setting;

/* NULL with all errors that there are. */
ww_launch_file *ww_launch_file_load(const char *path, const ww_launch_setting *setting,
                                    ww_compiler *compiler, ww_errors *errors);
void ww_launch_file_destroy(ww_launch_file *file);

size_t ww_launch_file_launches(const ww_launch_file *file);
/* Whether another setting can give another file. */
bool ww_launch_file_depends(const ww_launch_file *file);
/* Whether it names dumps, even when there are to be none. */
bool ww_launch_file_has_dumps(const ww_launch_file *file);
/* Values of the parameters by name, a new reference; NULL: it has none. */
json_t *ww_launch_file_parameters(const ww_launch_file *file);
/* Adds all that the launches' values depend on: the file, its kernel as PTX, the files that fill
 * buffers. */
void ww_launch_file_identify(const ww_launch_file *file, ww_hash128 *identity);

/* Makes the buffers, runs all launches, then dumps and checks. WW_FAILED when the simulated program
 * is at fault, when a check fails (the verdict is WW_WRONG then), or when the host lacks memory.
 * The device must not outlive the file. */
int ww_launch_file_run(const ww_launch_file *file, ww_device *device,
                       const ww_launch_file_options *options, ww_verdict *verdict,
                       ww_errors *errors);

#endif
