/* Criticality: how critical a warp is, as a policy predicts it, for others to ask.
 *
 * criticality   of the warp in a slot: larger is more critical; 0: not known, or no warp
 * slow warp     at most half of the live warps of its group are more critical
 * accuracy      of predictions: how often a group's longest-running warp was a slow one
 *
 * Warp schedulers that need it find it in their view (scheduler.h), caches in the requests of the
 * warp (mem/request.h), as it was when the request was sent. The policy says it when it is asked
 * (`predict`), or changes the criticality of any slot in any of its functions. Each compute unit
 * has a state of its own. */
#ifndef WW_CORE_CRITICALITY_H
#define WW_CORE_CRITICALITY_H

#include "config/policy.h"
#include "core/scheduler.h"
#include "ptx/paths.h"
#include "stats/stats.h"

/* The state of a policy begins with it. */
typedef struct ww_warp_criticality {
    uint32_t of_slot[WW_MOST_SLOTS];
    uint64_t samples, slow_samples; /* statistics; predict.c counts */
} ww_warp_criticality;

/* What a warp has done so far; predict.c counts it. */
typedef struct ww_warp_progress {
    uint64_t start;      /* the cycle from which on it could issue */
    uint64_t next_issue; /* the cycle after its last issue; `start`: it has not issued */
    uint64_t changed;    /* the cycle of its last issue or commit; `start`: none */
    uint64_t issued;     /* instructions */
    uint64_t committed;  /* instructions that are complete */
} ww_warp_progress;

/* Cycles before its last issue in which it did not issue. */
static inline uint64_t ww_warp_stalls(const ww_warp_progress *warp)
{
    return warp->next_issue - warp->start - warp->issued;
}

typedef struct ww_started_warp {
    uint64_t launch, group; /* by their numbers: from 1, and from 0 */
    uint32_t warp;          /* its index in the group */
    uint32_t profiled;      /* its cycles in a first pass; 0: not known */
    uint64_t cycle;         /* from which on it can issue */
} ww_started_warp;

typedef struct ww_branch_outcome {
    uint32_t pc;    /* of the branch */
    uint32_t next;  /* of the instruction that the warp continues with; pc + 1: it waits */
    bool divergent; /* it has split the warp */
    bool taken;     /* by one lane at least */
    bool not_taken; /* likewise */
    /* Its sides and its reconvergence point; NULL: it has one side. */
    const ww_branch_paths *paths;
} ww_branch_outcome;

/* All but the first may be NULL. */
typedef struct ww_criticality {
    ww_policy policy;
    /* NULL: nothing is predicted; then no function is called. */
    void (*warp_started)(void *state, unsigned slot, const ww_started_warp *warp);
    /* Sets the criticality of the slot, not to 0, and returns it: called when it is asked for and
     * the warp has issued, committed or branched since the last call. NULL: the other functions
     * keep `of_slot`. */
    uint32_t (*predict)(void *state, unsigned slot, const ww_warp_progress *warp);
    void (*issued)(void *state, unsigned slot, uint64_t cycle);
    /* A wait is over, just before `issued`: cycles without an issue of the warp. An instruction is
     * told of after it was executed. */
    void (*stalled)(void *state, unsigned slot, uint64_t cycles);
    /* An instruction is complete: after its `issued`, in the same cycle. A load or an atomic that
     * goes to the caches is complete when its last value has come, if the warp is still there. */
    void (*committed)(void *state, unsigned slot, uint64_t cycle);
    /* After `committed`, for branches within a function (bra, brx) of warps that go on. */
    void (*branched)(void *state, unsigned slot, const ww_branch_outcome *branch);
    void (*warp_ended)(void *state, unsigned slot);
} ww_criticality;

extern const ww_policy_family ww_criticality_family;

/* ---- for the tables of policies that predict ---- */

extern const char *const ww_critical_warps[];
#define WW_CRITICAL_SLOW 0 /* of core.critical_warps */

#define WW_CRITICALITY_KEYS                                                                  \
    {                                                                                        \
        .key = "critical_warps", .type = WW_KEY_CHOICE, .choices = ww_critical_warps,        \
        .initial = "slow",                                                                   \
        .doc = "which warps are critical for caches: slow ones, with at most half of their " \
               "group's warps more critical, or those with none more critical"               \
    }

double ww_criticality_accuracy(const void *counters, const ww_config *config);

#define WW_CRITICALITY_STATS                                                                  \
    {.name = "criticality_samples",                                                           \
     .unit = "samples",                                                                       \
     .doc = "of groups that ended: one every 1000 cycles",                                    \
     .kind = WW_STAT_COUNTER,                                                                 \
     .offset = offsetof(ww_warp_criticality, samples)},                                       \
        {.name = "criticality_slow",                                                          \
         .unit = "samples",                                                                   \
         .doc = "of them, the group's longest-running warp was predicted to be a slow one",   \
         .kind = WW_STAT_COUNTER,                                                             \
         .offset = offsetof(ww_warp_criticality, slow_samples)},                              \
    {                                                                                         \
        .name = "criticality_accuracy", .unit = "",                                           \
        .doc = "share of such samples: the accuracy of predictions", .kind = WW_STAT_DERIVED, \
        .derive = ww_criticality_accuracy                                                     \
    }

#endif
