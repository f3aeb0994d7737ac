/* How many instructions lie on either side of a branch, for the prediction of warp criticality.
 *
 * side       the paths from a conditional branch to its reconvergence point: taken, fall-through
 * inferred   what the hardware of "CPL" infers from program counters alone (Lee's dissertation,
 *            4.2.1, Algorithm 5): next PC - branch PC + 1, where the next PC is the target for the
 *            taken side and the reconvergence point (else the end of the body) for the
 *            fall-through side, as printed there. PCs are instruction indices. Negative for
 *            branches backwards. Only the difference between the sides means anything: for the
 *            printed example it gives 4 and 5 where 1 and 2 instructions are executed
 * counted    instructions on the path, from the control-flow graph; the branch itself and the
 *            reconvergence point do not count. A call counts as one
 * longest    over paths of a depth-first search, which never returns to a block on its path: the
 *            body of a loop counts once */
#ifndef WW_PTX_PATHS_H
#define WW_PTX_PATHS_H

#include "ptx/flow.h"

typedef struct ww_path {
    bool exists;       /* a brx without a guard has no fall-through side */
    int64_t inferred;  /* of a brx: the target farthest forward */
    uint32_t shortest; /* counted; of a brx: over all targets */
    uint32_t longest;
} ww_path;

typedef struct ww_branch_paths {
    uint32_t instruction;
    uint32_t reconvergence; /* instruction, or WW_NO_RECONVERGENCE */
    ww_path taken;
    ww_path fall_through;
} ww_branch_paths;

typedef struct ww_paths {
    ww_branch_paths *branches; /* guarded bra and every brx, in order; unreachable ones are not */
    uint32_t count;
} ww_paths;

ww_paths *ww_paths_create(const ww_flow *flow);
void ww_paths_destroy(ww_paths *paths);
/* NULL when the instruction is no such branch. */
const ww_branch_paths *ww_paths_find(const ww_paths *paths, uint32_t instruction);

#endif
