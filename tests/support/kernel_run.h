/* Runs a kernel given as PTX text, for tests.
 *
 * kernel text   what follows the .version/.target/.address_size header, which is added here
 * config        a warp width and a build of the lane operators
 * block         bytes that a kernel reads or writes: a buffer of simulated memory */
#ifndef WW_TESTS_KERNEL_RUN_H
#define WW_TESTS_KERNEL_RUN_H

#include "exec/exec.h"

typedef struct kernel_config {
    unsigned width;
    ww_lane_level level;
} kernel_config;

/* Widths 1, 8, 32 and 64 at the best level, and 32 and 64 at every other level that this processor
 * has. The first is the one to compare the others with. */
const kernel_config *kernel_configs(size_t *count);
/* The same without the widths that shuffles and votes cannot run at. */
const kernel_config *kernel_warp_configs(size_t *count);

typedef struct kernel_block {
    const char *name;
    void *bytes; /* copied to the buffer before the launch and back after it */
    size_t size;
} kernel_block;

typedef struct kernel_launch {
    const char *entry;      /* NULL: "k" */
    unsigned groups, group; /* of one dimension */
    kernel_block blocks[4];
    size_t block_count; /* the entry's first parameters are their addresses */
    const void *values; /* the rest of its parameters, as they are in its parameter block */
    size_t value_bytes;
    uint64_t dynamic_shared;
    uint64_t max_instructions;
    unsigned repeats; /* launches after the first, in the same program */
} kernel_launch;

/* Lines before the first one of a kernel text. */
#define KERNEL_HEADER_LINES 3

/* Parses a kernel text as "k.ptx"; NULL with errors when it does not parse. */
ww_module *kernel_try_parse(const char *text, ww_errors *errors);
/* The same; prints the errors and the text and fails the test instead. */
ww_module *kernel_parse(const char *text);

/* Status of one launch in a memory of its own, where buffers start at multiples of 64 KiB with at
 * least as much between them. */
int kernel_try_run(const ww_module *module, kernel_config config, const kernel_launch *launch,
                   ww_errors *errors);
/* The same; prints the errors and fails the test unless the status is WW_OK. */
void kernel_run(const ww_module *module, kernel_config config, const kernel_launch *launch);

#endif
