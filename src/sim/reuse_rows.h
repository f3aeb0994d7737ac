/* Reuse distances of L1 data caches by instruction (mem/reuse.h), for the result.
 *
 * kernel   by its entry's name; the numbers of mem/reuse.h are those of this table */
#ifndef WW_SIM_REUSE_ROWS_H
#define WW_SIM_REUSE_ROWS_H

#include "base/json.h"
#include "base/memory.h"
#include "sim/machine.h"
#include "sim/row_list.h"

typedef struct ww_reuse_kernels {
    WW_VEC(char *) names;
} ww_reuse_kernels; /* zeroed: empty */

void ww_reuse_kernels_clear(ww_reuse_kernels *kernels);
/* The kernel's number, which it gets when it is new. */
uint32_t ww_reuse_kernels_number(ww_reuse_kernels *kernels, const char *name);

extern const ww_row_list ww_reuse_list;

/* An array with an object for each kernel and program counter that had uses, summed over all
 * compute units; NULL: reuse is not measured. */
json_t *ww_reuse_rows_json(const ww_machine *machine, const ww_reuse_kernels *kernels);
/* Rows count from here. */
void ww_reuse_rows_restart(const ww_machine *machine);

#endif
