/* Issue of a compute unit's own page walks (cuPTW, 2026): translation wavefronts (vm.h) take units
 * that no warp uses, in cycles in which no warp of any scheduler can issue. A walk warp of
 * SoftWalker (2025) belongs to the first scheduler, and issues before the warps of kernels: it
 * takes one of the instructions that the scheduler issues in that cycle.
 *
 * until    units that a wavefront occupies, and up to which cycle: what they delay is counted
 * cu_walks.c alone changes ww_cu_walks. */
#ifndef WW_CORE_CU_WALKS_H
#define WW_CORE_CU_WALKS_H

#include "core/core.h"
#include "core/units.h"

typedef struct ww_cu_walks {
    uint64_t launch;  /* that the walker has resources of; 0: none yet */
    unsigned first;   /* the scheduler whose wavefront is asked first */
    uint64_t counted; /* delays of cycles before this one are counted */
    uint64_t issued;  /* instructions of warps before this cycle */
    uint64_t ready;   /* warps, at the end of the last cycle that ran */
    uint64_t taken;   /* the cycle after a walk warp's last instruction; 0: none yet */
    uint64_t busy;    /* bits of ww_units.busy that wavefronts have occupied */
    uint64_t until[WW_MOST_SCHEDULERS * WW_UNIT_BITS]; /* by bit */
} ww_cu_walks;

/* Not inlined: what every cycle of other machines executes stays as short as it was. */
#define WW_CU_WALKS_COLD __attribute__((noinline, cold))

/* Before anything changes in this cycle: counts what wavefronts have delayed since the last one. */
WW_CU_WALKS_COLD void ww_cu_walks_begin_cycle(ww_cu *cu, uint64_t cycle);
/* Before the warps' issue: a walk warp receives what has arrived for it, and issues. */
WW_CU_WALKS_COLD void ww_cu_walks_run_first(ww_cu *cu, uint64_t cycle);
/* Of the instructions that the scheduler issues in this cycle, those that a walk warp took. */
static inline unsigned ww_cu_walks_taken(const ww_cu_walks *walks, unsigned scheduler,
                                         uint64_t cycle)
{
    return !scheduler && walks->taken == cycle + 1;
}
/* After the warps' issue: translation wavefronts receive what has arrived, and issue stages if no
 * warp has issued or can. */
WW_CU_WALKS_COLD void ww_cu_walks_run(ww_cu *cu, uint64_t cycle);
/* The next cycle after this one with work for the walker, if nothing else arrives. */
WW_CU_WALKS_COLD uint64_t ww_cu_walks_next(const ww_cu *cu, uint64_t cycle);

#endif
