/* Reuse distances of L1 data caches by instruction (mem/reuse.h), for the result.
 *
 * kernel   by its entry's name; the numbers of mem/reuse.h are those of this table */
#ifndef WW_SIM_REUSE_ROWS_H
#define WW_SIM_REUSE_ROWS_H

#include "base/json.h"
#include "base/memory.h"
#include "sim/machine.h"

typedef struct ww_reuse_kernels {
    WW_VEC(char *) names;
} ww_reuse_kernels; /* zeroed: empty */

void ww_reuse_kernels_clear(ww_reuse_kernels *kernels);
/* The kernel's number, which it gets when it is new. */
uint32_t ww_reuse_kernels_number(ww_reuse_kernels *kernels, const char *name);

/* What a row has besides its kernel, its instruction and its uses, in this order. */
typedef struct ww_reuse_part {
    const char *name;
    const char *of;  /* the part or `uses` that it is a share of */
    const char *doc; /* of the share */
} ww_reuse_part;

extern const ww_reuse_part ww_reuse_parts[];
extern const size_t ww_reuse_part_count;

/* An array with an object for each kernel and program counter that had uses, summed over all
 * compute units; NULL: reuse is not measured. */
json_t *ww_reuse_rows_json(const ww_machine *machine, const ww_reuse_kernels *kernels);
/* Rows count from here. */
void ww_reuse_rows_restart(const ww_machine *machine);

#endif
