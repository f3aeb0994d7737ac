/* Figures as numbers: a grid of cells, made from the measures of a study's points.
 *
 * cell     one row and column: a metric, folded over the workloads and averaged over the seeds that
 *          it stands for. It has a value only when every run it needs is done
 * spread   the least and the most over seeds */
#ifndef WW_STUDY_FIGURE_H
#define WW_STUDY_FIGURE_H

#include "study/model.h"
#include "study/results.h"

typedef struct ww_cell {
    double value, low, high;       /* NAN: none yet; low and high are the spread */
    const ww_reference *reference; /* NULL: nothing published */
} ww_cell;

typedef struct ww_grid {
    const ww_figure *figure;      /* NULL: points of a sweep, with a column for each metric */
    const char *name, *title;     /* the figure's, or the sweep's */
    const char *corner;           /* what the rows are */
    const char **rows, **columns; /* labels */
    size_t row_count, column_count;
    ww_cell *cells; /* row after row */
} ww_grid;

/* Measures of a study that are read once and used by all figures. */
typedef struct ww_measures ww_measures;
ww_measures *ww_measures_read(const ww_study *study, ww_results *results, int64_t id,
                              ww_errors *errors);
void ww_measures_destroy(ww_measures *measures);

/* In the study's arena. */
ww_grid ww_figure_compute(const ww_study *study, const ww_figure *figure,
                          const ww_measures *measures);
/* All points of a sweep: what a study without figures shows. */
ww_grid ww_sweep_compute(const ww_study *study, const ww_sweep *sweep, const ww_measures *measures);

#endif
