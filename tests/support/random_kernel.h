/* Random kernels that end: PTX text with nested branches, loops with breaks and continues, jumps
 * into loops, switches, calls of all kinds with recursion, predicated instructions, private, local
 * and shared memory, and barriers where all work-items come along. */
#ifndef WW_TESTS_RANDOM_KERNEL_H
#define WW_TESTS_RANDOM_KERNEL_H

#include "base/rng.h"

/* Most work-items of a launch: each has its own bytes in memory. */
#define RANDOM_KERNEL_ITEMS 160
#define RANDOM_KERNEL_GROUP 80
/* Bytes that each work-item writes to `out` at its end. */
#define RANDOM_KERNEL_RESULT 64

/* The text of a module with `.entry k(.param .u64 out)`; the caller frees it. It needs some 10,000
 * instructions of a work-item, rarely many more. */
char *random_kernel(ww_rng *rng);

#endif
