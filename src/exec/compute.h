/* Instructions that only compute: they read and write registers of their warp, and nothing else can
 * observe when. So a warp may execute several of them at once, before their time. */
#ifndef WW_EXEC_COMPUTE_H
#define WW_EXEC_COMPUTE_H

#include "exec/warp.h"

/* Executes an instruction that writes registers alone, or nothing. */
void ww_exec_compute(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes);

/* Whether the instruction, in all lanes of its split, only computes. A clock does not: what it
 * reads depends on the time. */
bool ww_uop_only_computes(const ww_uop *u);

/* Calls the operator of an instruction. */
static inline void ww_lane_op(ww_executor *x, ww_warp *w, const ww_uop *u, uint64_t lanes,
                              uint64_t *extra)
{
    const void *a = ww_row_at(x, w, u->a), *b = ww_row_at(x, w, u->b), *c = ww_row_at(x, w, u->c);
    if (lanes == w->live) {
        u->fn(w->rows + u->d, a, b, c, x->blocks, extra);
    } else if (lanes) {
        u->fn(x->scratch, a, b, c, x->blocks, extra);
        ww_write_row(x, w, u->d, x->scratch, lanes, u->flags & WW_UOP_WIDE);
    }
}

#endif
