/* Tells the criticality policy (criticality.h) what warps do. predict.c alone changes its state;
 * its functions are called only where there is a policy that predicts, but for creation. */
#ifndef WW_CORE_PREDICT_H
#define WW_CORE_PREDICT_H

#include "core/core.h"

typedef struct ww_predictor {
    const uint32_t *criticality;        /* by slot; NULL: nothing is predicted */
    void *state;                        /* the policy's */
    uint64_t divergent_branches;        /* that had split warps before the present issue */
    uint64_t next_issue[WW_MOST_SLOTS]; /* by slot: the cycle after its last issue */
} ww_predictor;

void ww_predictor_create(ww_cu *cu);
void ww_predictor_destroy(ww_cu *cu);
void ww_predictor_start(ww_cu *cu, unsigned slot, uint64_t cycle);
void ww_predictor_issue(ww_cu *cu, unsigned slot, uint64_t cycle); /* before it is executed */
void ww_predictor_branch(ww_cu *cu, unsigned slot);                /* its branch was executed */
void ww_predictor_end(ww_cu *cu, unsigned slot);

#endif
