/* Compares a value of ours with a published one by the numbers only (docs/results.md has the
 * rules).
 *
 * ratio       a metric without a unit that is folded by a geometric mean: 1 means "no difference"
 * side        of 1 on which a ratio is; none within 2% of it
 * direction   the side of the published value, or that of all of its range
 * rests on    a geometric mean rests on a program when the mean over the others has a worse
 *             verdict, or less than half of the gain or loss */
#ifndef WW_STUDY_VERDICT_H
#define WW_STUDY_VERDICT_H

#include "study/figure.h"

typedef enum ww_agreement {              /* from the best to the worst */
                            WW_NO_VALUE, /* nothing to compare */
                            WW_AGREES,
                            WW_NEAR,           /* not a ratio, and within 25% */
                            WW_DIRECTION_ONLY, /* a ratio on the published side of 1 */
                            WW_DIFFERS,
} ww_agreement;

typedef struct ww_reference_verdict {
    ww_agreement agreement;
    double
        difference; /* ours less the published one, as a share of it; 0 inside a range; NAN: none */
    const char *rests_on; /* a row of the grid; NULL: no single one */
    double without;       /* the mean over the others */
} ww_reference_verdict;

bool ww_metric_is_ratio(const ww_metric *metric);
double ww_difference(double ours, const ww_reference *published);
/* The side of 1 of a ratio: -1, 0 or 1. */
int ww_side(double ratio);
int ww_direction(const ww_reference *published);
ww_agreement ww_agreement_of(double ours, const ww_reference *published, bool ratio);
const char *ww_agreement_word(ww_agreement agreement);

/* Of a cell that has a reference. */
ww_reference_verdict ww_verdict_of(const ww_study *study, const ww_grid *grid, size_t row,
                                   size_t column);
/* "agrees: 1.284, published 1.300 (-1%); rests on xsbench (without it 1.030)". The caller frees
 * it. */
char *ww_verdict_text(const ww_reference_verdict *verdict, double ours,
                      const ww_reference *published, bool whole);

#endif
