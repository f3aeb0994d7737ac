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
    const uint32_t *criticality;   /* by slot, but for `stale` ones; NULL: nothing is predicted */
    const uint32_t *for_scheduler; /* the same; NULL: the warp scheduler does not need it */
    /* Slots whose criticality may have changed since the warp scheduler, where it needs it, or any
     * other part has asked for it. */
    uint64_t stale;
    uint64_t next_sample; /* a cycle */
    bool is_told;         /* the policy wants to know what warps do */
    bool top_only;        /* core.critical_warps: top */
    const ww_criticality *policy;
    ww_warp_criticality *state; /* the policy's */
    /* The policy's; one that has none keeps the criticality itself. */
    uint32_t (*predict)(void *state, unsigned slot, const ww_warp_progress *warp);
    ww_branch_outcome branch;                 /* what is known of it before it is executed */
    uint64_t divergent_branches;              /* that had split warps before the present issue */
    ww_warp_progress progress[WW_MOST_SLOTS]; /* of the slot's warp, */
    uint64_t samples[WW_MOST_SLOTS], slow_samples[WW_MOST_SLOTS]; /* likewise */
} ww_predictor;

void ww_predictor_create(ww_cu *cu);
void ww_predictor_destroy(ww_cu *cu);
void ww_predictor_start(ww_cu *cu, unsigned slot, uint64_t cycle);
/* A branch, before and after it is executed; the latter after `count`. */
void ww_predictor_begin_branch(ww_cu *cu, unsigned slot);
void ww_predictor_end_branch(ww_cu *cu, unsigned slot);
void ww_predictor_commit(ww_cu *cu, unsigned slot, uint64_t cycle); /* its load's values came */
void ww_predictor_end(ww_cu *cu, unsigned slot, uint64_t cycle);

/* Whether the warp is a slow one, and whether it is what core.critical_warps says. */
bool ww_predictor_is_slow(ww_cu *cu, unsigned slot);
bool ww_predictor_is_critical(ww_cu *cu, unsigned slot);

/* Takes samples, and tells the policy that an instruction issued: before `count`, if there is
 * anything to do. */
void ww_predictor_tell(ww_cu *cu, unsigned slot, bool complete, uint64_t cycle);

static inline bool ww_predictor_has_to_tell(const ww_predictor *predictor, uint64_t cycle)
{
    return cycle >= predictor->next_sample || predictor->is_told;
}

/* An instruction of the slot's warp has been executed; `complete`: it needs nothing from memory. */
static inline void ww_predictor_count(ww_predictor *predictor, unsigned slot, bool complete,
                                      uint64_t cycle)
{
    ww_warp_progress *warp = &predictor->progress[slot];
    warp->issued++;
    warp->committed += complete;
    warp->next_issue = cycle + 1;
    warp->changed = cycle;
    predictor->stale |= 1ull << slot;
}

/* Asks the policy for the criticality of a slot, which is stale. */
static inline uint32_t ww_predictor_ask(ww_predictor *predictor, unsigned slot)
{
    return predictor->predict(predictor->state, slot, &predictor->progress[slot]);
}

#endif
