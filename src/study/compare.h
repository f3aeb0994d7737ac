/* Two results of runs, side by side (docs/compare.md).
 *
 * difference   a key, number, statistic or launch that is not the same in both, or is in one only
 * extent       how much it differs: what the lists are ordered by */
#ifndef WW_STUDY_COMPARE_H
#define WW_STUDY_COMPARE_H

#include "base/memory.h"
#include "study/study.h"

#include <jansson.h>

typedef struct ww_difference {
    const char *name;
    const json_t *values[2]; /* NULL: not in this result */
    double extent;
    size_t order; /* where it is in the results: among equals the first comes first */
} ww_difference;

typedef WW_VEC(ww_difference) ww_differences;

struct ww_comparison {
    ww_arena *arena;
    const char *files[2];
    json_t *results[2];
    ww_differences keys;     /* of the configuration, in its order */
    ww_differences numbers;  /* of the result itself, in its order; also those that are equal */
    ww_differences host;     /* numbers that vary between equal runs */
    ww_differences stats;    /* largest first, those of one result last */
    ww_differences launches; /* by cycles, largest first */
    const char *launches_measure; /* "cycles", or "warp_instructions" when there are none */
    size_t key_count, stat_count; /* in at least one of the results */
    size_t only[2];               /* statistics that only one result has */
    bool launches_match;
};

/* b / a; NAN when that is not a number. */
double ww_difference_ratio(const ww_difference *difference);
bool ww_difference_exists(const ww_difference *difference); /* false: the values are equal */
/* Whether both runs did the same work: workload, size and region. */
bool ww_comparison_same_work(const ww_comparison *comparison);

#endif
