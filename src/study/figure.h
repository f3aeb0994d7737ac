/* Figures as numbers: a grid of cells, made from the measures of a study's points.
 *
 * cell     one row and column: a metric, folded over the workloads and averaged over the seeds that
 *          it stands for. It has a value only when every run it needs is done
 * spread   the least and the most over seeds
 * line     a series of one point over simulated time. Its cell is the mean over the bins, with the
 *          least and the greatest of them as the spread */
#ifndef WW_STUDY_FIGURE_H
#define WW_STUDY_FIGURE_H

#include "study/model.h"
#include "study/results.h"

typedef struct ww_line {
    const char *row, *column; /* labels of the figure's coordinates */
    const ww_series *series;
    double seconds; /* of simulated time, all bins together */
    double *values; /* of the bins; counts are a millisecond's */
    size_t count;   /* 0: none yet */
} ww_line;

typedef struct ww_cell {
    double value, low, high;       /* NAN: none yet; low and high are the spread */
    const ww_reference *reference; /* NULL: nothing published */
    const ww_line *line;           /* of a figure of series; else NULL */
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
/* The same of a figure of series: a row for each point, a column for each series. */
ww_grid ww_series_compute(const ww_study *study, const ww_figure *figure, ww_results *results,
                          int64_t id, ww_errors *errors);
/* The same of a figure of rows: a row for each row of each point, a column for each part. */
ww_grid ww_rows_compute(const ww_study *study, const ww_figure *figure, ww_results *results,
                        int64_t id, ww_errors *errors);
/* The labels that a figure shows of a coordinate, in the study's arena with room for its sets. */
const char **ww_figure_labels(const ww_study *study, const ww_figure *figure,
                              const char *coordinate, size_t *count);
/* The point of a cell; row NULL: of a set. */
ww_coordinates ww_figure_point(const ww_study *study, const ww_figure *figure, const char *row,
                               const char *column);
/* All points of a sweep: what a study without figures shows. */
ww_grid ww_sweep_compute(const ww_study *study, const ww_sweep *sweep, const ww_measures *measures);

#endif
