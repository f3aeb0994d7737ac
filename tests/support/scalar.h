/* A plain interpretation of micro-ops: one work-item after the other, each with registers,
 * predicates, carry and local memory of its own. It knows no warps, masks or reconvergence, and
 * shares nothing with the executor but the decoded micro-ops and the lane operators, of which it
 * uses lane 0. What it gives is what the executor must give at every width. */
#ifndef WW_TESTS_SCALAR_H
#define WW_TESTS_SCALAR_H

#include "exec/uop.h"

/* Whether the kernel has nothing that speaks of warps. */
bool scalar_can_run(const ww_kernel *kernel);

/* Runs a launch of a kernel that was made for one block of 16 lanes. The work-items of a group run
 * one after the other up to their next barrier; those that have ended count as arrived. */
int scalar_run(const ww_kernel *kernel, ww_memory *memory, const ww_launch *launch,
               ww_errors *errors);

#endif
