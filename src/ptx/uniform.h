/* Uniformity: which instructions give the same result in all lanes of a warp.
 *
 * uniform     the same in all lanes that execute it together; else varying
 * divergent   of a branch: lanes of a warp may take different paths; of a block: it may run for
 *             only a part of the live lanes
 * region      the blocks between a divergent branch and its reconvergence point
 * merging     where lanes that took different paths may meet: the reconvergence point, and blocks
 *             of the region that two disjoint paths from the branch reach
 *
 * Uniform at the source: numbers, addresses of variables, parameters of an entry, special registers
 * that differ only between groups or launches, results of bar.red, registers before their first
 * write. Varying: %tid, %laneid and the like, clocks, parameters of functions that are no entry,
 * results of calls, atomics, shuffles, votes and other exchanges between lanes, and local memory.
 * A load from .param, .const, .global or .shared through a uniform address is uniform, on the
 * assumption that the program is free of data races; a volatile one is varying. A generic load is
 * treated as global when nothing in the module makes a generic address of local memory.
 *
 * A value merged from different ones at a merging block is varying. So is a value there that some
 * lanes have computed again since the branch and others have not: after a loop that lanes leave in
 * different iterations, what was computed in it. All this holds for lanes that reconverge at
 * immediate post-dominators or at merging blocks before them.
 *
 * Time grows with the sum of the sizes of the regions of divergent branches.
 *
 * A register is uniform when every value that it ever holds is, wherever it is read. Two values of
 * one uniform register may be alive at once on the two sides of a divergent branch: a machine that
 * keeps one copy for a warp must allocate two registers for them. */
#ifndef WW_PTX_UNIFORM_H
#define WW_PTX_UNIFORM_H

#include "ptx/uses.h"

typedef struct ww_uniform {
    bool *instruction;          /* by instruction: its results, or all that it reads, are uniform */
    bool *reg;                  /* by register */
    bool *divergent;            /* by block */
    uint32_t instruction_count; /* uniform ones */
    uint32_t branch_count;      /* instructions that could split a warp ... */
    uint32_t divergent_count;   /* ... and those of them whose condition is varying */
} ww_uniform;

ww_uniform *ww_uniform_create(const ww_uses *uses);
void ww_uniform_destroy(ww_uniform *uniform);

#endif
