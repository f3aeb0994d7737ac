/* Tells the criticality policy (criticality.h) what warps do, and measures how accurate it is.
 *
 * sample     of a warp, at the beginning of every WW_SAMPLE_CYCLES-th cycle: whether it is a slow
 *            one
 * accuracy   when a group ends, the samples of the warp that ended last are counted. Of several
 *            that end in the same cycle it is the one in the highest slot.
 * predict.c alone changes its state; its functions are called only where there is a policy that
 * predicts, but for creation. */
#ifndef WW_CORE_PREDICT_H
#define WW_CORE_PREDICT_H

#include "core/core.h"

#define WW_SAMPLE_CYCLES 1000

typedef struct ww_predictor {
    const uint32_t *criticality;        /* by slot; NULL: nothing is predicted */
    ww_warp_criticality *state;         /* the policy's */
    bool top_only;                      /* core.critical_warps: top */
    ww_branch_outcome branch;           /* what is known of it before it is executed */
    uint64_t divergent_branches;        /* that had split warps before the present issue */
    uint64_t next_sample;               /* a cycle */
    uint64_t next_issue[WW_MOST_SLOTS]; /* by slot: the cycle after its last issue */
    uint64_t samples[WW_MOST_SLOTS], slow_samples[WW_MOST_SLOTS]; /* of the slot's warp */
} ww_predictor;

void ww_predictor_create(ww_cu *cu);
void ww_predictor_destroy(ww_cu *cu);
void ww_predictor_start(ww_cu *cu, unsigned slot, uint64_t cycle);
/* Before the instruction is executed. */
void ww_predictor_issue(ww_cu *cu, unsigned slot, const ww_timed_op *op, uint64_t cycle);
/* After that; `complete`: it needs nothing from memory. */
void ww_predictor_execute(ww_cu *cu, unsigned slot, const ww_timed_op *op, bool complete,
                          uint64_t cycle);
void ww_predictor_commit(ww_cu *cu, unsigned slot, uint64_t cycle); /* its load's values came */
void ww_predictor_end(ww_cu *cu, unsigned slot, uint64_t cycle);

/* Whether the warp is a slow one, and whether it is what core.critical_warps says. */
bool ww_predictor_is_slow(const ww_cu *cu, unsigned slot);
bool ww_predictor_is_critical(const ww_cu *cu, unsigned slot);

#endif
